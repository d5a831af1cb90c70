/**
 * The goals that are told of a search in vain: of a state in which none looks false, since a lemma that states a false one
 * helps nobody, and of that only those that do not say the theorem over again. What looks false is advice and nothing
 * more: no search and no verdict goes by it.
 */
import type { Goal } from '../core/proof-state.ts';
import type { ProverSession, StepBudget } from '../core/prover.ts';
import { sessionByWork, type WorkedSession } from '../sessions/session-by-work.ts';
import { goalsKey } from './graph/proof-graph.ts';
import type { SearchedInVain } from './graph/search-options.ts';

/** Where a search in vain stood. */
export interface StoodAt {
  readonly bestGoals: readonly Goal[];
  /** All of them look false, and nothing was reached but by way of goals that do. */
  readonly areFalse: boolean;
  /** Small values were not gone through of all of them: nobody looked whether they are false. */
  readonly areUnlooked?: boolean;
  /** Of another state than the best. */
  readonly bestGoalCount?: number;
}

/** What a look at small values says of a goal; `unknown` where it could not look, or suspects what it cannot prove. */
export type GoalLook = 'false' | 'stands' | 'unknown';

/** Of how many goals it is asked, and of how many of one state: those that are shown and some more. */
const GOALS = 8;
const GOALS_OF_STATE = 4;
/** Milliseconds of the prover's work for all of it, as a part of the budget, and for each goal. */
const WORK = { share: 0.15, mostMs: 8000, goalMs: 4000 } as const;
/** The clock ends what takes so many times as long. */
const CLOCK_FACTOR = 3;
const SENTENCES = 120;

export interface LookAtGoals {
  /** Undefined where nobody can look: the goals are told as they are. */
  readonly lookAt:
    | ((
        goal: Goal,
        at: {
          readonly session: ProverSession;
          readonly allowed: StepBudget;
          readonly signal: AbortSignal;
        },
      ) => Promise<GoalLook>)
    | undefined;
  readonly session: ProverSession;
  /** Of the search; undefined where a run can be repeated, which goes by what is run and not by how long. */
  readonly budgetMs: number | undefined;
  readonly signal: AbortSignal;
}

export async function goalsNotFalse(
  { bestGoals: atFirst, bestGoalsBut, advised }: SearchedInVain,
  { lookAt, session, budgetMs, signal }: LookAtGoals,
): Promise<StoodAt> {
  const workMs = budgetMs === undefined ? Infinity : Math.min(WORK.mostMs, budgetMs * WORK.share);
  const byWork = (one: ProverSession, mostMs: number): WorkedSession =>
    budgetMs === undefined ? { session: one, isSpent: () => false } : sessionByWork(one, mostMs);
  const all = byWork(session, workMs);
  const ended =
    budgetMs === undefined
      ? signal
      : AbortSignal.any([signal, AbortSignal.timeout(Math.ceil(workMs * CLOCK_FACTOR))]);
  const looked = new Map<string, GoalLook>();
  const lookOf = (goal: Goal): GoalLook | undefined => looked.get(goalsKey([goal]));
  const told = (goals: readonly Goal[]): readonly Goal[] => goals.flatMap((goal) => advised(goal) ?? []);
  const isFalse = (goal: Goal): boolean => {
    const said = advised(goal);
    return said !== undefined && lookOf(said) === 'false';
  };
  let best = atFirst;
  while (lookAt !== undefined) {
    const next = told(best)
      .slice(0, GOALS_OF_STATE)
      .find((goal) => lookOf(goal) === undefined);
    if (next === undefined || looked.size >= GOALS || all.isSpent() || ended.aborted) break;
    const at = { session: byWork(all.session, WORK.goalMs).session, allowed: { sentences: SENTENCES } };
    const look = await lookAt(next, { ...at, signal: ended });
    looked.set(goalsKey([next]), look);
    if (look === 'false') best = bestGoalsBut(isFalse);
  }
  if (best.length === 0) {
    const areFalse = told(atFirst).filter((goal) => lookOf(goal) === 'false');
    return { bestGoals: areFalse, areFalse: areFalse.length > 0 };
  }
  const bestGoals = told(best);
  const areUnlooked = bestGoals.slice(0, GOALS_OF_STATE).some((goal) => lookOf(goal) !== 'stands');
  return {
    ...{ bestGoals, areFalse: false },
    ...(lookAt !== undefined && areUnlooked && { areUnlooked }),
    ...(best !== atFirst && { bestGoalCount: best.length }),
  };
}
