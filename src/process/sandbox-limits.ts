/** How much a program in the sandbox may take, and by which of its limits it was ended. */

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
