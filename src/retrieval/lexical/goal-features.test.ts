import { expect, it } from 'vitest';
import { goal } from '../../provers/rocq/goals/testing/written-goal.ts';
import { goalFeatures, symbolFeature } from './goal-features.ts';

it('are the same whatever the variables are called', () => {
  const one = goalFeatures(goal({ n: 'nat', H: 'le n 3' }, 'forall m, f n m = m'));
  const other = goalFeatures(goal({ k: 'nat', E: 'le k 3' }, 'forall j, f k j = j'));
  expect(new Map(one)).toEqual(new Map(other));
});

it('say which constants are mentioned, those of hypotheses with less weight', () => {
  const features = goalFeatures(goal({ n: 'nat', H: 'even n' }, 'odd (S n)'));
  expect(features.get(symbolFeature('odd'))).toBe(1);
  expect(features.get(symbolFeature('even'))).toBeUndefined();
  expect(features.get(symbolFeature('heven'))).toBeLessThan(1);
  expect(features.get(symbolFeature('n'))).toBeUndefined();
});
