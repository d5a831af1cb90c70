/**
 * A child under all limits that must be watched from outside: time, time without work, memory, processes, printed
 * bytes.
 *
 * Time without work: a process that waits for a pipe that nobody fills, or that was stopped, uses no processor. When
 * nothing in the sandbox has run for the limit, all of it is ended, and `stalled` tells what the processes were
 * doing. Time in which the machine itself slept is not counted.
 */
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { appendAll } from '../core/lists/many.ts';
import { GuardedChild } from './guarded-child.ts';
import { countDescendants, descendantsOf, processorTicks, readProcess } from './process-table.ts';
import { incident, type Incident } from './sandbox-facts.ts';
import type { SandboxLimits, SandboxStop } from './sandbox-limits.ts';

export interface WatchedEnd {
  readonly stopped: SandboxStop | undefined;
  readonly stalled: string | undefined;
  readonly printed: Buffer;
  /** The last of what the sandbox itself said to standard error. */
  readonly said: string;
  readonly incidents: readonly Incident[];
  readonly elapsedMs: number;
}

export interface WatchSettings {
  readonly limits: SandboxLimits;
  readonly signal?: AbortSignal;
  readonly environment: NodeJS.ProcessEnv;
  /** What its standard input says first. */
  readonly input: Buffer;
  /** What it says when that is known; until then waiting for it is no idleness. It fails when it will never be. */
  readonly moreInput?: Promise<Buffer>;
  readonly mostPrinted: number;
  /** What the sandbox starts besides the program. */
  readonly ownProcesses: number;
  /** Called when the script tells that the program has ended; afterwards the script goes on. */
  readonly onEnded?: (watched: { readonly pid: number }) => readonly Incident[];
}

export const DEFAULT_PROCESSES = 64;
const DEFAULT_IDLE_MS = 60_000;
const HAS_ENDED = /^code \d+\n/m;
const MOST_PARTS = 100;
const LOOK_EVERY_MS = 50;
const LOOK_FOR_WORK_EVERY_MS = 500;

export class Watched {
  readonly #child: GuardedChild;
  readonly #settings: WatchSettings;
  readonly #started = performance.now();
  readonly #parts: Buffer[] = [];
  readonly #incidents: Incident[] = [];
  #size = 0;
  #hasTold = false;
  #waitsForInput: boolean;
  #stopped: SandboxStop | undefined;
  #stalled: string | undefined;

  static async start(command: readonly [string, ...string[]], settings: WatchSettings): Promise<Watched> {
    const [program, ...programArguments] = command;
    const child = await GuardedChild.start(program, programArguments, {
      memoryLimit: settings.limits.memoryBytes,
      ...(settings.limits.givesWay !== undefined && { givesWay: settings.limits.givesWay }),
      environment: settings.environment,
    });
    return new Watched(child, settings);
  }

  private constructor(child: GuardedChild, settings: WatchSettings) {
    this.#child = child;
    this.#settings = settings;
    child.input.write(settings.input);
    this.#waitsForInput = settings.moreInput !== undefined;
    settings.moreInput?.then(
      (input) => {
        this.#waitsForInput = false;
        child.input.write(input);
      },
      () => this.#stop('interrupted'),
    );
    if (settings.onEnded === undefined) child.input.end();
    child.output.on('data', (part: Buffer) => this.#take(part));
  }

  async end(): Promise<WatchedEnd> {
    const { limits, signal } = this.#settings;
    const timer = setTimeout(() => this.#stop('timeout'), limits.timeoutMs);
    const look = setInterval(() => this.#look(), LOOK_EVERY_MS);
    const atWork = this.#watchWork();
    const cancel = (): void => this.#stop('interrupted');
    signal?.addEventListener('abort', cancel, { once: true });
    if (signal?.aborted === true) cancel();
    const exit = await this.#child.exited;
    clearTimeout(timer);
    clearInterval(look);
    clearInterval(atWork);
    signal?.removeEventListener('abort', cancel);
    return {
      stopped: this.#stopped ?? (exit.memoryExceeded ? 'memory' : undefined),
      stalled: this.#stalled,
      printed: Buffer.concat(this.#parts),
      said: exit.errorOutput.trim(),
      incidents: this.#incidents,
      elapsedMs: Math.round(performance.now() - this.#started),
    };
  }

  #take(part: Buffer): void {
    this.#size += part.length;
    if (this.#size > this.#settings.mostPrinted) {
      this.#stop('output', incident('disk', 'more than can be handed out'));
      return;
    }
    this.#parts.push(part);
    const { onEnded } = this.#settings;
    if (this.#hasTold || onEnded === undefined || !HAS_ENDED.test(this.#beginning())) return;
    this.#hasTold = true;
    appendAll(this.#incidents, onEnded({ pid: this.#child.pid }));
    this.#child.input.end('\n');
  }

  /** All that the script prints until the program has ended is a few bytes. */
  #beginning(): string {
    return Buffer.concat(this.#parts.slice(0, MOST_PARTS)).toString('latin1', 0, 100);
  }

  #look(): void {
    const { limits, ownProcesses } = this.#settings;
    const most = limits.processes ?? DEFAULT_PROCESSES;
    const count = countDescendants(this.#child.pid) - ownProcesses;
    if (count > most) this.#stop('processes', incident('processes', `${count}, and it may have ${most}`));
  }

  #watchWork(): NodeJS.Timeout {
    const { idleMs = DEFAULT_IDLE_MS, memoryBytes } = this.#settings.limits;
    const every = Math.max(20, Math.min(LOOK_FOR_WORK_EVERY_MS, idleMs / 4));
    let idle = 0;
    let before = -1;
    return setInterval(() => {
      const processes = [this.#child.pid, ...descendantsOf(this.#child.pid)];
      if (memoryFilesOf(processes) > memoryBytes) this.#stop('memory');
      const ticks = processes.reduce((sum, pid) => sum + processorTicks(pid), 0);
      const isRunning = processes.some((pid) => readProcess(pid)?.state === 'R');
      idle = ticks === before && !isRunning && !this.#waitsForInput ? idle + every : 0;
      before = ticks;
      if (idle < idleMs) return;
      this.#stalled = whatTheyDo(processes, idleMs);
      this.#stop('timeout');
    }, every);
  }

  #stop(reason: SandboxStop, seen?: Incident): void {
    if (this.#stopped !== undefined) return;
    this.#stopped = reason;
    if (seen !== undefined) this.#incidents.push(seen);
    void this.#child.kill();
  }
}

/** `nothing ran for 60 s: sh (waiting), cat (stopped)` */
function whatTheyDo(processes: readonly number[], idleMs: number): string {
  const doing = processes.flatMap((pid) => {
    const entry = readProcess(pid);
    if (entry === undefined || entry.state === 'Z') return [];
    return [`${nameOf(pid)} (${entry.state === 'T' || entry.state === 't' ? 'stopped' : 'waiting'})`];
  });
  return `nothing ran for ${idleMs / 1000} s: ${doing.slice(-MOST_NAMED).join(', ')}`;
}

const MOST_NAMED = 6;

function nameOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    return String(pid);
  }
}

/**
 * Bytes of files in memory that have no name (`memfd_create`): they count nowhere else unless they are mapped. A
 * process that does not let its files be looked at counts nothing.
 */
function memoryFilesOf(processes: readonly number[]): number {
  const sizes = new Map<string, number>();
  for (const pid of processes) {
    for (const descriptor of entriesOf(`/proc/${pid}/fd`)) {
      const path = `/proc/${pid}/fd/${descriptor}`;
      try {
        if (!readlinkSync(path).startsWith('/memfd:')) continue;
        const { ino, blocks } = statSync(path);
        sizes.set(String(ino), blocks * BLOCK_BYTES);
      } catch {
        // It was closed meanwhile.
      }
    }
  }
  return [...sizes.values()].reduce((sum, size) => sum + size, 0);
}

const BLOCK_BYTES = 512;

function entriesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
