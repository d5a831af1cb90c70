import { expect, it } from 'vitest';
import { goal } from '../../provers/rocq/goals/testing/written-goal.ts';
import { comparisonReadings, comparisonSplits, readAny, type Comparison } from './comparisons.ts';
import { tacticText } from './tactic.ts';

const LEB: Comparison = {
  ...{ notation: '<=?', lemma: 'Nat.leb_spec', compares: 'Nat.leb' },
  answers: { true: 'Nat.leb_le', false: 'Nat.leb_gt' },
};

it('splits the comparisons of a conclusion and reads the answers of hypotheses', () => {
  const view = goal({ x: 'nat', H: '(x <=? 1) = false', K: '(x =? 1) = true' }, '(2 <=? x) = true');
  expect(comparisonSplits(view, [LEB]).map(tacticText)).toEqual(['destruct (Nat.leb_spec 2 x)']);
  expect(comparisonReadings(view, [LEB]).map(tacticText)).toEqual(['apply Nat.leb_gt in H']);
});

it('reads any answer in a strategy, where a comparison is known', () => {
  expect(readAny([])).toBeUndefined();
  const reading = readAny([LEB]);
  expect(reading && tacticText(reading)).toBe(
    'match goal with H : Nat.leb _ _ = true |- _ => apply Nat.leb_le in H | H : Nat.leb _ _ = false |- _ => apply Nat.leb_gt in H end',
  );
});
