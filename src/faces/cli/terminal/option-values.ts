/** Values on the command line. All throw InvalidArgumentError, which commander prints with the option's name. */
import { InvalidArgumentError } from 'commander';
import { decimalNumber } from '../../../core/numbers/decimal-number.ts';

/** For an option of which a second one must not replace the first in silence. */
export function onlyOne(text: string, previous: string | undefined): string {
  if (previous !== undefined)
    throw new InvalidArgumentError('It is given twice: give the one that is meant.');
  return text;
}

export function wholeNumber(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value)) {
    throw new InvalidArgumentError('It must be a whole number.');
  }
  return value;
}

export function count(text: string): number {
  const value = wholeNumber(text);
  if (value === 0) throw new InvalidArgumentError('It must be at least 1.');
  return value;
}

/** 0 is any that is free. */
export function port(text: string): number {
  const value = wholeNumber(text);
  if (value > 65_535) throw new InvalidArgumentError('Ports are 0 to 65535.');
  return value;
}

export function amount(text: string): number {
  const value = decimalNumber(text);
  if (value === undefined || value <= 0) throw new InvalidArgumentError('It must be a number above 0.');
  return value;
}
