/** Which of the goals that a step left can be solved apart. */
import type { Goal } from '../../core/proof-state.ts';
import { existentials } from '../../provers/rocq/goals/goal-view.ts';

/** Goals that share existential variables stay together; when none do, each is on its own. */
export function independentGoals(goals: readonly Goal[]): Goal[][] {
  if (goals.length === 0) return [];
  const owner = new Map<string, number>();
  for (const [index, goal] of goals.entries())
    for (const name of existentials(goal)) {
      const other = owner.get(name);
      if (other !== undefined && other !== index) return [[...goals]];
      owner.set(name, index);
    }
  return goals.map((goal) => [goal]);
}
