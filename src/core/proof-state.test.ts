import { expect, test } from 'vitest';
import { sameGoals, type Goal } from './proof-state.ts';

test('goals are the same by what they say', () => {
  const goal: Goal = { id: '1', hypotheses: [{ name: 'n', type: 'nat' }], conclusion: 'n = n' };
  expect(sameGoals([goal], [{ ...goal, id: '2' }])).toBe(true);
  expect(sameGoals([goal], [{ ...goal, conclusion: 'n = 0' }])).toBe(false);
  expect(sameGoals([goal], [{ ...goal, hypotheses: [{ name: 'n', type: 'nat', body: '0' }] }])).toBe(false);
  expect(sameGoals([goal], [goal, goal])).toBe(false);
});
