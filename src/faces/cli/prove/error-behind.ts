/** Words for the error at which a file stops compiling behind its proofs, where some of it was told before. */
import { QuodError } from '../../../core/errors.ts';
import { LineIndex } from '../../../core/position.ts';
import { offsetAfter, replaced, type Replacement } from '../../../core/replacement.ts';

/**
 * Whether an error behind the proofs, whose place is in the file with what was written, was told before them.
 * @param told Their places are in the file as it was.
 */
export function isToldAt(
  { place: { position: at } }: QuodError,
  told: readonly QuodError[],
  { text, written }: { readonly text: string; readonly written: readonly Replacement[] },
): boolean {
  if (at === undefined) return false;
  const lines = new LineIndex(text);
  const now = new LineIndex(replaced(text, written));
  return told.some(({ place: { position } }) => {
    const offset = position && lines.offsetOfPrinted(position);
    if (offset === undefined) return false;
    const { line, column } = now.printedAt(offsetAfter(offset, written));
    return line === at.line && column === at.column;
  });
}

/** What the error is need not be read twice. */
export function toldBefore({ reason, place, remedy }: QuodError): QuodError {
  return new QuodError(reason, 'The file stops compiling there, at the error that is told above.', {
    ...{ place, ...(remedy !== undefined && { remedy }) },
  });
}

/** Errors that were told before have their places in the file as it was. */
export function inWritten(error: QuodError, written: readonly Replacement[]): QuodError {
  const { reason, message, place, remedy } = error;
  if (written.length === 0 || place.position === undefined) return error;
  return new QuodError(reason, `${message} (This is the place in the file with the proofs.)`, {
    ...{ place, ...(remedy !== undefined && { remedy }) },
  });
}
