import { expect, test } from 'vitest';
import { clause, nothingBehindText } from './sentence.ts';

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

test('a text that ends in the middle of something is told where that begins, and what may be missing', () => {
  expect(nothingBehindText('a.\n (* b', { inside: 'comment', start: 4 })).toBe(
    'The comment that starts at 2:1 has no end, so that nothing behind it is read.',
  );
  expect(nothingBehindText('Lemma a', { inside: 'sentence', start: 0 })).toBe(
    'The sentence that starts at 1:0 has no end, so that nothing behind it is read: is the dot at its end missing?',
  );
});
