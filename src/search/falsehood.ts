/**
 * Looks whether a statement is false: briefly when it is not proved at once, longer early in a search that lasts, so
 * that what is false does not cost the whole budget. In a run that can be repeated there is only the longer look, and
 * both its moment and its length are counted, not measured. What an earlier run refuted is refuted again at once.
 */
import { z } from 'zod';
import type { ProverSession, StateId } from '../core/prover.ts';
import type { FileOutline, TheoremItem } from '../provers/rocq/syntax/outline.ts';
import { goalsNotFalse, type StoodAt } from './goals-not-false.ts';
import type { Interlude, SearchedInVain } from './graph/search-options.ts';
import { KeptBetweenRuns } from './kept-between-runs.ts';
import type { Phases } from './phases.ts';
import {
  DEFAULT_BUDGET_MS,
  type FalseStatement,
  type ProveRequest,
  type UnconfirmedFalse,
} from './prove-request.ts';

/** The most that it may take, and the part of the budget of the search. */
const LOOKS = {
  // A pass over few values is a matter of milliseconds: this is only for a machine that is busy.
  brief: { mostMs: 3000, share: 0.2 },
  thorough: { mostMs: 5000, share: 0.25 },
  /** One proof is run. */
  recalled: { mostMs: 5000, share: 0.25 },
} as const;

/** The looks that there are at a statement of which nothing is known. */
type Look = 'brief' | 'thorough';

export const REFUTATIONS = { folder: 'refuted-1', schema: z.object({ again: z.string() }) };

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
  /** What is asked about, in words. */
  readonly asked: string;
}

/** What is known of whether one statement is false. */
export class Falsehood {
  readonly #request: ProveRequest;
  readonly #opened: OpenedTheorem;
  readonly #started = performance.now();
  readonly #kept: KeptBetweenRuns<{ readonly again: string }> | undefined;
  #left: ReadonlySet<Look>;
  #found: FalseStatement | UnconfirmedFalse | undefined;
  #searchedSince: number | undefined;
  #interludeMs = 0;
  #interludeSince: number | undefined;

  constructor(request: ProveRequest, opened: OpenedTheorem) {
    this.#request = request;
    this.#opened = opened;
    this.#kept = KeptBetweenRuns.of(request, REFUTATIONS);
    this.#left = new Set(request.refuter === undefined ? [] : (['brief', 'thorough'] as const));
  }

  /** Also where the gate could not confirm it: no search proves what fails for values that are known. */
  found(): FalseStatement | UnconfirmedFalse | undefined {
    return this.#found;
  }

  /** Looks whether what an earlier run refuted it with refutes it still: where definitions were changed since, it need not. */
  async recall(): Promise<void> {
    const { asked, phases } = this.#opened;
    const kept = this.#request.refuter && (await this.#kept?.find(asked));
    if (kept === undefined) return;
    const begunAt = performance.now();
    await this.#ask('recalled', this.#request.signal, 1, kept.again);
    this.#interludeMs += performance.now() - begunAt;
    if (this.#found !== undefined || this.#request.signal.aborted) return;
    await this.#kept?.forget(asked);
    phases.begin('lemmas');
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

  /** Where a search in vain stood, without what looks false. */
  async stoodAt(searched: SearchedInVain): Promise<StoodAt> {
    const { goalRefuter, nodes, budgetMs = () => DEFAULT_BUDGET_MS, signal } = this.#request;
    const { phases, outline, theorem, session, opened } = this.#opened;
    if (searched.bestGoals.length > 0) phases.begin('refute');
    return goalsNotFalse(searched, {
      lookAt: goalRefuter && ((goal, at) => goalRefuter({ outline, theorem, opened, goal, ...at })),
      ...{ session, budgetMs: nodes === undefined ? budgetMs() : undefined, signal },
    });
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

  #due(triedNodes: number, pace: number): Look | undefined {
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

  async #look(how: Look, signal: AbortSignal, pace: number): Promise<void> {
    if (!this.#left.has(how) || this.#found !== undefined || signal.aborted) return;
    // What is looked at longer need not be looked at briefly any more.
    this.#left = new Set(how === 'brief' ? ['thorough'] : []);
    await this.#ask(how, signal, pace);
  }

  async #ask(how: keyof typeof LOOKS, signal: AbortSignal, pace: number, earlier?: string): Promise<void> {
    const { refuter, nodes, budgetMs = () => DEFAULT_BUDGET_MS } = this.#request;
    if (refuter === undefined) return;
    const { phases, asked, ...place } = this.#opened;
    phases.begin('refute');
    const { mostMs, share } = LOOKS[how];
    const answer = await refuter({
      ...{ ...place, signal },
      allowed:
        nodes === undefined
          ? { milliseconds: Math.min(how === 'brief' ? mostMs * pace : mostMs, budgetMs() * share) }
          : { sentences: SENTENCES },
      brief: how === 'brief',
      ...(earlier !== undefined && { earlier }),
    });
    if (answer === undefined) return;
    if (answer.kind === 'not-proved') {
      this.#found = answer;
      return;
    }
    const { again, ...found } = answer;
    this.#found = found;
    if (again !== undefined) await this.#kept?.keep(asked, { again });
  }
}
