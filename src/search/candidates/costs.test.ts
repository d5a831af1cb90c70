import { describe, expect, it } from 'vitest';
import { viewGoal } from '../../provers/rocq/goals/goal-view.ts';
import { COSTS, costLines, costsWith } from './costs.ts';
import { Definitions } from '../libraries/definitions.ts';
import { structuralCandidates } from './goal-shape-steps.ts';

describe('costsWith', () => {
  it('changes the costs it is told and no other', () => {
    const changed = costsWith({ split: 9 });
    expect(changed.split).toBe(9);
    expect({ ...changed, split: COSTS.split }).toEqual(COSTS);
  });

  it.each([
    ['spilt', 1],
    ['toString', 1],
    ['split', NaN],
  ])('refuses %s = %d', (name, cost) => {
    expect(() => costsWith({ [name]: cost })).toThrow(expect.objectContaining({ reason: 'invalid-input' }));
  });
});

it('prints one line for each cost', () => {
  const lines = costLines(costsWith({ split: 9 }));
  expect(lines).toContain('split\t9');
  expect(new Set(lines.map((line) => line.split('\t')[0])).size).toBe(Object.keys(COSTS).length);
});

it('is what candidates are weighed with', () => {
  const view = viewGoal({ id: '1', hypotheses: [], conclusion: 'A /\\ B' });
  const costOfSplit = (costs: typeof COSTS | ReturnType<typeof costsWith>): number | undefined =>
    structuralCandidates(view, { definitions: new Definitions(), ssreflect: false, costs }).find(
      ({ text }) => text === 'split',
    )?.cost;
  expect([costOfSplit(COSTS), costOfSplit(costsWith({ split: 9 }))]).toEqual([0.5, 9]);
});
