import { expect, it } from 'vitest';
import { readTerm } from '../../provers/rocq/goals/term-reader.ts';
import { Definitions } from './definitions.ts';
import { closedValues, numeralsOf } from './closed-values.ts';

it.each([
  ['nat', ['0', '1', '2', '3', '4', '7']],
  ['Z', ['0%Z', '1%Z', '(-1)%Z', '2%Z', '(-2)%Z', '3%Z']],
  ['bool', ['true', 'false']],
  ['option bool', ['None', '(Some true)', '(Some false)']],
  ['bool * bool', ['(true, true)', '(true, false)', '(false, true)', '(false, false)']],
  [
    'list nat',
    ['nil', '(0 :: nil)%list', '(1 :: nil)%list', '(2 :: nil)%list', '(3 :: nil)%list', '(4 :: nil)%list'],
  ],
  ['nat -> nat', []],
  ['A', []],
])('knows values of %s', (type, values) => {
  const wanted = { most: 5, numerals: [7], definitions: new Definitions() };
  expect(closedValues(readTerm(type), wanted)).toEqual(values);
});

it('reads the numbers that a goal speaks of', () => {
  expect(numeralsOf(readTerm('exists n : nat, 3 * n + 4 = 64 /\\ n < 12345'))).toEqual([3, 4, 64]);
});
