import { expect, test } from 'vitest';
import { RecentlyUsed } from './recently-used.ts';

test('what was not used for longest is dropped when all together are too large', () => {
  const kept = new RecentlyUsed<string>(10);
  expect(kept.keep('a', 'A', 4)).toEqual([]);
  expect(kept.keep('b', 'B', 4)).toEqual([]);
  expect(kept.get('a')).toBe('A');
  expect(kept.keep('c', 'C', 4)).toEqual(['B']);
  expect(kept.entries()).toEqual([
    ['a', 'A'],
    ['c', 'C'],
  ]);
});

test('the newest is kept however large it is, and takes the place of what had its key', () => {
  const kept = new RecentlyUsed<string>(10);
  kept.keep('a', 'A', 4);
  expect(kept.keep('b', 'B', 40)).toEqual(['A']);
  expect(kept.keep('b', 'small', 4)).toEqual([]);
  expect(kept.keep('c', 'C', 6)).toEqual([]);
  kept.drop('b');
  kept.drop('b');
  expect(kept.entries()).toEqual([['c', 'C']]);
  expect(kept.keep('d', 'D', 4)).toEqual([]);
});
