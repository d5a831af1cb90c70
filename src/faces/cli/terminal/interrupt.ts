/**
 * Ctrl+C: the first one asks the work to stop, so that what was found is still printed; the second one ends Quod at
 * once. SIGTERM and SIGHUP count as the first. Provers end with Quod in any case: they watch for its death. Behind the work
 * Quod is about to end: one that comes then has it end at once, with the exit code of every other.
 */
export interface Interrupt {
  readonly signal: AbortSignal;
  readonly stop: () => void;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export interface Interruption {
  /** What the first signal says about how the work ends; default: nothing. */
  readonly told?: string;
  /** Whether the work ends, too, when nobody reads what it prints any more; what is short goes on to its exit code. */
  readonly withReader?: boolean;
  /** What is left to be done and said when the second signal comes; nothing of it may wait for anything. */
  readonly atOnce?: () => void;
}

function endNow(): never {
  process.exit(130);
}

export function listenForInterrupt({ told, withReader = false, atOnce }: Interruption = {}): Interrupt {
  const controller = new AbortController();
  const onOutput = (): void => controller.abort();
  if (withReader) process.stdout.on('error', onOutput);
  const onSignal = (): void => {
    if (controller.signal.aborted) {
      try {
        atOnce?.();
      } finally {
        endNow();
      }
    }
    controller.abort();
    if (told !== undefined) console.error(told);
  };
  for (const name of SIGNALS) process.on(name, onSignal).off(name, endNow);
  return {
    signal: controller.signal,
    stop: () => {
      process.stdout.off('error', onOutput);
      for (const name of SIGNALS) {
        if (process.listeners(name).every((one) => one === onSignal)) process.on(name, endNow);
        process.off(name, onSignal);
      }
    },
  };
}
