/** What a goal costs: what led to it, and how hard it looks. */
import { orNothing } from '../../core/entry.ts';
import type { Goal } from '../../core/proof-state.ts';
import { termSize } from '../../provers/rocq/goals/goal-view.ts';
import { usesInductionHypothesis } from '../candidates/authored-tactic.ts';
import type { Candidate } from '../candidates/candidate.ts';
import type { Costs } from '../candidates/costs.ts';
import type { GoalNode } from './proof-graph.ts';

const BARE_FIXPOINT = /\bfix\s/u;

/** What a step that succeeded adds to the cost of the goals it left, now that these are known. */
export function stepCost(
  node: GoalNode,
  { tactic, cost }: Candidate,
  left: readonly Goal[],
  costs: Costs,
): number {
  // The goal for which the induction was made.
  if (usesInductionHypothesis(tactic)) return Math.max(0, cost - costs['goal.by-induction-hypothesis.less']);
  const exposed =
    BARE_FIXPOINT.test(orNothing(left[0]?.conclusion)) && !BARE_FIXPOINT.test(node.view.goal.conclusion);
  return exposed ? cost + costs['goal.bare-fixpoint.more'] : cost;
}

/** A first guess at what the first step on a goal costs, before its candidates are made. */
export function difficulty(node: GoalNode, costs: Costs): number {
  return (
    costs['goal.size.each'] * Math.log2(1 + termSize(node.view.conclusion)) +
    costs['goal.beside.each'] * (node.goals.length - 1)
  );
}
