/**
 * Many pairs, judged by worker threads. Each answer is appended to a log as one line of JSON when it is known; pairs whose
 * files and policy are those of a line of the log are not judged again, so a batch that was stopped goes on.
 */
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, extname, join, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { QuodError, errorText } from '../../../core/errors.ts';
import { isRecord, parsedJson } from '../../../core/json.ts';
import { LARGEST_WRITTEN_BYTES, readRegularFileSync } from '../../../process/foreign-folder/regular-file.ts';
import type { Verdict } from '../../verdict.ts';
import type { PairToJudge } from './judge.ts';
import { FURTHER_PARTS } from '../olean/module.ts';
import type { LeanPolicy } from './lean-policy.ts';

export interface BatchEntry {
  readonly target: string;
  readonly submission: string;
  /** Of all files of the pair and of the policy: the same key, the same answer. */
  readonly key: string;
  readonly verdict: Verdict;
}

/**
 * The pairs of a file, one a line (`target submission`, separated by blanks or a tab, or a JSON object with these two),
 * or of a folder: in it and in each folder of it, every `.olean` file beside a `Target.olean`.
 */
export function readPairs(path: string): PairToJudge[] {
  if (!existsSync(path))
    throw new QuodError('not-found', 'There is no such file or folder.', { place: { file: path } });
  if (statSync(path).isDirectory()) {
    const folders = [
      path,
      ...readdirSync(path, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map((entry) => join(path, entry.name)),
    ];
    const pairs = folders.flatMap(pairsOfFolder);
    if (pairs.length === 0)
      throw new QuodError('not-found', NO_PAIRS, { place: { file: path }, remedy: NOT_OF_LEAN });
    return pairs;
  }
  const folder = dirname(resolve(path));
  const pairs = readRegularFileSync(path, LARGEST_WRITTEN_BYTES)
    .toString('utf8')
    .split('\n')
    .flatMap((line, index) => {
      const text = line.trim();
      if (text === '' || text.startsWith('#')) return [];
      const pair = parsePair(text);
      if (pair === undefined)
        throw new QuodError('invalid-input', 'The line does not name a target and a submission.', {
          place: { file: path, position: { line: index + 1, column: 0 } },
        });
      return [{ target: resolve(folder, pair.target), submission: resolve(folder, pair.submission) }];
    });
  const foreign = pairs.find(({ target, submission }) => !isModule(target) || !isModule(submission));
  if (foreign !== undefined)
    throw new QuodError('invalid-input', `${NOT_MODULES}: ${foreign.target}, ${foreign.submission}.`, {
      place: { file: path },
      remedy: NOT_OF_LEAN,
    });
  if (pairs.length === 0)
    throw new QuodError('not-found', 'The list names no pair.', {
      place: { file: path },
      remedy: 'Write a target and a submission on each line.',
    });
  return pairs;
}

const NO_PAIRS =
  'There is no `Target.olean` with a submission (`.olean`) beside it in this folder and the folders in it.';
const NOT_MODULES = 'A pair of a batch is two compiled modules of Lean (`.olean`)';
const NOT_OF_LEAN =
  'A batch is for Lean; of other provers a target and its submissions are judged by their names (`gate_verify`).';

function isModule(path: string): boolean {
  return path.endsWith('.olean');
}

function pairsOfFolder(folder: string): PairToJudge[] {
  const target = join(folder, 'Target.olean');
  if (!existsSync(target)) return [];
  return readdirSync(folder)
    .sort()
    .filter((name) => name.endsWith('.olean') && name !== 'Target.olean')
    .map((name) => ({ target, submission: join(folder, name) }));
}

function parsePair(text: string): PairToJudge | undefined {
  if (text.startsWith('{')) {
    const value = parsedJson(text);
    if (!isRecord(value)) return undefined;
    const { target, submission } = value;
    return typeof target === 'string' && typeof submission === 'string' ? { target, submission } : undefined;
  }
  const [target, submission, ...more] = text.includes('\t') ? text.split('\t') : text.split(/\s+/);
  return target !== undefined && submission !== undefined && more.length === 0
    ? { target, submission }
    : undefined;
}

export interface BatchSettings {
  readonly policy: LeanPolicy;
  readonly jobs: number;
  /** Where answers are kept. */
  readonly log: string;
  readonly signal?: AbortSignal;
}

/** Judges all pairs; `told` gets each answer when it is known, those of the log first. */
export async function judgeBatch(
  pairs: readonly PairToJudge[],
  settings: BatchSettings,
  told: (entry: BatchEntry, isFromLog: boolean) => void,
): Promise<void> {
  const known = readLog(settings.log);
  const pending: (PairToJudge & { readonly key: string })[] = [];
  for (const pair of pairs) {
    const key = pairKey(pair, settings.policy);
    const entry = known.get(key);
    if (entry === undefined) pending.push({ ...pair, key });
    else told({ ...entry, ...pair }, true);
  }
  const isStopped = (): boolean => settings.signal?.aborted ?? false;
  const work = async (): Promise<void> => {
    const worker = new JudgeThread(settings.policy);
    try {
      for (let pair = pending.shift(); pair !== undefined; pair = pending.shift()) {
        if (isStopped()) return;
        const entry = { ...pair, verdict: await worker.judge(pair, settings.signal) };
        if (isStopped()) return;
        appendFileSync(settings.log, `${JSON.stringify(entry)}\n`);
        told(entry, false);
      }
    } finally {
      await worker.end();
    }
  };
  await Promise.all(Array.from({ length: Math.min(settings.jobs, pending.length) }, work));
}

/** A deep stack for deep terms (deep-stack.ts), and memory for one pair. */
const RESOURCE_LIMITS = { stackSizeMb: 900, maxOldGenerationSizeMb: 4096 };

/** A thread that judges one pair after the other. One that dies is replaced, and its pair is `unknown`. */
class JudgeThread {
  readonly #policy: LeanPolicy;
  #worker: Worker | undefined;

  constructor(policy: LeanPolicy) {
    this.#policy = policy;
  }

  judge(pair: PairToJudge, signal: AbortSignal | undefined): Promise<Verdict> {
    // The worker's file is compiled like this one.
    const file = new URL(`./batch-worker${extname(import.meta.url)}`, import.meta.url);
    const worker = (this.#worker ??= new Worker(file, { execArgv: [], resourceLimits: RESOURCE_LIMITS }));
    return new Promise((resolvePair) => {
      const finish = (verdict: Verdict): void => {
        worker.removeAllListeners();
        signal?.removeEventListener('abort', stop);
        resolvePair(verdict);
      };
      const fail = (message: string): void => {
        this.#worker = undefined;
        finish({ kind: 'unknown', reason: 'internal', message });
      };
      const stop = (): void => {
        void worker.terminate();
      };
      signal?.addEventListener('abort', stop, { once: true });
      worker.once('message', finish);
      worker.once('error', (error) => fail(`The judge failed: ${errorText(error)}`));
      worker.once('exit', () => fail('The judge ended before it answered.'));
      worker.postMessage({
        pair: { target: pair.target, submission: pair.submission },
        policy: this.#policy,
      });
    });
  }

  async end(): Promise<void> {
    await this.#worker?.terminate();
  }
}

function pairKey(pair: PairToJudge, policy: LeanPolicy): string {
  const hash = createHash('sha256').update(JSON.stringify(policy));
  for (const path of [pair.target, pair.submission]) {
    for (const part of ['', ...FURTHER_PARTS]) {
      hash.update(`\0${part}\0`);
      if (existsSync(path + part)) hash.update(readRegularFileSync(path + part, LARGEST_WRITTEN_BYTES));
    }
  }
  return hash.digest('hex');
}

/** A last line that was cut short is left out. */
function readLog(path: string): Map<string, BatchEntry> {
  const entries = new Map<string, BatchEntry>();
  if (!existsSync(path)) return entries;
  for (const line of readRegularFileSync(path, LARGEST_WRITTEN_BYTES).toString('utf8').split('\n')) {
    try {
      const entry = JSON.parse(line) as BatchEntry;
      // What could not be judged is tried again: a library may have been installed since.
      if (entry.verdict.kind !== 'unknown') entries.set(entry.key, entry);
    } catch {
      continue;
    }
  }
  return entries;
}
