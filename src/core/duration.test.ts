import { expect, test } from 'vitest';
import { formatDuration, timerDelay } from './duration.ts';

test('a time is never told as nothing', () => {
  expect([0, 0.4, 1, 9.99, 10, 345, 9_999, 12_500, 125_000].map(formatDuration)).toEqual([
    '< 1 ms',
    '< 1 ms',
    '1 ms',
    '9 ms',
    '0.01 s',
    '0.34 s',
    '10.00 s',
    '12.5 s',
    '2 min 05 s',
  ]);
});

test('what is asked for without reason is told in words', () => {
  expect(formatDuration(1e33)).toBe('more than a year');
});

test('a timer never ends at once because so much time was asked for', () => {
  expect([-5, 0, 0.2, 1e6, 1e13, Number.POSITIVE_INFINITY].map(timerDelay)).toEqual([
    ...[0, 0, 1, 1e6],
    ...[2_147_483_647, 2_147_483_647],
  ]);
});
