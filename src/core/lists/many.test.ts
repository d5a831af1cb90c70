import { expect, test } from 'vitest';
import { appendAll, greatestOf, leastOf } from './many.ts';

const MANY = Array.from({ length: 400_000 }, (_, index) => index);

test('a list of any length is appended and compared', () => {
  const list = [-1];
  appendAll(list, MANY);
  expect(list).toHaveLength(MANY.length + 1);
  expect([greatestOf(list), leastOf(list)]).toEqual([MANY.length - 1, -1]);
});

test('of no numbers it is what Math says of none', () => {
  expect([greatestOf([]), leastOf([])]).toEqual([Math.max(), Math.min()]);
});
