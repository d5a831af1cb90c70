/**
 * What ends a turn of another agent before the agent does: a limit of the run, its user, a context that is long enough, an
 * output that cannot be read. The first reason counts.
 */
import { timerDelay } from '../../core/duration.ts';
import { QuodError, errorText } from '../../core/errors.ts';
import type { GuardedChild } from '../../process/guarded-child.ts';
import type { RunContext } from '../workflow/run-context.ts';

export class TurnStop {
  readonly #child: Pick<GuardedChild, 'kill'>;
  readonly #signal: AbortSignal;
  readonly #clock: NodeJS.Timeout | undefined;
  readonly #onAbort = (): void => this.stop(new QuodError('interrupted', 'The run was stopped.'));
  #reason: Error | 'handoff' | undefined;

  constructor(child: Pick<GuardedChild, 'kill'>, { budget, signal }: Pick<RunContext, 'budget' | 'signal'>) {
    this.#child = child;
    this.#signal = signal;
    const { timeLeft } = budget;
    if (timeLeft !== undefined)
      this.#clock = setTimeout(() => this.within(() => budget.requireTime()), timerDelay(timeLeft + 1));
    signal.addEventListener('abort', this.#onAbort, { once: true });
    if (signal.aborted) this.#onAbort();
  }

  get reason(): Error | 'handoff' | undefined {
    return this.#reason;
  }

  stop(reason: Error | 'handoff'): void {
    this.#reason ??= reason;
    void this.#child.kill();
  }

  /** @param take Throws where a budget is used up. */
  within(take: () => void): void {
    try {
      take();
    } catch (error) {
      this.stop(error instanceof Error ? error : new Error(errorText(error)));
    }
  }

  close(): void {
    this.#signal.removeEventListener('abort', this.#onAbort);
    clearTimeout(this.#clock);
  }
}
