/** Reads the errors that F* prints; for people, since a tactic can print them too. */
import type { PrintedPosition } from '../../core/position.ts';

export interface PrintedError {
  readonly file: string;
  readonly position: PrintedPosition;
  readonly message: string;
}

/** `A.fst(3,4-3,9): (Error 19) …`, and with a star and on more lines in F* of today. */
export function readErrors(said: string): readonly PrintedError[] {
  const form =
    /^(?:\* Error \d+ at )?([\w.']+\.fsti?)\((\d+),(\d+)-\d+,\d+\): ?(?:\(Error(?: \d+)?\) )?([^\n]*(?:\n {2}[^\n]*)*)/gm;
  return [...said.matchAll(form)]
    .filter(([whole]) => whole.includes('Error'))
    .map(([, file = '', line, column, message = '']) => ({
      file,
      position: { line: Number(line), column: Number(column) },
      message: message.trim().slice(0, 500),
    }));
}
