/** Goals as they are shown where a search stood, and as what a lemma would state. */
import { expect, test } from 'vitest';
import type { Goal, Hypothesis } from '../../core/proof-state.ts';
import { bestGoalAdvice, bestGoalFields, bestGoalStatements, bestGoalTexts } from './best-goals.ts';

const NAT: readonly Hypothesis[] = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => ({ name, type: 'nat' }));

function goal(conclusion: string, hypotheses: readonly Hypothesis[] = []): Goal {
  return { id: '1', hypotheses, conclusion };
}

test('a statement has every hypothesis, and those of one type together, where the text has the last ones', () => {
  const one = goal('a = b', [...NAT, { name: 'H', type: 'a <= b' }]);
  expect(bestGoalStatements([one])).toEqual(['forall (a b c d e f : nat) (H : a <= b),\n  a = b']);
  expect(bestGoalTexts([one])[0]).toMatch(/^… 2 more hypotheses\n/u);
});

test('what is defined stays so, and does not share its parentheses', () => {
  const hypotheses = [
    { name: 'a', type: 'nat' },
    { name: 'x', type: 'nat', body: 'a + 1' },
    { name: 'b', type: 'nat' },
  ];
  expect(bestGoalStatements([goal('x = b', hypotheses)])).toEqual([
    'forall (a : nat) (x : nat := a + 1) (b : nat),\n  x = b',
  ]);
});

test('without hypotheses it is the conclusion', () => {
  expect(bestGoalStatements([goal('0 = 1')])).toEqual(['0 = 1']);
});

test('what has something unknown in it, or is very long, states nothing', () => {
  const unknown = goal('?n = 1');
  const long = goal(`${'1 + '.repeat(1000)}1 = 0`);
  const named = goal("f' ? x = 1");
  expect(bestGoalStatements([unknown, long, named])).toEqual([null, null, "f' ? x = 1"]);
});

test('goals that look false state nothing, and no lemma of them is advised', () => {
  expect(bestGoalFields({ bestGoals: [goal('0 = 1')], areFalse: true })).toEqual({
    ...{
      goals_at_best: ['⊢ 0 = 1'],
      statements_at_best: [null],
      false_at_best: true,
      unlooked_at_best: false,
    },
  });
  expect(bestGoalAdvice({ areFalse: true })).not.toContain('State this');
  expect(bestGoalAdvice({})).toContain('State this');
  expect(bestGoalAdvice({ areUnlooked: true })).toContain('counterexample before you state it');
});
