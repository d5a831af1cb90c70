import { expect, test } from 'vitest';
import { shownValue } from './json-line.ts';

test('a value that nests deeper than the stack goes is named, and a long one is cut', () => {
  const depth = 1_000_000;
  const line = '['.repeat(depth) + ']'.repeat(depth);
  const value: unknown = JSON.parse(line);
  expect(shownValue(value)).toBe('an array');
  expect(shownValue('a'.repeat(1000)).length).toBeLessThan(100);
});
