/**
 * Runs of the agent that this process started. Each is a Quod of its own, with its own provers and keys, so that a run
 * neither slows nor ends the server; it ends with the server, and its log can be gone on with. Whoever asked for it may
 * go away meanwhile: runs belong to nobody.
 */
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { QuodError } from '../../core/errors.ts';
import { REASON_CODES, type ReasonCode } from '../../core/reason.ts';
import { parsedJson } from '../../core/json.ts';
import { GuardedChild } from '../../process/guarded-child.ts';
import type { Service } from '../definition/services.ts';

/** This very Quod: its sources while it is developed, else its build. */
const PROGRAM = fileURLToPath(new URL(`../../faces/cli/start${extname(import.meta.url)}`, import.meta.url));

/** Milliseconds in which a run that is told to stop records what it has. */
const STOPPING_MS = 15_000;
/** The same when the server itself ends. */
const ENDING_MS = 2000;

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

export class LiveRuns implements Service {
  readonly #children = new Map<string, GuardedChild>();

  /**
   * Starts a run, or goes on with one, and answers its name when its log is open.
   * @param commandLine `agent` or `resume` with what they take, but how the run is told of.
   * @throws QuodError whatever the run could not begin for.
   */
  async start(folder: string, commandLine: readonly string[]): Promise<string> {
    const [command = '', ...rest] = commandLine;
    const child = await GuardedChild.start(
      process.execPath,
      [PROGRAM, command, '--json', '--steered', ...rest],
      // It is Quod itself, which needs the keys.
      { folder, environment: process.env },
    );
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
    if (name === undefined) {
      const { errorOutput } = await child.exited;
      throw failure ?? new QuodError('invalid-input', refusalIn(errorOutput));
    }
    this.#children.set(name, child);
    void child.exited.then(() => {
      if (this.#children.get(name) === child) this.#children.delete(name);
    });
    return name;
  }

  /** Whether this process can stop the run and hand messages on to it. */
  has(name: string): boolean {
    return this.#children.has(name);
  }

  /** @returns false when the run is not one of this process. */
  say(name: string, text: string): boolean {
    const child = this.#children.get(name);
    if (child === undefined || child.ended) return false;
    child.input.write(`${JSON.stringify({ say: text })}\n`);
    return true;
  }

  /** Stops a run and waits until what it has is recorded. @returns false when the run is not one of this process. */
  async stop(name: string): Promise<boolean> {
    const child = this.#children.get(name);
    if (child === undefined) return false;
    await ended(child, STOPPING_MS);
    return true;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#children.values()].map((child) => ended(child, ENDING_MS)));
  }
}

/** Why no run began, of what was said before anything was told as JSON: the refusal of a command line, or all of it. */
function refusalIn(errorOutput: string): string {
  const said = /^error: (.+)/mu.exec(errorOutput)?.[1] ?? errorOutput.trim();
  return `The run did not begin${said === '' ? '.' : `: ${said}`}`;
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
