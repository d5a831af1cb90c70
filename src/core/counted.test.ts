import { expect, test } from 'vitest';
import { counted, percent, someOf } from './counted.ts';

test('one thing is told as one', () => {
  expect([0, 1, 2, 21].map((count) => counted(count, 'goal'))).toEqual([
    '0 goals',
    '1 goal',
    '2 goals',
    '21 goals',
  ]);
  expect([1, 3].map((count) => counted(count, 'entry', 'entries'))).toEqual(['1 entry', '3 entries']);
});

test('of many names some are told, and how many there are besides', () => {
  expect([[], ['a'], ['a', 'b'], ['a', 'b', 'c', 'd']].map((names) => someOf(names, 2))).toEqual([
    '',
    'a',
    'a, b',
    'a, b and 2 more',
  ]);
});

test('a share is told in whole percents', () => {
  expect([0, 0.004, 0.366, 1].map(percent)).toEqual(['0 %', '0 %', '37 %', '100 %']);
});
