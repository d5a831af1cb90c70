/**
 * Looks whether a statement is false: briefly when it is not proved at once, longer early in a search that lasts, so
 * that what is false does not cost the whole budget. In a run that can be repeated there is only the longer look, and
 * both its moment and its length are counted, not measured.
 */
import type { ProverSession, StateId } from '../core/prover.ts';
import type { FileOutline, TheoremItem } from '../provers/rocq/syntax/outline.ts';
import type { Interlude } from './graph/search-options.ts';
import type { Phases } from './phases.ts';
import { DEFAULT_BUDGET_MS, type FalseStatement, type ProveRequest } from './prove-request.ts';

/** The most that it may take, and the part of the budget of the search. */
const LOOKS = {
  // A pass over few values is a matter of milliseconds: this is only for a machine that is busy.
  brief: { mostMs: 3000, share: 0.2 },
  thorough: { mostMs: 5000, share: 0.25 },
} as const;

/** What a run that can be repeated gives it instead of milliseconds. */
const SENTENCES = 200;
/** A search that lasts so long, on a machine that has time for it, is looked at briefly: most are over by then. */
const BRIEF_AFTER_MS = 1000;
/** It is looked longer when this part of the budget is used up, and after so much however large the budget is. */
const EARLY = { share: 0.25, mostMs: 15_000, mostNodes: 100 } as const;

export interface OpenedTheorem {
  readonly outline: FileOutline;
  readonly theorem: TheoremItem;
  readonly session: ProverSession;
  readonly opened: StateId;
  readonly phases: Phases;
}

/** What is known of whether one statement is false. */
export class Falsehood {
  readonly #request: ProveRequest;
  readonly #opened: OpenedTheorem;
  readonly #started = performance.now();
  #left: ReadonlySet<keyof typeof LOOKS>;
  #found: FalseStatement | undefined;
  #searchedSince: number | undefined;
  #interludeMs = 0;
  #interludeSince: number | undefined;

  constructor(request: ProveRequest, opened: OpenedTheorem) {
    this.#request = request;
    this.#opened = opened;
    this.#left = new Set(request.refuter === undefined ? [] : (['brief', 'thorough'] as const));
  }

  found(): FalseStatement | undefined {
    return this.#found;
  }

  /** Whether the brief look is still to come. */
  get isNew(): boolean {
    return this.#left.has('brief');
  }

  /** Milliseconds that the search stood still for it. */
  get interludeMs(): number {
    return (
      this.#interludeMs + (this.#interludeSince === undefined ? 0 : performance.now() - this.#interludeSince)
    );
  }

  /** The brief look, where no search lasted until it was due. @param pace As in `Knowledge`. */
  briefly(pace: number): Promise<void> {
    return this.#look('brief', this.#request.signal, pace);
  }

  /** The longer look, where the search did not last until it was due. */
  atLast(): Promise<void> {
    return this.#look('thorough', this.#request.signal, 1);
  }

  /** The looks in the middle of a search. @param pace As in `Knowledge`. */
  interlude(pace: number): Interlude {
    this.#searchedSince ??= performance.now();
    return {
      isDue: (nodes) => this.#interludeSince === undefined && this.#due(nodes, pace) !== undefined,
      run: async (ended) => {
        // What is due stays due while more is tried.
        const how = this.#due(Infinity, pace);
        if (how === undefined) return undefined;
        this.#interludeSince = performance.now();
        await this.#look(how, AbortSignal.any([this.#request.signal, ended]), pace);
        this.#opened.phases.begin('search');
        this.#interludeMs = this.interludeMs;
        this.#interludeSince = undefined;
        return this.#found && { reason: 'search-exhausted', message: 'The statement is false.' };
      },
    };
  }

  #due(triedNodes: number, pace: number): keyof typeof LOOKS | undefined {
    const { nodes, budgetMs = () => DEFAULT_BUDGET_MS } = this.#request;
    const now = performance.now();
    const isLate =
      nodes === undefined
        ? now - this.#started >= Math.min(budgetMs() * EARLY.share, EARLY.mostMs)
        : triedNodes >= Math.min(nodes * EARLY.share, EARLY.mostNodes);
    if (isLate) return this.#left.has('thorough') ? 'thorough' : undefined;
    const searchedMs = this.#searchedSince === undefined ? 0 : now - this.#searchedSince;
    const mayBeBrief = nodes === undefined && this.#left.has('brief');
    return mayBeBrief && searchedMs >= BRIEF_AFTER_MS * pace ? 'brief' : undefined;
  }

  async #look(how: keyof typeof LOOKS, signal: AbortSignal, pace: number): Promise<void> {
    const { refuter, nodes, budgetMs = () => DEFAULT_BUDGET_MS } = this.#request;
    if (refuter === undefined || !this.#left.has(how) || this.#found !== undefined || signal.aborted) return;
    // What is looked at longer need not be looked at briefly any more.
    this.#left = new Set(how === 'brief' ? ['thorough'] : []);
    const { phases, ...place } = this.#opened;
    phases.begin('refute');
    const { mostMs, share } = LOOKS[how];
    this.#found = await refuter({
      ...{ ...place, signal },
      allowed:
        nodes === undefined
          ? { milliseconds: Math.min(how === 'brief' ? mostMs * pace : mostMs, budgetMs() * share) }
          : { sentences: SENTENCES },
      brief: how === 'brief',
    });
  }
}
