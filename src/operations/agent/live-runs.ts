/**
 * Runs of the agent that this process started. Each is a Quod of its own, with its own provers and keys, so that a run
 * neither slows nor ends the server. It ends with the server, its log has an end by then, and it can be gone on with.
 * Whoever asked for it may go away meanwhile: runs belong to nobody. A run asks no model and writes nothing before its
 * name is answered, so that none works of which nobody knows, because its start was cancelled.
 */
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { aborted } from '../../core/concurrency/aborted.ts';
import { QuodError } from '../../core/errors.ts';
import { REASON_CODES, type ReasonCode } from '../../core/reason.ts';
import { parsedJson } from '../../core/json.ts';
import { runsFolder } from '../../agent/runs/run-log.ts';
import { GuardedChild } from '../../process/guarded-child.ts';
import type { Service } from '../definition/services.ts';
import { recordStopped } from './stopped-run.ts';

/** This very Quod: its sources while it is developed, else its build. */
const PROGRAM = fileURLToPath(new URL(`../../faces/cli/start${extname(import.meta.url)}`, import.meta.url));

/** Milliseconds in which a run that is told to stop records what it has. */
const STOPPING_MS = 15_000;
/** The same when the server itself ends; what stops servers waits for 10 seconds and more. */
const ENDING_MS = 5000;

const REASONS = Object.keys(REASON_CODES) as [ReasonCode, ...ReasonCode[]];

const runLine = z.object({ run: z.string() });
const errorLine = z.object({
  error: z.object({
    reason: z.enum(REASONS),
    message: z.string(),
    remedy: z.string().optional(),
    file: z.string().optional(),
  }),
});

interface RunAtWork {
  readonly child: GuardedChild;
  /** The folder of its log. */
  readonly runs: string;
}

export class LiveRuns implements Service {
  readonly #children = new Map<string, RunAtWork>();
  /** Ends those that nobody has the name of yet. */
  readonly #closing = new AbortController();
  readonly #starting = new Set<Promise<unknown>>();

  /**
   * Starts a run, or goes on with one, and answers its name when its log is open.
   * @param commandLine `agent` or `resume` with what they take, but how the run is told of.
   * @param signal Of the call: aborted, the run has begun nothing, and is stopped.
   * @throws QuodError `interrupted`, and whatever the run could not begin for.
   */
  async start(folder: string, commandLine: readonly string[], signal: AbortSignal): Promise<string> {
    const starting = this.#start(folder, commandLine, AbortSignal.any([signal, this.#closing.signal]));
    this.#starting.add(starting);
    try {
      return await starting;
    } finally {
      this.#starting.delete(starting);
    }
  }

  async #start(folder: string, commandLine: readonly string[], signal: AbortSignal): Promise<string> {
    const isCancelled = (): boolean => signal.aborted;
    if (isCancelled()) throw takenBack();
    const [command = '', ...rest] = commandLine;
    const child = await GuardedChild.start(
      process.execPath,
      [PROGRAM, command, '--json', '--held', ...rest],
      // It is Quod itself, which needs the keys.
      { folder, environment: process.env },
    );
    const naming = nameOf(child);
    const name = await Promise.race([naming, aborted(signal)]);
    // Told and cancelled at once: nobody gets the name.
    if (name === true || isCancelled()) {
      await ended(child, this.#closing.signal.aborted ? ENDING_MS : STOPPING_MS);
      // The process is gone: it has told its name by now, or never does.
      const told = await naming.catch(() => undefined);
      if (told !== undefined) recordStopped(runsFolder(folder), told);
      throw takenBack();
    }
    child.input.write(`${JSON.stringify({ begin: true })}\n`);
    this.#children.set(name, { child, runs: runsFolder(folder) });
    void child.exited.then(() => {
      if (this.#children.get(name)?.child === child) this.#children.delete(name);
    });
    return name;
  }

  /** Whether this process can stop the run and hand messages on to it. */
  has(name: string): boolean {
    return this.#children.has(name);
  }

  /** @returns false when the run is not one of this process. */
  say(name: string, text: string): boolean {
    const child = this.#children.get(name)?.child;
    if (child === undefined || child.ended) return false;
    child.input.write(`${JSON.stringify({ say: text })}\n`);
    return true;
  }

  /** Stops a run and waits until what it has is recorded. @returns false when the run is not one of this process. */
  async stop(name: string): Promise<boolean> {
    const run = this.#children.get(name);
    if (run === undefined) return false;
    await stopped(name, run, STOPPING_MS);
    return true;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.allSettled(this.#starting);
    await Promise.all([...this.#children].map(([name, run]) => stopped(name, run, ENDING_MS)));
  }
}

/** What a run calls itself, as soon as its log is open. @throws QuodError why it did not begin. */
async function nameOf(child: GuardedChild): Promise<string> {
  const lines = createInterface({ input: child.output });
  let failure: QuodError | undefined;
  const name = await new Promise<string | undefined>((resolve) => {
    lines.on('line', (line) => {
      const value = parsedJson(line);
      const run = runLine.safeParse(value);
      const error = errorLine.safeParse(value);
      if (error.success) failure ??= errorOf(error.data.error);
      if (run.success) resolve(run.data.run);
    });
    lines.on('close', () => resolve(undefined));
  });
  if (name !== undefined) return name;
  const { errorOutput } = await child.exited;
  throw failure ?? new QuodError('invalid-input', refusalIn(errorOutput));
}

function takenBack(): QuodError {
  return new QuodError('interrupted', 'The call was cancelled before the run had begun anything.');
}

/** Why no run began, of what was said before anything was told as JSON: the refusal of a command line, or all of it. */
function refusalIn(errorOutput: string): string {
  const said = /^error: (.+)/mu.exec(errorOutput)?.[1] ?? errorOutput.trim();
  return `The run did not begin${said === '' ? '.' : `: ${said}`}`;
}

/** Stops a run; it has an end in its log afterwards, whoever wrote it. */
async function stopped(name: string, { child, runs }: RunAtWork, patienceMs: number): Promise<void> {
  await ended(child, patienceMs);
  recordStopped(runs, name);
}

async function ended(child: GuardedChild, patienceMs: number): Promise<void> {
  child.interrupt();
  const late = new AbortController();
  await Promise.race([
    child.exited,
    delay(patienceMs, undefined, { signal: late.signal }).catch(() => undefined),
  ]);
  late.abort();
  await child.kill();
}

function errorOf({ reason, message, remedy, file }: z.output<typeof errorLine>['error']): QuodError {
  return new QuodError(reason, message, {
    ...(remedy !== undefined && { remedy }),
    ...(file !== undefined && { place: { file } }),
  });
}

export function liveRuns(): LiveRuns {
  return new LiveRuns();
}
