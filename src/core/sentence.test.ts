import { expect, test } from 'vitest';
import { clause } from './sentence.ts';

test.each([
  ['It failed.', 'It failed'],
  ['It failed', 'It failed'],
  ['It failed.\n', 'It failed'],
  ['waiting...', 'waiting...'],
  ['waiting…', 'waiting…'],
  ['.', ''],
  ['', ''],
])('%j ends a sentence with one dot', (said, within) => {
  expect(clause(said)).toBe(within);
});
