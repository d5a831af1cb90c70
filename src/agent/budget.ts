/**
 * What a run may spend. Calls of models may run at once only as long as all of them together cannot cost more than what
 * is left; when that is not sure they go one after the other, so that a run never exceeds its budget by more than
 * one call.
 */
import { counted } from '../core/counted.ts';
import { RUN_REMEDIES } from '../core/remedies/run-remedies.ts';
import { orZero } from '../core/entry.ts';
import { QuodError } from '../core/errors.ts';
import type { Settings } from './settings.ts';

export class BudgetExhausted extends QuodError {
  constructor(what: string) {
    super('budget-exhausted', `The budget of the run is used up: ${what}.`, {
      remedy: RUN_REMEDIES.largerBudget,
    });
  }
}

export interface BudgetSpent {
  readonly cost: number;
  readonly messages: number;
  readonly toolCalls: number;
  readonly elapsedMs: number;
}

export class Budget {
  readonly #limits: Pick<Settings, 'maxCost' | 'maxTime' | 'maxToolCalls' | 'maxMessages'>;
  readonly #startedAt = performance.now();
  readonly #elapsedBefore: number;
  #cost: number;
  #messages: number;
  #toolCalls: number;
  /** The most that the calls which are under way may still cost. */
  #reserved = 0;
  #inFlight = 0;
  #waiting: (() => void)[] = [];
  readonly #costUsed = new AbortController();

  constructor(
    limits: Budget['limits'],
    spent: BudgetSpent = { cost: 0, messages: 0, toolCalls: 0, elapsedMs: 0 },
  ) {
    this.#limits = limits;
    this.#cost = spent.cost;
    this.#messages = spent.messages;
    this.#toolCalls = spent.toolCalls;
    this.#elapsedBefore = spent.elapsedMs;
  }

  get limits(): Pick<Settings, 'maxCost' | 'maxTime' | 'maxToolCalls' | 'maxMessages'> {
    return this.#limits;
  }

  get spent(): BudgetSpent {
    return {
      cost: this.#cost,
      messages: this.#messages,
      toolCalls: this.#toolCalls,
      elapsedMs: this.#elapsedBefore + performance.now() - this.#startedAt,
    };
  }

  /** Milliseconds left; undefined without a limit. */
  get timeLeft(): number | undefined {
    const { maxTime } = this.#limits;
    return maxTime === null ? undefined : Math.max(0, maxTime * 1000 - this.spent.elapsedMs);
  }

  /** @throws BudgetExhausted when no time is left. */
  requireTime(): void {
    if (this.timeLeft === 0) throw this.timeOver();
  }

  /** What ends a run whose time is over, or will be before it can go on. @param why The latter. */
  timeOver(why = ''): BudgetExhausted {
    return new BudgetExhausted(`${this.#limits.maxTime} s${why}`);
  }

  /** US dollars left; undefined without a limit. */
  get costLeft(): number | undefined {
    const { maxCost } = this.#limits;
    return maxCost === null ? undefined : Math.max(0, maxCost - this.#cost);
  }

  get isCostUsed(): boolean {
    return this.costLeft === 0;
  }

  /** Aborted as soon as no money is left: answers that are under way are not read any further. */
  get costUsed(): AbortSignal {
    return this.#costUsed.signal;
  }

  /** @throws BudgetExhausted when no money is left. */
  requireCost(): void {
    const { maxCost } = this.#limits;
    if (maxCost !== null && this.#cost >= maxCost) throw new BudgetExhausted(`$${maxCost}`);
  }

  /** Counts a tool call that is about to be made. @throws BudgetExhausted. */
  takeToolCall(): void {
    this.requireTime();
    const { maxToolCalls } = this.#limits;
    if (maxToolCalls !== null && this.#toolCalls >= maxToolCalls) {
      throw new BudgetExhausted(counted(maxToolCalls, 'tool call'));
    }
    this.#toolCalls++;
  }

  /**
   * Makes a call of a model within the budget.
   * @param ready What is waited for before it begins; it may turn out that nobody needs it.
   * @param mostCostNow The most that it can cost, by what is known when it begins; infinity when nobody knows.
   * @param perform Has told its cost by `spend` when it ends. It gets what it may cost at most: what is left when all
   * others that are under way cost the most that they can; undefined without a limit.
   * @throws BudgetExhausted, and what `perform` throws.
   */
  async call<Result>(
    ready: () => Promise<void>,
    mostCostNow: () => number,
    perform: (room: number | undefined) => Promise<Result>,
  ): Promise<Result> {
    let mostCost: number;
    for (;;) {
      await ready();
      this.#requireCall();
      mostCost = mostCostNow();
      const { maxCost } = this.#limits;
      if (maxCost === null || this.#inFlight === 0 || this.#cost + this.#reserved + mostCost <= maxCost)
        break;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    const { maxCost } = this.#limits;
    const room = maxCost === null ? undefined : Math.max(0, maxCost - this.#cost - this.#reserved);
    this.#messages++;
    this.#inFlight++;
    this.#reserved += mostCost;
    try {
      return await perform(room);
    } finally {
      this.#inFlight--;
      // Infinity minus infinity is no number.
      this.#reserved = this.#inFlight === 0 ? 0 : this.#reserved - mostCost;
      const waiting = this.#waiting;
      this.#waiting = [];
      for (const resume of waiting) resume();
    }
  }

  /** Counts a request to a model that somebody else made. */
  countMessage(): void {
    this.#messages++;
  }

  /** Counts one more request of a call that failed; false when none is left. */
  takeRetry(): boolean {
    const { maxMessages } = this.#limits;
    if (maxMessages !== null && this.#messages >= maxMessages) return false;
    this.#messages++;
    return true;
  }

  /** @param cost Null: nobody knows. What is no finite number uses up all that is left. */
  spend(cost: number | null): void {
    const counted = orZero(cost);
    this.#cost += Number.isFinite(counted) ? Math.max(0, counted) : Number.POSITIVE_INFINITY;
    if (this.isCostUsed) this.#costUsed.abort(new BudgetExhausted(`$${this.#cost.toFixed(2)}`));
  }

  #requireCall(): void {
    this.requireTime();
    this.requireCost();
    this.requireMessage();
  }

  /** @throws BudgetExhausted when no request to a model is left. */
  requireMessage(): void {
    const { maxMessages } = this.#limits;
    if (maxMessages !== null && this.#messages >= maxMessages) {
      throw new BudgetExhausted(`${counted(maxMessages, 'call')} of models`);
    }
  }
}
