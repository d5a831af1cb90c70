/**
 * Reads from the tables of the kernel. A number that a table does not have is a defect of Quod: it ends the replay
 * with no verdict, because anything that stood for it could make two different things look equal.
 */
import { QuodError } from '../../../core/errors.ts';

/** An entry of a table whose indices are computed to lie in it. */
export function tableEntry(table: Int32Array, index: number): number {
  const value = table[index];
  if (value === undefined) throw noSuch('entry', index);
  return value;
}

export function noSuch(what: string, number: number): QuodError {
  return new QuodError('internal', `The replay kernel has no ${what} ${number}.`);
}
