/** Values on the command line. All throw InvalidArgumentError, which commander prints with the option's name. */
import { InvalidArgumentError } from 'commander';
import { decimalNumber } from '../../../core/numbers/decimal-number.ts';

/** For an option of which a second one must not replace the first in silence. */
export function onlyOne(text: string, previous: string | undefined): string {
  if (previous !== undefined)
    throw new InvalidArgumentError('It is given twice: give the one that is meant.');
  return text;
}

/** What a system calls its standard input. */
const STANDARD_INPUT = /^(?:-|\/dev\/stdin|\/dev\/fd\/0|\/proc\/self\/fd\/0)$/u;

/** The name of a file, which is read where it lies: its folder says what project it belongs to. */
export function fileName(text: string): string {
  if (STANDARD_INPUT.test(text))
    throw new InvalidArgumentError(
      'Files are taken by their names, and none is read from standard input: write the text into a file, and name that.',
    );
  return text;
}

export function fileNames(text: string, previous: readonly string[] | undefined): readonly string[] {
  return [...(previous ?? []), fileName(text)];
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
