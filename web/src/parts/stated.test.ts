import { expect, test } from 'vitest';
import { statementLine } from './stated.ts';

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
