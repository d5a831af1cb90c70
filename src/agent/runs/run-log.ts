/**
 * The log of a run: one JSON object a line, only ever appended to, each line on the disk before the run goes on. A line
 * that a crash left half-written is cut off when the log is opened again; any other damage is refused.
 */
import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { keepingIn, makeFolders, ownEntry, ownFolder } from '../../process/own-folder.ts';
import { readRegularFileSync } from '../../process/foreign-folder/regular-file.ts';
import { QuodError } from '../../core/errors.ts';
import { timedName } from '../../core/names/timed-name.ts';
import { BEYOND_COUNTING } from '../models/prices.ts';
import type { Appendable } from './event-log.ts';
import { recordSchema } from './events.ts';
import { lockFolder, ownerOfFolder, unlockFolder } from './folder-lock.ts';
import { SecretsLeftOut, secretsIn } from './secrets-left-out.ts';
import type { RunEvent, RunRecord } from './events.ts';

const LOG = 'events.jsonl';
const WHAT = 'The log of the run';
const INSTEAD =
  'work in a copy of the folder that can be written to, or keep runs in another folder, which the variable QUOD_RUNS names';
/** Bytes; a run of days writes some tens of millions. */
const LARGEST_LOG = 1024 * 1024 * 1024;

/** Where the runs of a folder are: `$QUOD_RUNS`, else `.quod/runs` in it. */
export function runsFolder(folder: string, environment: NodeJS.ProcessEnv = process.env): string {
  const own = environment['QUOD_RUNS'];
  return own === undefined || own === '' ? ownFolder(folder, 'runs') : own;
}

/** The names of the runs, oldest first. */
export function listRuns(runs: string): readonly string[] {
  if (!existsSync(runs)) return [];
  return readdirSync(runs)
    .filter((name) => existsSync(join(runs, name, LOG)))
    .sort();
}

/** A run by its name or the beginning of it; `last` is the newest. @throws QuodError `not-found`, `invalid-input`. */
export function findRun(runs: string, wanted: string): string {
  if (wanted === '')
    throw new QuodError('invalid-input', 'The name of the run is empty.', {
      remedy: '`agent_runs` lists them.',
    });
  const names = listRuns(runs);
  if (names.length === 0)
    throw new QuodError('not-found', 'There are no runs here.', {
      remedy: 'Go to the folder in which the run was begun, or begin one here.',
    });
  const found = wanted === 'last' ? names.slice(-1) : names.filter((name) => name === wanted);
  const named = found.length > 0 ? found : names.filter((name) => name.startsWith(wanted));
  const [name] = named;
  if (name === undefined || named.length > 1) {
    throw new QuodError(
      'not-found',
      `${named.length === 0 ? 'No run' : 'More than one run'} is called ${wanted}.`,
      {
        remedy: '`agent_runs` lists them.',
      },
    );
  }
  return name;
}

/** The process that works on a run now. */
export function ownerOfRun(runs: string, name: string): number | undefined {
  return ownerOfFolder(join(runs, name));
}

/** The log of a run, and whether somebody works on it. */
export interface RunLook {
  readonly records: readonly RunRecord[];
  /** False: the records are all that there will be, until the run is gone on with. */
  readonly running: boolean;
}

/**
 * Who works on a run is asked before its log is read: a run that ends meanwhile is told as running, and its end is seen
 * by the next look. The other way round it would be told as ended with an end that nobody has read.
 * @throws QuodError as `readRun`.
 */
export function lookAtRun(runs: string, name: string): RunLook {
  const running = ownerOfRun(runs, name) !== undefined;
  return { running, records: readRun(runs, name) };
}

/** Grows with each event that is recorded. @throws QuodError `not-found`. */
export function sizeOfRun(runs: string, name: string): number {
  const file = statSync(join(runs, name, LOG), { throwIfNoEntry: false });
  if (file === undefined)
    throw new QuodError('not-found', `There is no run ${name}.`, { remedy: '`agent_runs` lists them.' });
  return file.size;
}

/** What a log holds. @throws QuodError `not-found`, `invalid-input` when a line in the middle is damaged. */
export function readRun(runs: string, name: string): readonly RunRecord[] {
  return parseLog(readLog(runs, name), name).records;
}

function readLog(runs: string, name: string): Buffer {
  try {
    return readRegularFileSync(join(runs, name, LOG), LARGEST_LOG);
  } catch (cause) {
    if (cause instanceof QuodError) throw cause;
    throw new QuodError('not-found', `There is no run ${name}.`, {
      remedy: '`agent_runs` lists them.',
      cause,
    });
  }
}

/** @returns the records, and how many bytes hold them: what follows is a line that was not written to its end. */
export function parseLog(bytes: Buffer, name: string): { records: RunRecord[]; length: number } {
  const records: RunRecord[] = [];
  let at = 0;
  for (;;) {
    const end = bytes.indexOf(0x0a, at);
    if (end === -1) return { records, length: at };
    const line = bytes.toString('utf8', at, end);
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      value = undefined;
    }
    const record = recordSchema.safeParse(value);
    if (!record.success || record.data.seq !== records.length) {
      throw new QuodError(
        'invalid-input',
        `The log of run ${name} is damaged in line ${records.length + 1}.`,
        {
          remedy:
            'Something else than Quod changed it, or another version wrote it. It cannot be gone on with: begin a new run.',
        },
      );
    }
    records.push(record.data);
    at = end + 1;
  }
}

export class RunLog implements Appendable {
  readonly name: string;
  readonly #folder: string;
  readonly #file: number;
  readonly #past: readonly RunRecord[];
  readonly #watcher: (record: RunRecord) => void;
  /** Whether its folder was made here. */
  readonly #isNew: boolean;
  readonly #secrets = new SecretsLeftOut();
  #length: number;

  private constructor(
    runs: string,
    name: string,
    watcher: (record: RunRecord) => void,
    open: (path: string) => { file: number; past: readonly RunRecord[]; isNew: boolean },
  ) {
    this.name = name;
    this.#folder = ownEntry(runs, name);
    this.#watcher = watcher;
    lockFolder(this.#folder, (owner) => `Process ${owner} works on run ${name}.`);
    try {
      ({ file: this.#file, past: this.#past, isNew: this.#isNew } = open(ownEntry(this.#folder, LOG)));
    } catch (error) {
      unlockFolder(this.#folder);
      throw error;
    }
    this.#length = this.#past.length;
    for (const { event } of this.#past) this.#keepOutSecretsOf(event);
  }

  /** A new run, named by its time. */
  static create(runs: string, watcher: (record: RunRecord) => void = () => undefined): RunLog {
    const name = timedName(new Date(), listRuns(runs).at(-1));
    const make = (): RunLog => {
      makeFolders(runs);
      mkdirSync(join(runs, name));
      // The user's repository is not the place to keep runs, unless the user wants to.
      const ignore = ownEntry(runs, '.gitignore');
      if (!existsSync(ignore)) writeFileSync(ignore, '*\n');
      return new RunLog(runs, name, watcher, (path) => ({
        ...{ file: openSync(path, 'ax'), past: [], isNew: true },
      }));
    };
    return keepingIn(runs, WHAT, make, INSTEAD);
  }

  /** A run that goes on. @throws QuodError `not-found`, `invalid-input` when it is damaged or somebody runs it. */
  static reopen(runs: string, name: string, watcher: (record: RunRecord) => void = () => undefined): RunLog {
    sizeOfRun(runs, name);
    // Read only now that the lock is held: what another process wrote before it let go is not cut off.
    return keepingIn(join(runs, name), WHAT, () => RunLog.#goOn(runs, name, watcher), INSTEAD);
  }

  static #goOn(runs: string, name: string, watcher: (record: RunRecord) => void): RunLog {
    return new RunLog(runs, name, watcher, (path) => {
      const { records, length } = parseLog(readLog(runs, name), name);
      const file = openSync(path, 'a');
      ftruncateSync(file, length);
      return { file, past: records, isNew: false };
    });
  }

  /** What was there when the log was opened. */
  get past(): readonly RunRecord[] {
    return this.#past;
  }

  /** Whoever writes into a log writes here: no key of a provider and no password of a proxy is said in it. @returns what is recorded. */
  append<Event extends RunEvent>(said: Event): Event {
    this.#keepOutSecretsOf(said);
    const event = this.#secrets.from(said);
    const record: RunRecord = { seq: this.#length, at: new Date().toISOString(), event };
    const line = Buffer.from(`${JSON.stringify(record, finite)}\n`);
    keepingIn(join(this.#folder, LOG), WHAT, () => this.#addLine(line), INSTEAD);
    this.#length++;
    this.#watcher(record);
    return event;
  }

  /** The whole line or nothing of it: the next one would stand behind what a full disk took of it. */
  #addLine(line: Buffer): void {
    const { size } = fstatSync(this.#file);
    try {
      for (let at = 0; at < line.length;) at += writeSync(this.#file, line, at);
      fsyncSync(this.#file);
    } catch (error) {
      ftruncateSync(this.#file, size);
      throw error;
    }
  }

  /** For keys that are not in the environment: what stands there is kept out anyway. */
  keepOut(key: string): void {
    this.#secrets.add(key);
  }

  withoutKeys<Value>(value: Value): Value {
    return this.#secrets.fromAll(value);
  }

  /** Which variables hold keys, the settings of the run say; any may hold the address of a proxy. */
  #keepOutSecretsOf(event: RunEvent): void {
    if (event.kind !== 'run-started' && event.kind !== 'run-resumed') return;
    for (const secret of secretsIn(process.env, event.settings)) this.#secrets.add(secret);
  }

  /** @throws QuodError `file-changed` when somebody removed it while it was written. */
  requireThere(): void {
    if (fstatSync(this.#file).nlink > 0) return;
    throw new QuodError('file-changed', `The log of run ${this.name} was taken away while the run worked.`, {
      remedy: 'What was written into the files is there; the run can neither be shown nor be gone on with.',
    });
  }

  /** What never began leaves nothing that would be listed, or taken for the last run. */
  close(): void {
    closeSync(this.#file);
    const hasBegun = !this.#isNew || this.#length > 0;
    if (hasBegun) unlockFolder(this.#folder);
    else rmSync(this.#folder, { force: true, recursive: true });
  }
}

/** JSON would write null for what is no finite number, and null is that nothing is known. */
function finite(_name: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isFinite(value) ? BEYOND_COUNTING : value;
}
