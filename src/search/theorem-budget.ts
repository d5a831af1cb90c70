/** What the search of one theorem may use: time, from when the file had run up to it, or nodes. */
import { DEFAULT_BUDGET_MS, type ProveRequest, type SearchedAgain } from './prove-request.ts';
import { budgetAgain } from './search-again.ts';

export interface BudgetOfTheorem {
  readonly again: SearchedAgain | undefined;
  /** When it began, on the clock of `performance.now()`, as if what was used before had been used at once. */
  readonly since: number;
  /** Milliseconds of looking whether it is false, which is no search: it is not counted. */
  readonly interludeMs: () => number;
}

export class TheoremBudget {
  readonly #request: Pick<ProveRequest, 'nodes' | 'budgetMs'>;
  readonly #of: BudgetOfTheorem;
  readonly #mayUse: ReturnType<typeof budgetAgain>;

  constructor(request: Pick<ProveRequest, 'nodes' | 'budgetMs'>, of: BudgetOfTheorem) {
    this.#request = request;
    this.#of = of;
    this.#mayUse = budgetAgain(of.again);
  }

  /** Milliseconds that are left of it; as many as one likes where nodes are counted. */
  leftMs(): number {
    return this.#request.nodes === undefined ? this.#allMs() - this.#usedMs() : Infinity;
  }

  /**
   * What one search may use of what is left.
   * @param share The part of it.
   * @param spent Nodes that were tried before.
   */
  limits(share: number, spent: number) {
    const { nodes } = this.#request;
    if (nodes !== undefined)
      return { budgetMs: undefined, nodes: Math.floor((this.#mayUse(nodes, 'nodes') - spent) * share) };
    const interludeBefore = this.#of.interludeMs();
    const used = this.#usedMs();
    return {
      budgetMs: () => (this.#allMs() - used) * share + this.#of.interludeMs() - interludeBefore,
      nodes: undefined,
    };
  }

  #allMs(): number {
    const { budgetMs = () => DEFAULT_BUDGET_MS } = this.#request;
    return this.#mayUse(budgetMs(), 'elapsedMs');
  }

  #usedMs(): number {
    return performance.now() - this.#of.since - this.#of.interludeMs();
  }
}
