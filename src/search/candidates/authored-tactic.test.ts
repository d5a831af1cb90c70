import { describe, expect, it } from 'vitest';
import {
  attemptKey,
  beginsWithInduction,
  piecesOf,
  shapeOf,
  splitTopLevel,
  usesInductionHypothesis,
  withoutNames,
} from './authored-tactic.ts';
import { atom, first, sequence, solve, tacticText, using, written, type Tactic } from './tactic.ts';

describe('splitTopLevel', () => {
  it.each([
    ['a; b; c', ';', ['a', 'b', 'c']],
    ['a; [b; c | d]; e', ';', ['a', '[b; c | d]', 'e']],
    [
      'repeat match goal with | H : _ |- _ => a; b end; c',
      ';',
      ['repeat match goal with | H : _ |- _ => a; b end', 'c'],
    ],
    [
      'lazymatch goal with |- _ => a; b end; multimatch goal with |- _ => c; d end',
      ';',
      ['lazymatch goal with |- _ => a; b end', 'multimatch goal with |- _ => c; d end'],
    ],
    ['auto | lia || ring | easy', '|', ['auto', 'lia || ring', 'easy']],
    ['idtac "a;b"; rematch', ';', ['idtac "a;b"', 'rematch']],
  ] as const)('splits %s', (text, separator, parts) => {
    expect(splitTopLevel(text, separator)).toEqual(parts);
  });
});

it.each([
  ['solve [auto | eauto using x]', solve(written('auto'), written('eauto using x'))],
  ['first [a; b | c]', first(written('a; b'), written('c'))],
  ['solve [a] || b', written('solve [a] || b')],
])('reads the shape of %s', (text, shape) => {
  expect(shapeOf(written(text))).toEqual(shape);
});

it('finds the pieces of what was built and of what was written alike', () => {
  const built = sequence(atom('intros'), atom('simpl', 'in *'), written('subst; auto'));
  expect(piecesOf(built).map(tacticText)).toEqual(['intros', 'simpl in *', 'subst', 'auto']);
  expect(piecesOf(written(tacticText(built))).map(tacticText)).toEqual(piecesOf(built).map(tacticText));
});

const keyOf = (tactic: Tactic): string => attemptKey(tactic, tacticText(tactic));

it('remembers a closer by itself, however it is put', () => {
  expect(new Set([written('solve [lia]'), solve(atom('lia')), atom('lia')].map(keyOf))).toEqual(
    new Set(['lia']),
  );
  expect(keyOf(solve(atom('lia'), atom('auto')))).toBe('solve [lia | auto]');
});

it.each([
  ['induction n', atom('induction', 'n'), true],
  ['revert m; induction n', sequence(atom('revert', 'm'), atom('induction', 'n')), true],
  ['by elim: n => //= *; congruence', sequence(atom('by elim:', 'n => //= *'), atom('congruence')), true],
  ['intros n; induction n', sequence(atom('intros', 'n'), atom('induction', 'n')), false],
  ['inversion n', atom('inversion', 'n'), false],
])('knows whether %s begins with an induction, built or written', (text, built, expected) => {
  expect(tacticText(built)).toBe(text);
  expect([beginsWithInduction(built), beginsWithInduction(written(text))]).toEqual([expected, expected]);
});

it.each([
  ['rewrite IHn; lia', sequence(atom('rewrite', 'IHn'), atom('lia')), true],
  ['apply: IH', atom('apply:', 'IH'), true],
  ['rewrite foo; apply IH', sequence(atom('rewrite', 'foo'), atom('apply', 'IH')), false],
  ['destruct IH', atom('destruct', 'IH'), false],
])('knows whether %s begins with an induction hypothesis, built or written', (text, built, expected) => {
  expect(tacticText(built)).toBe(text);
  expect([usesInductionHypothesis(built), usesInductionHypothesis(written(text))]).toEqual([
    expected,
    expected,
  ]);
});

it('takes what is made alike for other goals as one', () => {
  const made = (name: string): Tactic =>
    sequence(atom('unfold', `${name} in *`), solve(using('eauto 8', [name]), written(`auto using ${name}`)));
  expect(tacticText(withoutNames(made('f')))).toBe('unfold; solve [eauto 8 | auto]');
  expect(withoutNames(made('f'))).toEqual(withoutNames(made('g')));
});
