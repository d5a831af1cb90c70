/** What a search is asked, what it tells on the way, and what it answers. */
import type { Goal } from '../core/proof-state.ts';
import type { QuodError } from '../core/errors.ts';
import type { PrintedPosition } from '../core/position.ts';
import type { Prover, ProverSession, StateId, StepBudget } from '../core/prover.ts';
import type { ReasonCode } from '../core/reason.ts';
import type { FileOutline, TheoremItem } from '../provers/rocq/syntax/outline.ts';
import type { ScriptTree } from '../provers/rocq/syntax/script-tree.ts';
import type { ImportHints } from '../sessions/rocq/imports/import-hint.ts';
import type { StatementNames } from './avoided-statements.ts';
import type { GoalLook } from './goals-not-false.ts';
import type { Costs } from './candidates/costs.ts';
import type { ProofStyle } from './script/style/file-style.ts';
import type { GraphNews } from './graph/graph-watch.ts';
import type { Replacement } from '../core/replacement.ts';
import type { RunningStep } from './running-steps.ts';

/** What a theorem gets where nobody says how long it may be searched. */
export const DEFAULT_BUDGET_MS = 60_000;

/** The holes that these names mean, or the statements of these sentences, finished or not. */
export type TheoremsWanted = readonly string[] | { readonly sentences: readonly number[] } | 'all-holes';

export interface ProveRequest {
  /** Absolute path of the file; `text` is what is searched, the path only finds its project. */
  readonly file: string;
  readonly text: string;
  readonly theorems: TheoremsWanted;
  /** Milliseconds for each theorem, else the default. Asked anew while one is searched: whoever watches may change them. */
  readonly budgetMs?: () => number;
  /** Nodes for each theorem; instead of a time budget this makes a run reproducible. */
  readonly nodes?: number;
  readonly jobs: number;
  readonly seed: number;
  readonly prover: Prover;
  /** What helps against errors of the file, for all that run it; default: its own. */
  readonly imports?: ImportHints;
  /** What it costs to try, where that is to differ from the table. */
  readonly costs?: Costs;
  /** Ingredients of the search that are switched off, by name. */
  readonly without?: readonly string[];
  /** How found proofs are written; default: terse. */
  readonly style?: ProofStyle;
  readonly signal: AbortSignal;
  /** Whether everything that happens to the graphs of goals is told. */
  readonly watchGraph?: boolean;
  /** Where `quod index` stores steps and the search stores lists of lemmas; without it there is neither. */
  readonly cacheDirectory?: string;
  /** Judges a text in which proofs were filled in. The search never says `proved` by itself. */
  readonly judge: Judge;
  /** Whether the judge runs all of the file; default: up to the proofs. */
  readonly judgesAll?: boolean;
  /** Told at the beginning which proofs will be looked for, for what a judge can do meanwhile. */
  readonly beginJudging?: BeginJudging;
  /** Why no proof may be put in the place of one, where that is known before: it is not searched. */
  readonly refusal?: Refusal;
  /** Looks whether a statement is false: briefly when it is not proved at once, longer early in a search that lasts. */
  readonly refuter?: Refuter;
  /** Looks whether goals are false at which a search in vain stood; without it they are told as they are. */
  readonly goalRefuter?: GoalRefuter;
}

/** A statement that is false: the gate accepted a proof of its negation. */
export interface FalseStatement {
  readonly kind: 'refuted';
  /** `n = 0, l = [1]`; empty when the statement has no variables. */
  readonly counterexample: string;
  /** The theorem that says so, with its proof. */
  readonly negation: string;
  /** That this proof rests on. */
  readonly axioms: readonly string[];
  /** What the verdict on it says against itself. */
  readonly warnings: readonly string[];
}

/** What somebody who looked found, and what lets a later run find it without looking: a guess, in words of the refuter's own. */
export interface FoundFalse extends FalseStatement {
  readonly again?: string;
}

/** The prover accepted a proof that it fails, and the gate could not look, since the file has an error before it. */
export type UnconfirmedFalse = NotFound & Required<Pick<NotFound, 'counterexample'>>;

/** Who looks for counterexamples; the search knows nothing of how. */
export type Refuter = (asked: {
  readonly outline: FileOutline;
  readonly theorem: TheoremItem;
  readonly session: ProverSession;
  /** Where the theorem is stated and its proof is open. */
  readonly opened: StateId;
  readonly allowed: StepBudget;
  /** Whether only the smallest values are to be looked at. */
  readonly brief: boolean;
  /** What an earlier run left (`again`): nothing else is tried then, and it is proved and judged anew. */
  readonly earlier?: string;
  readonly signal: AbortSignal;
}) => Promise<FoundFalse | UnconfirmedFalse | undefined>;

/** Whether a goal looks false: nobody judges it, and all that it decides is which goals are told and how. */
export type GoalRefuter = (
  asked: Omit<Parameters<Refuter>[0], 'brief' | 'earlier'> & { readonly goal: Goal },
) => Promise<GoalLook>;

/** Hands on what the gate says. `accepted` is only ever the gate's own word. */
export type Judge = (filled: {
  /** The file, with `Admitted` in the place of proofs that Rocq refuses. */
  readonly target: string;
  /** The target with proofs filled in. */
  readonly text: string;
  /** The statements of the target that they are proofs of. */
  readonly theorems: readonly TheoremItem[];
  /** What stands behind the proofs is not to be run: it does not come to its end. */
  readonly isEndlessBehind?: true;
  /** Nobody waits for the answer any more. */
  readonly signal?: AbortSignal;
}) => Promise<ProofsJudged>;

/** @returns undefined where nothing is in the way. */
export type Refusal = (outline: FileOutline, theorem: TheoremItem) => NotFound | undefined;

/** For a text of which the proofs of some statements are looked for; what was begun is to be ended. */
export type BeginJudging = (text: string, theorems: readonly TheoremItem[]) => { readonly end: () => void };

/** What a proof takes for granted, as the gate says. */
export interface ProofRestsOn {
  /** Statements of the file that are still open. */
  readonly openStatements: readonly string[];
  readonly axioms: readonly string[];
}

export type ProofsJudged =
  | {
      readonly kind: 'accepted';
      /** For each theorem, in the order asked. */
      readonly restOn: readonly ProofRestsOn[];
      /** What the verdict says against itself. */
      readonly warnings: readonly string[];
    }
  | { readonly kind: 'rejected'; readonly message: string }
  /** The gate could not look: nothing may be concluded. */
  | { readonly kind: 'unknown'; readonly reason: ReasonCode; readonly message: string };

export type ProveEvent =
  | { readonly kind: 'file-loaded'; readonly elapsedMs: number; readonly sentences: number }
  /** The file has an error before a hole; the search goes on behind it. */
  | {
      readonly kind: 'file-error';
      readonly error: QuodError;
      /** It is of a hole that is searched, and no fault but that this is open. */
      readonly isHole?: true;
      /** It is that a sentence does not end, which nothing that runs the file can pass over. */
      readonly isEndless?: true;
    }
  /** What is searched, in the order of the file; before the first is begun, and not where nothing is searched. */
  | { readonly kind: 'to-be-searched'; readonly theorems: readonly string[] }
  | {
      readonly kind: 'theorem-started';
      readonly theorem: string;
      readonly index: number;
      readonly total: number;
      /**
       * Statements of the file before it that are open and of which no proof is found yet: a proof that uses one is
       * finished only with that.
       */
      readonly openAbove: readonly string[];
    }
  /** It was asked for by its name, and Rocq takes its proof: that is left as it is. */
  | { readonly kind: 'finished-already'; readonly theorem: string; readonly item: TheoremItem }
  /** What is done about a theorem from now on. */
  | { readonly kind: 'phase'; readonly theorem: string; readonly phase: ProvePhase }
  /** The search has a proof, which nobody has judged yet. */
  | { readonly kind: 'found'; readonly theorem: string; readonly script: string }
  | {
      readonly kind: 'progress';
      readonly theorem: string;
      readonly elapsedMs: number;
      readonly nodes: number;
      readonly bestGoalCount: number;
      /** The step that has been running for a while. */
      readonly running?: RunningStep;
    }
  /** The judge is at the proofs of these, and at no others; at none: it has the rest of the file, or nothing to do. */
  | { readonly kind: 'judging'; readonly theorems: readonly string[] }
  /** Only for those who asked to watch (`ProveRequest.watchGraph`). */
  | { readonly kind: 'graph'; readonly theorem: string; readonly news: GraphNews }
  /** A proof, or what fills one place of it, as the search found it and as it is written. */
  | {
      readonly kind: 'written';
      readonly theorem: string;
      readonly found: ScriptTree;
      readonly written: ScriptTree;
    }
  /** The gate accepted a proof that rests on open statements; it waits, since some of these are searched, too. */
  | { readonly kind: 'theorem-waits'; readonly theorem: string; readonly restsOnOpen: readonly string[] }
  /** Its proof rests on statements that are open or false, and one without them is looked for. */
  | { readonly kind: 'searched-again'; readonly theorem: string; readonly without: readonly string[] }
  /**
   * At most once for each theorem. One that rests on a statement that is searched, too, is told when that is
   * settled.
   */
  | { readonly kind: 'theorem-finished'; readonly result: TheoremResult }
  /** After each judgement that accepts: the last one says what may be written. */
  | { readonly kind: 'accepted-together'; readonly judged: AcceptedTogether };

/**
 * `file`: the file runs up to the hole. `refute`: it is looked whether the statement is false. `lemmas`: it is
 * looked what there is to work with. `search`: until the proof is found and written out. `judge`: the gate's
 * work on it, without the wait for other judgements.
 */
export const PROVE_PHASES = ['file', 'refute', 'lemmas', 'search', 'judge'] as const;

export type ProvePhase = (typeof PROVE_PHASES)[number];

/** Proofs that were accepted in one text. */
export interface AcceptedTogether {
  readonly replacements: readonly Replacement[];
  /** SHA-256 of the file with these proofs and nothing else changed. */
  readonly fileSha256: string;
  /** Whether that is the very text that was judged; it is not when proofs of the file were set aside. */
  readonly judgedAsItIs: boolean;
}

/** What stands in the place of a hole. */
export interface FoundProof {
  /** The proof as it will stand in the file, from `Proof` to the closing word. */
  readonly script: string;
  readonly replacement: Replacement;
  /** What the file has and the proof does without. */
  readonly setAside?: readonly SetAside[];
  /** It is what the author's steps are already, and only its end was missing: nothing was searched. */
  readonly isOwn?: true;
}

/** Where something of the file was set aside. */
export type SetAside = PrintedPosition &
  (
    | {
        /** Steps of the author, in whose place the proof stands; the place is that of the first. */
        readonly kind: 'steps';
        readonly text: string;
      }
    /** A proof before it that Rocq refuses; it was judged as if that were admitted. */
    | { readonly kind: 'refused-proof' }
  );

export interface SearchedTheorem<Outcome> {
  readonly theorem: string;
  /** Line of the statement, from 1. */
  readonly line: number;
  readonly statement: string;
  /** Milliseconds of each phase that there was. */
  readonly times: Readonly<Partial<Record<ProvePhase, number>>>;
  /** Milliseconds from when the file had run up to the hole until the search ended. */
  readonly elapsedMs: number;
  readonly nodes: number;
  readonly outcome: Outcome;
}

export interface NotFound {
  readonly kind: 'not-proved';
  readonly reason: ReasonCode;
  readonly message: string;
  readonly bestGoalCount?: number;
  /** Of the best state, where that is not the statement itself, and whether there is none but with goals that look false. */
  readonly bestGoals?: readonly Goal[];
  readonly areFalse?: boolean;
  /** Whether small values were not gone through of all of them. */
  readonly areUnlooked?: boolean;
  /** For which values it fails, where the gate could not confirm that; empty when the statement has no variables. */
  readonly counterexample?: string;
}

/** What the search alone has to say. */
export type SearchOutcome = Found | FalseStatement | NotFound;

/** Why and how a theorem is searched once more: the proof that was found rests on what does not count. */
export interface SearchedAgain {
  readonly without: StatementNames;
  /** The search that found it, which has used its part of the budget. */
  readonly before: SearchedTheorem<SearchOutcome>;
  /** There is a proof already, which may be all that there is: no longer than it took to find that one, and a little. */
  readonly isBrief?: true;
}

interface Found extends FoundProof {
  readonly kind: 'found';
  /** What later runs are given of it: nothing where the gate rejects it, and this where it is what was shown. */
  readonly proofs?: { readonly forget: () => Promise<void>; readonly keep: () => Promise<void> };
}

interface Accepted extends FoundProof {
  /** What the verdict says against itself. */
  readonly warnings: readonly string[];
  /** The axioms that it rests on. */
  readonly axioms: readonly string[];
}

export type TheoremOutcome =
  | (Accepted & { readonly kind: 'proved' })
  /** Accepted, but it rests on statements of the file whose own proofs are open. */
  | (Accepted & { readonly kind: 'proved-but'; readonly restsOnOpen: readonly string[] })
  /** Found, and the gate could not look at it. It is neither proved nor refuted. */
  | (FoundProof & {
      readonly kind: 'not-judged';
      readonly reason: ReasonCode;
      readonly message: string;
      /** Where the file has the error for which the gate could not look. */
      readonly errorBefore?: PrintedPosition;
    })
  | FalseStatement
  | (NotFound & {
      /** A proof that was found and that the judge did not accept. */
      readonly refusedScript?: string;
      /** Statements that are false, on which the only proof rests that was found: it proves nothing. */
      readonly restsOnFalse?: readonly string[];
    });

/** What was found for a theorem and what the gate says of it. */
export type TheoremResult = SearchedTheorem<TheoremOutcome>;

/** Why a proof behind an error of the file could not be judged. @param reason `timeout` where a sentence does not end. */
export function errorBeforeText(reason: ReasonCode, { line, column }: PrintedPosition): string {
  const what =
    reason === 'timeout'
      ? 'a sentence before it does not come to its end'
      : 'the file has an error before it';
  return `${what}, at ${line}:${column}`;
}
