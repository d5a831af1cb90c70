import { expect, test } from 'vitest';
import { withSameReason } from './same-reason.ts';

test('what has the same reason is told together, in the order of the first', () => {
  const items = [
    { name: 'a', why: 'x' },
    { name: 'b', why: 'y' },
    { name: 'c', why: 'x' },
  ];
  expect(
    withSameReason(items, ({ why }) => why).map(({ reason, of }) => [reason, of.map(({ name }) => name)]),
  ).toEqual([
    ['x', ['a', 'c']],
    ['y', ['b']],
  ]);
});
