/** What a query answers. The document managers hand out everything that was said while it ran. */
import type { Diagnostic } from '../../core/diagnostic.ts';

/**
 * An answer is a notice. Other levels are about the work: warnings on the command, and the files that Rocq reads for it
 * (`Fetching opaque proofs from disk for …`), which stand between the lines of the answer.
 */
export function answersAmong(said: readonly Diagnostic[]): readonly Diagnostic[] {
  return said.filter(({ severity }) => severity === 'notice');
}
