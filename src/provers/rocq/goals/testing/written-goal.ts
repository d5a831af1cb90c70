/** A goal as tests write it: types of hypotheses by their names, and a conclusion. */
import { viewGoal, type GoalView } from '../goal-view.ts';

export function goal(hypotheses: Readonly<Record<string, string>>, conclusion: string): GoalView {
  return viewGoal({
    id: '1',
    hypotheses: Object.entries(hypotheses).map(([name, type]) => ({ name, type })),
    conclusion,
  });
}
