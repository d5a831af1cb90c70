/**
 * Ends work that took too long or was cancelled: first by asking, then by killing. A stopped process (SIGSTOP) does not
 * hear the question, so it is found out by the grace period.
 */
import { orZero } from '../core/entry.ts';

export interface Stoppable {
  /** Asks the work to stop; it may refuse. */
  interrupt(): void;
  /** Ends the work for certain. */
  kill(): Promise<void>;
}

export interface Limits {
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Work that may be spent, and how much was until now, in the same unit from any start. */
  readonly work?: { readonly limit: number; readonly spent: () => number } | undefined;
  /** Milliseconds that the work has to obey before it is killed. Default one second. */
  readonly graceMs?: number | undefined;
}

export type StopReason = 'timeout' | 'interrupted';

export interface Bounded<Answer> {
  readonly answer: Answer;
  /** Why the work was asked to stop. It may have finished all the same: the answer tells. */
  readonly stopped: StopReason | undefined;
}

const GRACE_MS = 1000;
/** How often it is looked at what work was spent. */
const LOOK_EVERY_MS = 20;
/** Some code catches one interrupt; few catch two. */
const ASK_AGAIN_MS = 300;

/** The answer of `work`, which settles once it was interrupted or killed. */
export async function underLimits<Answer>(
  target: Stoppable,
  { timeoutMs, signal, work: allowed, graceMs = GRACE_MS }: Limits,
  work: () => Promise<Answer>,
): Promise<Bounded<Answer>> {
  let stopped: StopReason | undefined;
  const timers: NodeJS.Timeout[] = [];
  const stop = (reason: StopReason): void => {
    if (stopped !== undefined) return;
    stopped = reason;
    target.interrupt();
    timers.push(
      setTimeout(() => target.interrupt(), ASK_AGAIN_MS),
      setTimeout(() => void target.kill(), graceMs),
    );
  };
  const cancel = (): void => stop('interrupted');
  if (timeoutMs !== undefined) timers.push(setTimeout(() => stop('timeout'), Math.max(0, timeoutMs)));
  const spentBefore = orZero(allowed?.spent());
  const isSpent = (): boolean => allowed !== undefined && allowed.spent() - spentBefore > allowed.limit;
  if (allowed !== undefined) timers.push(setInterval(() => isSpent() && stop('timeout'), LOOK_EVERY_MS));
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    const running = work();
    if (signal?.aborted === true) cancel();
    const answer = await running;
    // It may have come to an end between two looks; what is too much must not depend on when it was looked at.
    return { answer, stopped: stopped ?? (isSpent() ? 'timeout' : undefined) };
  } finally {
    for (const timer of timers) clearTimeout(timer);
    signal?.removeEventListener('abort', cancel);
  }
}
