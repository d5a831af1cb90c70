import { expect, it } from 'vitest';
import { mayMatch, mayOccur } from './matching.ts';
import { readTerm } from './term-reader.ts';

it.each([
  ['le x y', 'le 1 (f 2)', ['x', 'y'], true],
  ['le x y', 'lt 1 2', ['x', 'y'], false],
  ['f (g x)', 'f (h 1)', ['x'], false],
  ['le x y', 'le ?n 2', ['x', 'y'], true],
  // What is printed may hide arguments, so other arities say nothing.
  ['length l', 'length A l', [], true],
])('%s may match %s: %s', (pattern, term, bound, expected) => {
  expect(mayMatch(readTerm(pattern), readTerm(term), new Set(bound))).toBe(expected);
});

it('looks inside for what is more than a hole', () => {
  const [goal, bound] = [readTerm('P (rev (rev l))'), new Set(['x'])];
  expect(mayOccur(readTerm('rev (rev x)'), goal, bound)).toBe(true);
  expect(mayOccur(readTerm('map x'), goal, bound)).toBe(false);
  expect(mayOccur(readTerm('x'), goal, bound)).toBe(false);
});
