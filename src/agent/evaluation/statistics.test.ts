import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mcnemar, median, wilson } from './statistics.ts';

test('Wilson’s interval: textbook values, and always around the share', () => {
  // 95 % score intervals: Newcombe 1998, table I (81 of 263, 15 of 148, 0 of 20, 1 of 29).
  for (const [successes, tried, low, high] of [
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ] as const) {
    const found = wilson(successes, tried);
    expect(found.low).toBeCloseTo(low, 4);
    expect(found.high).toBeCloseTo(high, 4);
  }
  fc.assert(
    fc.property(fc.nat(200), fc.integer({ min: 1, max: 200 }), (some, tried) => {
      const { share, low, high } = wilson(Math.min(some, tried), tried);
      expect(low).toBeLessThanOrEqual(share + 1e-12);
      expect(high).toBeGreaterThanOrEqual(share - 1e-12);
    }),
  );
});

test('McNemar’s exact p is twice the binomial tail', () => {
  const choose = (n: number, k: number): number => (k === 0 ? 1 : (choose(n, k - 1) * (n - k + 1)) / k);
  fc.assert(
    fc.property(fc.nat(40), fc.nat(40), (one, other) => {
      const total = one + other;
      let tail = 0;
      for (let k = 0; k <= Math.min(one, other); k++) tail += choose(total, k) / 2 ** total;
      expect(mcnemar(one, other)).toBeCloseTo(Math.min(1, 2 * tail), 9);
      expect(mcnemar(one, other)).toBe(mcnemar(other, one));
    }),
  );
  expect(mcnemar(0, 0)).toBe(1);
});

test('the median', () => {
  expect([median([]), median([3]), median([5, 1]), median([9, 1, 4])]).toEqual([undefined, 3, 3, 4]);
});
