import fc from 'fast-check';
import { expect, it } from 'vitest';
import { randomNumbers } from './random.ts';

const drawn = (seed: number, count: number): number[] => Array.from({ length: count }, randomNumbers(seed));

it('gives the same numbers for the same seed, others for another, all in [0, 1)', () => {
  fc.assert(
    fc.property(fc.nat(2 ** 32 - 2), (seed) => {
      const numbers = drawn(seed, 20);
      expect(drawn(seed, 20)).toEqual(numbers);
      expect(drawn(seed + 1, 20)).not.toEqual(numbers);
      expect(numbers.every((number) => number >= 0 && number < 1)).toBe(true);
    }),
  );
});

it('spreads them evenly', () => {
  const tenths = new Array<number>(10).fill(0);
  for (const number of drawn(7, 100_000)) {
    const tenth = Math.floor(10 * number);
    tenths[tenth] = (tenths[tenth] ?? 0) + 1;
  }
  for (const count of tenths) expect(Math.abs(count - 10_000)).toBeLessThan(500);
});
