/**
 * What of a text that is typed is not run before it is saved: sentences that reach beyond the prover (files, plugins,
 * processes), and commands that Quod does not know. Whoever may call an operation has no more rights by that than to
 * ask a prover; whoever writes into the folder has them.
 */
import type { Diagnostic } from '../../../core/diagnostic.ts';
import type { TheoremItem } from '../../../provers/rocq/syntax/outline.ts';
import { reachOf, tacticWordsOf } from '../session/forbidden-in-proof.ts';
import type { RocqFile } from '../session/rocq-file.ts';
import type { SentenceRun } from './sentence-memory.ts';

/** By the number of the sentence: what is said of it instead of running it. */
export type HeldBack = ReadonlyMap<number, SentenceRun>;

/** @param saved The file as it is on the disk; undefined where there is none. */
export function heldBackOf(
  text: RocqFile,
  saved: RocqFile | undefined,
  theoremOf: readonly (TheoremItem | undefined)[],
): HeldBack {
  const written = new Set(saved?.outline.sentences.map(({ text: own }) => own));
  const tactics = tacticWordsOf(saved);
  const held = new Map<number, SentenceRun>();
  for (const [index, sentence] of text.outline.sentences.entries()) {
    if (written.has(sentence.text)) continue;
    const theorem = theoremOf[index];
    const inProof = theorem !== undefined && theorem.sentence !== index;
    const what = reachOf(sentence, tactics, inProof);
    if (what !== undefined) held.set(index, refused(what));
  }
  return held;
}

function refused(what: string): SentenceRun {
  const error: Diagnostic = {
    severity: 'error',
    message: `${what} is run when it stands in the saved file: it is no command that stays within the prover. Save the file first.`,
  };
  return { elapsedMs: 0, messages: [], error, reason: 'not-allowed', proof: undefined };
}
