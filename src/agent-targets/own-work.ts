/**
 * Whether a file is what a run found, or that with the run's own proofs. A log is text that anybody can write, and so
 * are the hashes in it: what it says that it left is believed where it follows from the text that it began with.
 */
import type { FoundProof } from '../agent/target.ts';
import { spoken } from '../agent/spoken-proof.ts';
import { orNone } from './own-proofs.ts';
import type { KnownFile } from './target-choice.ts';

interface FileNow {
  readonly hash: string;
  readonly text: string;
  /** A text of this file with a proof in its place. @throws QuodError where there is no such place. */
  readonly withProof: (text: string, theorem: string, found: FoundProof) => string;
  /** Whether all that the original states is in the file as it was, and these theorems are proved. */
  readonly proves: (original: string, theorems: readonly string[]) => Promise<boolean>;
}

export async function isOwnWork({ original, hashes, proofs }: KnownFile, now: FileNow): Promise<boolean> {
  // Logs of older versions do not have the text.
  if (original === '') return hashes.includes(now.hash);
  if (now.text === original) return true;
  const standing = [...proofs].filter(
    ([theorem, found]) => spoken(orNone(() => now.withProof(now.text, theorem, found))) === spoken(now.text),
  );
  const filled = (text: string): string | undefined =>
    orNone(() => standing.reduce((so, [theorem, found]) => now.withProof(so, theorem, found), text));
  // Put in again, a proof has the same blanks in both.
  const rebuilt = filled(original);
  if (standing.length > 0 && rebuilt !== undefined && rebuilt === filled(now.text)) return true;
  // Helper lemmas may stand elsewhere, and somebody else may have proved what the run does not work on, also before it wrote
  // anything: another run, for instance.
  return await now.proves(
    original,
    standing.map(([theorem]) => theorem),
  );
}
