/** What a search of one place is given, and what it answers. */
import type { Goal } from '../../core/proof-state.ts';
import type { ProverSession, StateId } from '../../core/prover.ts';
import type { ReasonCode } from '../../core/reason.ts';
import type { Ingredient } from '../candidates/candidate.ts';
import type { GraphNews } from './graph-watch.ts';

/** A session that stands at the hole. */
export interface SearchWorker {
  readonly session: ProverSession;
  /** The state in which the goals of the hole are in focus. */
  readonly root: StateId;
}

/** Why a search ended without a proof. */
export interface StopReason {
  readonly reason: ReasonCode;
  readonly message: string;
}

/** What a search that lasts is interrupted for now and then; the graph stays as it is. */
export interface Interlude {
  /** @param nodes Nodes that were tried. */
  readonly isDue: (nodes: number) => boolean;
  /**
   * One worker runs it while the others search on. What it answers ends the search.
   * @param signal Aborted when there is a proof meanwhile.
   */
  readonly run: (signal: AbortSignal) => Promise<StopReason | undefined>;
}

export interface SearchOptions {
  /** When it is to end, on the clock of `performance.now()`. Asked anew each time: it may be moved. */
  readonly deadline: (() => number) | undefined;
  readonly nodes: number | undefined;
  readonly seed: number;
  readonly without: ReadonlySet<Ingredient>;
  /** Hypotheses that stand for the theorem itself (see recursion.ts). */
  readonly recursive: ReadonlySet<string>;
  readonly signal: AbortSignal;
  readonly interlude?: Interlude | undefined;
  readonly onProgress: (nodes: number, bestGoalCount: number) => void;
  /** Told of everything that happens to the graph; absent: nobody watches. */
  readonly onGraph?: ((news: GraphNews) => void) | undefined;
}

/** `Script`: the proof as the graph has it, or as it is written. */
export type SearchResult<Script> =
  | { readonly kind: 'found'; readonly script: Script; readonly nodes: number }
  | {
      readonly kind: 'not-found';
      readonly reason: ReasonCode;
      readonly message: string;
      readonly nodes: number;
      readonly bestGoalCount: number;
      /** Of the best state; none where no step came further than the goals that were searched. */
      readonly bestGoals: readonly Goal[];
      /** The same without states that have a goal that is said to be false. */
      readonly bestGoalsBut: (isFalse: (goal: Goal) => boolean) => readonly Goal[];
      /** A goal without what is idle in it; undefined where it says over again what was searched. */
      readonly advised: (goal: Goal) => Goal | undefined;
    };

/** What a search in vain leaves to be told. */
export type SearchedInVain = Pick<
  Extract<SearchResult<unknown>, { readonly kind: 'not-found' }>,
  'bestGoals' | 'bestGoalsBut' | 'advised'
>;

export const NOTHING_TO_TELL: SearchedInVain = {
  bestGoals: [],
  bestGoalsBut: () => [],
  advised: () => undefined,
};
