/** An error of a file for which something later in it is refused, and how that is told. */
import { present } from '../../core/entry.ts';
import type { QuodError } from '../../core/errors.ts';

export interface EarlierFailure {
  /** Of what is not declared for it. */
  readonly name: string;
  readonly error: QuodError;
}

/** Behind `for`. */
export function earlierText({ name, error: { message, place } }: EarlierFailure): string {
  const { line, column } = present(place.position, 'place of an error');
  return `the error in ${name} at ${line}:${column}: ${message}`;
}

/** Why the prover does not take a statement. */
export interface RefusedStatement {
  readonly error: QuodError;
  readonly follows?: EarlierFailure;
}
