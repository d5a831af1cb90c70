/**
 * The goals that are told of a search in vain: of a state in which none looks false, since a lemma that states a false one
 * helps nobody. What looks false is advice and nothing more: no search and no verdict goes by it.
 */
import type { Goal } from '../core/proof-state.ts';
import type { StepBudget } from '../core/prover.ts';
import { goalsKey } from './graph/proof-graph.ts';

/** Where a search in vain stood. */
export interface StoodAt {
  readonly bestGoals: readonly Goal[];
  /** All of them look false, and nothing was reached but by way of goals that do. */
  readonly areFalse: boolean;
  /** Of another state than the best. */
  readonly bestGoalCount?: number;
}

/** Of how many goals it is asked, and of how many of one state: those that are shown and some more. */
const GOALS = 5;
const GOALS_OF_STATE = 4;
/** All of it, where the clock counts. */
const LOOK_MS = 2000;
const GOAL_MS = 1000;
/** What a run that can be repeated gives each instead. */
const SENTENCES = 40;

export interface LookAtGoals {
  readonly looksFalse: (goal: Goal, allowed: StepBudget, signal: AbortSignal) => Promise<boolean>;
  /** Whether it may not go by the clock. */
  readonly isRepeatable: boolean;
  readonly signal: AbortSignal;
}

/** @param best The goals of the best state without goals that are said to be false. */
export async function goalsNotFalse(
  best: (isFalse: (goal: Goal) => boolean) => readonly Goal[],
  { looksFalse, isRepeatable, signal }: LookAtGoals,
): Promise<StoodAt> {
  const begunAt = performance.now();
  const left = (): number => (isRepeatable ? Infinity : begunAt + LOOK_MS - performance.now());
  const looked = new Map<string, boolean>();
  const isFalse = (goal: Goal): boolean => looked.get(goalsKey([goal])) === true;
  const allowed = (): StepBudget =>
    isRepeatable ? { sentences: SENTENCES } : { milliseconds: Math.min(GOAL_MS, left()) };
  const atFirst = best(() => false);
  let bestGoals = atFirst;
  for (;;) {
    const next = bestGoals.slice(0, GOALS_OF_STATE).find((goal) => !looked.has(goalsKey([goal])));
    if (next === undefined || looked.size >= GOALS || left() <= 0 || signal.aborted) break;
    const late = isRepeatable ? [] : [AbortSignal.timeout(Math.ceil(left()))];
    const itIs = await looksFalse(next, allowed(), AbortSignal.any([signal, ...late]));
    looked.set(goalsKey([next]), itIs);
    if (itIs) bestGoals = best(isFalse);
  }
  return bestGoals.length > 0
    ? {
        ...{ bestGoals, areFalse: false },
        ...(bestGoals !== atFirst && { bestGoalCount: bestGoals.length }),
      }
    : { bestGoals: atFirst.filter(isFalse), areFalse: atFirst.length > 0 };
}
