import { expect, test } from 'vitest';
import { exitCodeOf, exitCodeOfFailure } from './exit-codes.ts';

test('a call that ran out of time could not look; a theorem that did was looked at', () => {
  expect(exitCodeOfFailure('timeout')).toBe(2);
  expect(exitCodeOf('timeout')).toBe(1);
  expect(exitCodeOfFailure('interrupted')).toBe(130);
  expect(exitCodeOfFailure('not-verified')).toBe(1);
});
