/** How much a program in the sandbox may take, and by which of its limits it was ended. */
import { readFileSync } from 'node:fs';

export interface SandboxLimits {
  /** Milliseconds on the clock. */
  readonly timeoutMs: number;
  /** Resident bytes of all processes together. */
  readonly memoryBytes: number;
  /** Milliseconds in which nothing may run: all processes wait or are stopped. Default one minute. */
  readonly idleMs?: number;
  /** Seconds of processor time of each process. Default: the time on the clock. */
  readonly processorSeconds?: number;
  /** Processes at one time. Default 64. */
  readonly processes?: number;
  /** Whether it may start other programs; one that tries and may not is ended. Only where there is Perl. Default yes. */
  readonly startsPrograms?: boolean;
  /** Bytes of all files that are written. Default 1 GiB. */
  readonly diskBytes?: number;
  /** Bytes printed, on both streams together. Default 16 MiB. */
  readonly outputBytes?: number;
  /** Nobody waits for it yet: other work goes before its own where there are too few processors. */
  readonly givesWay?: boolean;
}

export type SandboxStop = 'timeout' | 'memory' | 'processes' | 'output' | 'interrupted';

/** What a shell tells of a program that the kernel ended, by SIGXCPU and SIGXFSZ, and by SIGKILL at a hard limit. */
export const PROCESSOR_TIME_OVER = 128 + 24;
export const FILE_TOO_LARGE = 128 + 25;
export const KILLED = 128 + 9;

/**
 * The limit on a process that whoever started Quod set, as a person sets it, where it is lower than what was asked for and may be
 * why a program ended as it did: it is inherited, and cannot be raised again. Undefined where there is none, or nobody can say.
 */
export function inheritedLimit(
  { code, isDiskFull }: { readonly code: number | undefined; readonly isDiskFull: boolean },
  asked: { readonly processorSeconds: number; readonly largestFileBytes: number },
): string | undefined {
  if (isDiskFull) {
    const bytes = hardLimit('Max file size');
    if (bytes < asked.largestFileBytes) return `${bytes} bytes a file (\`ulimit -f\`)`;
  }
  if (code === PROCESSOR_TIME_OVER || code === KILLED) {
    const seconds = hardLimit('Max cpu time');
    if (seconds < asked.processorSeconds) return `${seconds} s of processor time (\`ulimit -t\`)`;
  }
  return undefined;
}

/** @param name as /proc/self/limits has it. */
function hardLimit(name: string): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    return Number(new RegExp(`^${name} +\\S+ +(\\d+) `, 'mu').exec(limits)?.[1] ?? Infinity);
  } catch {
    return Infinity;
  }
}
