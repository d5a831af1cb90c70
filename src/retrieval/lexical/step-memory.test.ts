import { expect, it } from 'vitest';
import { viewGoal } from '../../provers/rocq/goals/goal-view.ts';
import { StepMemory, storedSteps, type RecordedStep } from './step-memory.ts';

const GOAL = { id: '1', hypotheses: [{ name: 'n', type: 'nat' }], conclusion: 'half n <= n' };

function memoryOf(...tactics: readonly string[]): StepMemory {
  const memory = new StepMemory('here.v');
  const steps = tactics.map((tactic): RecordedStep => {
    return { goal: GOAL, tactic, remaining: 1, origin: 'here.v', next: undefined };
  });
  for (const step of storedSteps(steps)) memory.add(step);
  return memory;
}

it('finds what was done on a goal like this one, and what closes goals without naming anything local', () => {
  const memory = memoryOf('destruct n', 'lia');
  expect(memory.nearest(viewGoal(GOAL), 5).map(({ step }) => step.tactic)).toEqual(['lia', 'destruct n']);
  expect(memory.closers(5)).toEqual([{ tactic: 'lia', uses: 3 }]);
});

it('does not keep steps that put the goal itself among the hypotheses', () => {
  expect(memoryOf('fix IH 1', 'cofix CIH', 'fixed').nearest(viewGoal(GOAL), 5)).toMatchObject([
    { step: { tactic: 'fixed' } },
  ]);
});
