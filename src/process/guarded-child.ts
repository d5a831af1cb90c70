/**
 * Starts a program so that nothing of it outlives Quod, however Quod ends.
 *
 * The child leads a session of its own. Before it becomes the program, the launching shell leaves a guardian behind in
 * that session, which reads from a pipe whose other end only Quod holds: when Quod dies, by `kill -9` too, the read
 * ends and the guardian kills every process of the session. The same happens when the program itself ends, so helpers
 * that it forked do not stay. A process that starts yet another session escapes; no prover does.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { Duplex, Readable, Writable } from 'node:stream';
import { QuodError, errorText } from '../core/errors.ts';
import { coveringInherited } from './inherited-files.ts';
import { LARGE_PAGES } from './rights/large-pages.ts';
import { watchMemory } from './memory-watch.ts';
import { proverEnvironment } from './rights/child-environment.ts';
import { startingNothing } from './rights/single-process.ts';
import { type ProcessEntry, processesOfSession, signalQuietly } from './process-table.ts';

export interface ChildExit {
  /** Null when a signal ended the program. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The last few kilobytes of what it wrote to standard error. */
  readonly errorOutput: string;
  /** True when it was killed for holding more than its memory limit. */
  readonly memoryExceeded: boolean;
}

/** How a program ended, as it is told: a signal is no code. */
export function exitText({ code, signal }: Pick<ChildExit, 'code' | 'signal'>): string {
  return signal === null ? `ended with code ${code}` : `was ended by ${signal}`;
}

export interface ChildOptions {
  readonly folder?: string;
  /** Default: what of Quod's own provers and build tools need (`child-environment.ts`). */
  readonly environment?: NodeJS.ProcessEnv;
  /** Resident bytes, of the program and its descendants together, at which all of it is killed. */
  readonly memoryLimit?: number;
  /** Whether it may start other programs; where it may not, the attempt fails. Default yes. */
  readonly startsPrograms?: boolean;
  /**
   * Milliseconds after its end for which its output is read, which a process that escaped may hold open; reading it
   * fails then. Default: until nobody holds it open.
   */
  readonly outputAfterEndMs?: number;
  /** Whether it, and what it starts, has the processor only after others. */
  readonly givesWay?: boolean;
}

/**
 * `$$` stays the number of the launching shell, which `exec` hands to the program: it names process, group and session.
 * The guardian must not hold the program's pipes, or their ends would never be seen. It tells its own number first, and
 * must not die of it when Quod is gone already. It looks through /proc until nobody else is left, since what it
 * kills may have forked a moment before, perhaps into a group of its own; where there is no /proc, killing the
 * group must do.
 */
export const LAUNCHER = `
( trap '' INT TERM HUP PIPE
  read -r self _ </proc/self/stat && echo "$self" >&3
  read -r _ <&3
  found=yes
  while [ "$found" ]; do
    found=
    for stat in /proc/[0-9]*/stat; do
      read -r line <"$stat" || continue
      pid=\${line%% *}
      set -- \${line##*) }
      if [ "$4" = "$$" ] && [ "$1" != Z ] && [ "$pid" != "$self" ]; then
        found=yes
        kill -s KILL "$pid"
      fi
    done
  done
  kill -s KILL -- "-$$"
) </dev/null >/dev/null 2>&1 &
exec "$@" 3<&-
`;

/** For each number from 4 on: it need not be open, but what is there would be Quod's own. */
const covered = coveringInherited();

const ERROR_OUTPUT_KEPT = 8192;
const PRINTED_KEPT = 1_000_000;
/** How often, and after what pauses, `kill` looks whether everything is gone. */
const GOING_LOOKS = 100;
const GOING_PAUSE_MS = 10;
/** How long `kill` waits for the end of the output, which a process that escaped may hold open. */
const OUTPUT_LEFT_MS = 1000;

export class GuardedChild {
  readonly #child: LaunchedProcess;
  readonly #stopWatching: () => void;
  /** Process, group and session number in one. */
  readonly pid: number;
  /** Settles when the program has ended and its output was read to the end; never rejects. */
  readonly exited: Promise<ChildExit>;
  /** Settles when the guardian is at its post, or will never be. */
  readonly #guarded: Promise<void>;
  #guardian: number | undefined;
  #errorOutput = '';
  #ended = false;
  #memoryExceeded = false;

  /** @throws QuodError `prover-missing` when the program cannot be started. */
  static async start(
    program: string,
    programArguments: readonly string[],
    options: ChildOptions = {},
  ): Promise<GuardedChild> {
    const prefix = options.startsPrograms === false ? startingNothing('refuse') : [];
    const child = spawn('/bin/sh', ['-c', LAUNCHER, 'sh', ...prefix, program, ...programArguments], {
      detached: true,
      // Node hands on files that it inherited: in the place of each the child gets the null device.
      stdio: ['pipe', 'pipe', 'pipe', 'pipe', ...covered],
      cwd: options.folder,
      env: options.environment ?? { ...LARGE_PAGES, ...proverEnvironment() },
      // Three pipes were asked for.
    }) as LaunchedProcess;
    try {
      await once(child, 'spawn');
    } catch (error) {
      const { folder } = options;
      // The system says the same, ENOENT, of a folder that is not there as of a program.
      if (folder !== undefined && statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
        throw new QuodError('not-found', 'There is no such folder to work in.', {
          place: { file: folder },
          remedy: 'Make the folder, or name another one.',
          cause: error,
        });
      throw new QuodError('prover-missing', `Could not start ${program}: ${errorText(error)}`, {
        cause: error,
      });
    }
    if (child.pid === undefined) throw new QuodError('internal', `No process number for ${program}.`);
    if (options.givesWay === true) giveWay(child.pid);
    return new GuardedChild(child, child.pid, options);
  }

  private constructor(child: LaunchedProcess, pid: number, { memoryLimit, outputAfterEndMs }: ChildOptions) {
    this.#child = child;
    this.pid = pid;
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#errorOutput = (this.#errorOutput + text).slice(-ERROR_OUTPUT_KEPT);
    });
    // Writing to a program that has just died is not news: `exited` tells.
    child.stdin.on('error', () => {});
    this.#guardianPipe.on('error', () => {});
    this.#guarded = new Promise((resolve) => {
      this.#guardianPipe.once('data', (number) => {
        this.#guardian = Number(String(number));
        resolve();
      });
      this.#guardianPipe.once('close', () => resolve());
    });
    this.#stopWatching =
      memoryLimit === undefined ? () => {} : watchMemory(pid, memoryLimit, () => this.#endForMemory());
    child.once('exit', () => {
      this.#programEnded();
      if (outputAfterEndMs === undefined) return;
      const cut = setTimeout(() => this.#cutOutput(), outputAfterEndMs);
      child.once('close', () => clearTimeout(cut));
    });
    this.exited = new Promise((resolve) => {
      child.once('close', (code, signal) =>
        resolve({ code, signal, errorOutput: this.#errorOutput, memoryExceeded: this.#memoryExceeded }),
      );
    });
  }

  get input(): Writable {
    return this.#child.stdin;
  }

  get output(): Readable {
    return this.#child.stdout;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** A signal that asks the program, and it alone, to stop what it does. */
  interrupt(signal: NodeJS.Signals = 'SIGINT'): void {
    if (!this.#ended) signalQuietly(this.pid, signal);
  }

  /** Kills what the program forked; the program goes on. */
  async killHelpers(): Promise<void> {
    await this.#guarded;
    if (this.#ended || this.#guardian === undefined) return;
    for (const { pid } of this.#others()) signalQuietly(pid, 'SIGKILL');
  }

  /** Tells it nothing, and waits for its end. Of very long output the beginning is kept. */
  async readToEnd(): Promise<ChildExit & { readonly printed: string }> {
    this.input.end();
    let printed = '';
    this.output.setEncoding('utf8').on('data', (part: string) => {
      if (printed.length < PRINTED_KEPT) printed += part;
    });
    return { ...(await this.exited), printed };
  }

  /** Kills the program and everything it started, and waits until all of it is gone. Idempotent. */
  async kill(): Promise<ChildExit> {
    this.#killSession();
    // Output that nobody reads would keep `exited` from settling.
    this.output.resume();
    const cut = setTimeout(() => this.#cutOutput(), OUTPUT_LEFT_MS);
    const exit = await this.exited;
    clearTimeout(cut);
    // A process that cannot die at once (it waits for a disk) is not waited for longer.
    for (let look = 0; look < GOING_LOOKS && processesOfSession(this.pid).length > 0; look += 1) {
      await delay(GOING_PAUSE_MS);
    }
    return exit;
  }

  #cutOutput(): void {
    this.output.destroy();
    this.#child.stderr.destroy();
  }

  get #guardianPipe(): Duplex {
    return this.#child.stdio[3] as Duplex;
  }

  #endForMemory(): void {
    this.#memoryExceeded = true;
    this.#killSession();
  }

  #programEnded(): void {
    if (this.#guardian !== undefined && this.#others().length === 0) {
      // Nobody is left who could fork. The guardian's own look through all processes takes longer than many a program.
      signalQuietly(-this.pid, 'SIGKILL');
      this.#guardianPipe.destroy();
    } else this.#killSession();
    this.#ended = true;
    this.#stopWatching();
  }

  /** Kills what is there now and leaves the rest to the guardian. */
  #killSession(): void {
    if (this.#ended) return;
    // A guardian that has not told its number yet could not be told from a helper. Killed with them it could not kill
    // what they fork in this moment; left alone it kills all of them, since its pipe ends here.
    const others = this.#guardian === undefined ? [] : this.#others();
    // The program first: one that waits for the others would end by itself, as if all had gone well.
    for (const pid of [this.pid, ...others.map((other) => other.pid)]) signalQuietly(pid, 'SIGKILL');
    this.#guardianPipe.destroy();
  }

  /** Everything in the session but the program and its guardian. */
  #others(): readonly ProcessEntry[] {
    return processesOfSession(this.pid).filter(({ pid }) => pid !== this.pid && pid !== this.#guardian);
  }
}

type LaunchedProcess = ChildProcessByStdio<Writable, Readable, Readable>;

/** A third of what others get. With less it would not come to its end on a machine that others use all the time. */
const NICENESS = 5;

function giveWay(pid: number): void {
  try {
    setPriority(pid, NICENESS);
    // Where Linux shares the processor between sessions first, this is what counts.
    writeFileSync(`/proc/${pid}/autogroup`, String(NICENESS));
  } catch {
    // It ended already, or the system knows no such thing.
  }
}
