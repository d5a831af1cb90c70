/** Which text may be put into a script as a proof, whatever HOL says of it. */
import { QuodError } from '../../core/errors.ts';
import { misleadingCharacter, WITHOUT_MISLEADING } from '../../core/foreign-text.ts';
import { capitalised } from '../../core/sentence.ts';
import { findCheats } from '../../provers/hol4/syntax/cheats.ts';

/** @throws QuodError `invalid-input` for one that gives up, or that looks like another one than HOL reads. */
export function requireFitProof(text: string): void {
  const [cheat] = findCheats(text, { start: 0, end: text.length });
  if (cheat !== undefined) {
    throw new QuodError('invalid-input', `The proof uses ${cheat.name}, which proves nothing.`, {
      remedy: 'Prove it by tactics.',
    });
  }
  const misleading = misleadingCharacter(text);
  if (misleading !== undefined) {
    throw new QuodError('invalid-input', `${capitalised(misleading.what)} stands in the proof.`, {
      remedy: WITHOUT_MISLEADING,
    });
  }
}
