import { expect, test } from 'vitest';
import { progressText } from './paced-progress.ts';

test.each([
  [{ message: 'Running.' }, 'Running.'],
  [{ message: 'a.v', done: 3, total: 17 }, 'a.v (3 of 17)'],
  [{ message: 'a.v', done: 3 }, 'a.v (3 so far)'],
  [{ message: '✗ a\n    a.v:1:0: No.', done: 1, total: 2 }, '✗ a (1 of 2)\n    a.v:1:0: No.'],
])('how far a call is stands in the first line: %j', (progress, text) => {
  expect(progressText(progress)).toBe(text);
});
