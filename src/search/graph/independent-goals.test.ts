import { expect, it } from 'vitest';
import type { Goal } from '../../core/proof-state.ts';
import { independentGoals } from './independent-goals.ts';

const goal = (conclusion: string, type = 'nat'): Goal => ({
  id: conclusion,
  hypotheses: [{ name: 'h', type }],
  conclusion,
});

it('takes goals apart that share no existential variable, and keeps them together when two share one', () => {
  const apart = [goal('P ?a'), goal('Q ?b'), goal('R')];
  expect(independentGoals(apart)).toEqual(apart.map((only) => [only]));
  const together = [goal('P ?a'), goal('R'), goal('Q', 'S ?a')];
  expect(independentGoals(together)).toEqual([together]);
  expect(independentGoals([])).toEqual([]);
});
