import { expect, test } from 'vitest';
import { amount } from './option-values.ts';

test('an amount of money is a decimal number', () => {
  expect(['5', '0.5', '.5', '1e308'].map(amount)).toEqual([5, 0.5, 0.5, 1e308]);
  for (const text of ['0x10', '0b1', '0', '-1', '', 'Infinity'])
    expect(() => amount(text), text).toThrow('It must be a number above 0.');
});
