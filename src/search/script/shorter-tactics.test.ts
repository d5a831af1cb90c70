import { expect, it } from 'vitest';
import { atom, sequence, solve, tacticText, using, written, type Tactic } from '../candidates/tactic.ts';
import { shorterTactics } from './shorter-tactics.ts';

function shorter(tactic: Tactic): string[] {
  return [...shorterTactics(tactic)].map(tacticText);
}

it('offers what is posed without precautions', () => {
  const posed: Tactic = {
    kind: 'pose',
    lemma: 'app_length',
    everyArgument: true,
    arguments: ['_', 'l', 'k'],
  };
  const built = sequence({ kind: 'try', tactic: posed }, atom('lia'));
  const expected = [
    'lia',
    'try pose proof (@app_length _ l k)',
    'pose proof (@app_length _ l k); lia',
    'try pose proof (app_length l k); lia',
  ];
  expect(shorter(built)).toEqual(expected);
  expect(shorter(written(tacticText(built)))).toEqual(expected);
});

it('offers each alternative alone and each chain without one piece, of what was built and what was written', () => {
  for (const [built, expected] of [
    [solve(atom('auto'), atom('lia')), ['auto', 'lia']],
    [sequence(atom('intros'), atom('simpl'), atom('auto')), ['simpl; auto', 'intros; auto', 'intros; simpl']],
    [
      sequence(atom('intros'), solve(solve(atom('auto')))),
      ['intros; auto', 'solve [solve [auto]]', 'intros'],
    ],
  ] as const) {
    expect(shorter(built)).toEqual(expected);
    expect(shorter(written(tacticText(built)))).toEqual(expected);
  }
});

it('leaves out lemmas, all at once and one by one', () => {
  const expected = ['eauto 7', 'eauto 7 using b', 'eauto 7 using a'];
  expect(shorter(using('eauto 7', ['a', 'b']))).toEqual(expected);
  expect(shorter(written('eauto 7 using a, b'))).toEqual(expected);
});

it('keeps the alternatives behind rounds, which may leave goals of several kinds', () => {
  const rounds: Tactic = { kind: 'rounds', times: 3, steps: [atom('simpl')], tidies: true };
  expect(shorter(sequence(rounds, solve(atom('auto'), atom('lia'))))).toEqual([
    'solve [auto | lia]',
    'do 3 try (first [simpl]; subst; try discriminate)',
  ]);
});
