import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomNumbers } from '../../core/random.ts';
import { mcnemar, median, passAt, passAtK, signFlip, wilson } from './statistics.ts';

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
      expect(wilson(tried - Math.min(some, tried), tried).high).toBeCloseTo(1 - low, 10);
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

test('what was not tried', () => {
  expect(wilson(0, 0)).toMatchObject({ low: 0, high: 1 });
});

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

test('McNemar’s p of large counts stays finite', () => {
  expect(mcnemar(1200, 1000)).toBeGreaterThan(0);
  expect(mcnemar(1200, 1000)).toBeLessThan(1e-4);
});

test('the median', () => {
  expect([median([]), median([3]), median([5, 1]), median([9, 1, 4])]).toEqual([undefined, 3, 3, 4]);
});

test('pass@k is the share of all choices of k runs that have a solved one', () => {
  // Every choice is looked at.
  const choices = (runs: readonly boolean[], k: number): readonly (readonly boolean[])[] =>
    k === 0
      ? [[]]
      : runs.flatMap((run, at) => choices(runs.slice(at + 1), k - 1).map((rest) => [run, ...rest]));
  fc.assert(
    fc.property(
      fc.array(fc.boolean(), { minLength: 1, maxLength: 8 }),
      fc.integer({ min: 1, max: 8 }),
      (runs, k) => {
        const found = passAtK({ tried: runs.length, solved: runs.filter(Boolean).length }, k);
        if (k > runs.length) expect(found).toBeUndefined();
        else {
          const all = choices(runs, k);
          expect(found).toBeCloseTo(all.filter((some) => some.some(Boolean)).length / all.length, 9);
        }
      },
    ),
  );
});

test('pass@1 does not depend on how many runs there are, and pass@k grows with k', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 50 }), fc.nat(50), (tried, some) => {
      const repeats = { tried, solved: Math.min(some, tried) };
      expect(passAtK(repeats, 1)).toBeCloseTo(repeats.solved / tried, 9);
      const all = Array.from({ length: tried }, (_, k) => passAtK(repeats, k + 1) ?? Number.NaN);
      for (const [at, value] of all.entries())
        expect(value).toBeGreaterThanOrEqual((all[at - 1] ?? 0) - 1e-12);
    }),
  );
});

const repeated = fc
  .integer({ min: 2, max: 6 })
  .chain((tried) => fc.record({ tried: fc.constant(tried), solved: fc.nat(tried) }));

test('an interval is around its share and within 0 and 1; runs repeated do not narrow it', () => {
  fc.assert(
    fc.property(fc.array(repeated, { minLength: 1, maxLength: 20 }), (theorems) => {
      const { share, low, high } = passAt(theorems, 1);
      expect(0 <= low && low <= share && share <= high && high <= 1).toBe(true);
      // Ten times the runs with the same shares: nothing new is known of other theorems.
      const more = theorems.map(({ tried, solved }) => ({ tried: tried * 10, solved: solved * 10 }));
      const wider = passAt(more, 1);
      expect(wider.high - wider.low).toBeCloseTo(high - low, 9);
    }),
    { numRuns: 30 },
  );
  // Five repeats of ten theorems that come out alike: as wide as ten theorems, not as fifty.
  const alike = Array.from({ length: 10 }, (_, at) => ({ tried: 5, solved: at < 5 ? 5 : 0 }));
  const { low, high } = passAt(alike, 1);
  expect(high - low).toBeGreaterThan(wilson(25, 50).high - wilson(25, 50).low + 0.2);
  expect(passAt([{ tried: 3, solved: 3 }], 1)).toMatchObject({ share: 1, high: 1, low: wilson(1, 1).low });
});

test('the interval holds the truth about as often as it says', () => {
  let held = 0;
  const random = randomNumbers(1);
  const trials = 200;
  for (let trial = 0; trial < trials; trial++) {
    // Each theorem has a chance of its own, uniform: the mean is one half.
    const theorems = Array.from({ length: 30 }, () => {
      const chance = random();
      return { tried: 4, solved: Array.from({ length: 4 }, random).filter((value) => value < chance).length };
    });
    const { low, high } = passAt(theorems, 1);
    if (low <= 0.5 && 0.5 <= high) held++;
  }
  expect(held / trials).toBeGreaterThan(0.9);
});

test('with one run a theorem the sign-flip test is McNemar’s, and it is fair to both sides', () => {
  fc.assert(
    fc.property(fc.nat(30), fc.nat(30), (one, other) => {
      const differences = [...Array<number>(one).fill(1), ...Array<number>(other).fill(-1), 0, 0];
      expect(signFlip(differences)).toBeCloseTo(mcnemar(one, other), 9);
      expect(signFlip(differences.map((value) => 2 * value))).toBeCloseTo(mcnemar(one, other), 9);
    }),
  );
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -4, max: 4 }), { maxLength: 12 }), (differences) => {
      const p = signFlip(differences);
      expect(p).toBeGreaterThan(0);
      expect(signFlip(differences.map((value) => -value))).toBeCloseTo(p, 12);
    }),
  );
  // All repeats of one theorem are one observation, however many they are.
  expect(signFlip([12])).toBe(1);
});
