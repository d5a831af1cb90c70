/** Keys are written as keyboards name them. */
import { expect, it } from 'vitest';
import { keyText } from './keys.ts';

it.each([
  ['alt+arrowdown', 'Alt ↓'],
  ['alt+arrowup', 'Alt ↑'],
  ['ctrl+s', 'Ctrl S'],
  ['g p', 'G then P'],
])('%s is written %s', (keys, written) => {
  expect(keyText(keys)).toBe(written);
});
