import { expect, test } from 'vitest';
import { pearson, ranks, spearman } from './correlation.ts';

test('ranks count from 1, and equals share the mean', () => {
  expect([...ranks(Float32Array.of(30, 10, 20, 20, -5))]).toEqual([5, 2, 3.5, 3.5, 1]);
});

test('Pearson sees lines, Spearman sees order', () => {
  const [values, line, curve] = [
    Float32Array.of(1, 2, 3, 4),
    Float32Array.of(9, 7, 5, 3),
    Float32Array.of(1, 8, 27, 64),
  ];
  expect(pearson(values, line)).toBeCloseTo(-1, 12);
  expect(pearson(values, curve)).toBeLessThan(0.99);
  expect(spearman(values, curve)).toBeCloseTo(1, 6);
});

test('an example by hand', () => {
  // Differences of ranks 0, 1, -1, 0: 1 - 6 × 2 / (4 × 15).
  expect(spearman(Float32Array.of(1, 2, 3, 4), Float32Array.of(1, 3, 2, 4))).toBeCloseTo(0.8, 6);
});
