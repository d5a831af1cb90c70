import { expect, test } from 'vitest';
import { decimalNumber } from './decimal-number.ts';

test.each([
  ['5', 5],
  ['0.25', 0.25],
  ['.5', 0.5],
  ['-3', -3],
  ['1e+308', 1e308],
  ['5e-324', Number.MIN_VALUE],
])('%s is a number', (text, value) => {
  expect(decimalNumber(text)).toBe(value);
});

test.each(['0x10', '0b11', '0o7', '', ' ', ' 5', '1_000', 'Infinity', '1e999', 'NaN', '5.', '$5'])(
  '%j is none',
  (text) => {
    expect(decimalNumber(text)).toBeUndefined();
  },
);
