import { expect, test } from 'vitest';
import { mcnemar } from './mcnemar.ts';

test.each([
  [0, 0, 1],
  [1, 0, 1],
  [5, 5, 1],
  // 2 × (1 + 10) / 2^10
  [9, 1, 22 / 1024],
  [10, 0, 2 / 1024],
])('%i against %i gives p = %f', (one, other, p) => {
  expect(mcnemar(one, other)).toBeCloseTo(p, 12);
  expect(mcnemar(other, one)).toBeCloseTo(p, 12);
});

test('large counts stay finite', () => {
  expect(mcnemar(1200, 1000)).toBeGreaterThan(0);
  expect(mcnemar(1200, 1000)).toBeLessThan(1e-4);
});
