import { InvalidArgumentError } from 'commander';

/** A number on the command line of a bench. */
export function positive(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError('It must be a positive integer.');
  return value;
}
