import { expect, it } from 'vitest';
import { allowanceOf } from './allowance.ts';

it('counts what it took to prepare, up to half of what there is', () => {
  const pass = (preparedMs: number): number => allowanceOf({ milliseconds: 100_000 }, preparedMs).forPass();
  // A pass may use up half of what is left.
  expect(pass(0)).toBeGreaterThan(45_000);
  expect(pass(20_000)).toBeLessThanOrEqual(40_000);
  expect(pass(20_000)).toBeGreaterThan(35_000);
  expect(pass(90_000)).toBeGreaterThan(20_000);
  expect(allowanceOf({ sentences: 5 }, 90_000).isSpent()).toBe(false);
});
