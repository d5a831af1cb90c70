import { expect, test } from 'vitest';
import { stateBadge, statementLine } from './stated.ts';

test.each([
  ['Lemma add_zero (n : nat) : n + 0 = n.', 'add_zero', ' (n : nat) : n + 0 = n.'],
  // The name is also a part of the word before it.
  ['Variable r : RelDec eqt.', 'r', ' : RelDec eqt.'],
  ['Lemma a_b : a_b_c = 1.\n', 'a_b', ' : a_b_c = 1. '],
  ['Instance : Proper eq f.', 'f', '.'],
  ['Goal True.', 'Unnamed_thm', 'Goal True.'],
])('what stands behind the name of %s', (statement, name, expected) => {
  expect(statementLine(statement, name)).toBe(expected);
});

test.each([
  ['proved', 'yes', 'good'],
  ['proved', 'not-known', 'plain'],
  ['proved', null, 'good'],
  ['proved', 'no', 'plain'],
  ['proved', 'no-module-name', 'plain'],
  ['open', 'no', 'open'],
] as const)('the badge of what is %s in a file that is compiled (%s) is %s', (state, compiled, tone) => {
  expect(stateBadge({ state, compiled, file: 'a.v' }).tone).toBe(tone);
});
