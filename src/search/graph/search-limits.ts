/** When a search ends, and how long a step of it may take. With a budget of nodes neither depends on the clock. */
import type { SearchOptions, StopReason } from './search-options.ts';

export class SearchLimits {
  /** Nodes that were tried. */
  nodes = 0;
  readonly #options: Pick<SearchOptions, 'signal' | 'deadline' | 'nodes'>;
  readonly #pace: number;

  /** @param pace How many times slower the machine is than that on which the limits were set. */
  constructor(options: Pick<SearchOptions, 'signal' | 'deadline' | 'nodes'>, pace: number) {
    this.#options = options;
    this.#pace = pace;
  }

  get isDeterministic(): boolean {
    return this.#options.nodes !== undefined;
  }

  stopReason(): StopReason | undefined {
    const { signal, deadline, nodes } = this.#options;
    if (signal.aborted) return { reason: 'interrupted', message: 'The search was interrupted.' };
    if (deadline !== undefined && performance.now() >= deadline())
      return { reason: 'budget-exhausted', message: 'No proof was found in the time given.' };
    if (nodes !== undefined && this.nodes >= nodes)
      return { reason: 'budget-exhausted', message: 'No proof was found within the number of nodes given.' };
    return undefined;
  }

  forStep(timeoutMs: number): number {
    // The session of a run that can be repeated has limits of its own.
    if (this.isDeterministic) return timeoutMs;
    const { deadline } = this.#options;
    const limit = timeoutMs * this.#pace;
    return deadline === undefined ? limit : Math.max(20, Math.min(limit, deadline() - performance.now()));
  }
}
