/** What a run has put into a Rocq file, told from what somebody else did. */
import type { FoundProof } from '../../agent/target.ts';
import type { SourceFile } from '../../operations/files/source-file.ts';
import { readSentProof } from '../../operations/rocq/proof/single-proof.ts';
import { sameStatementIn, statementNamed } from '../../provers/rocq/syntax/named-statements.ts';
import { outlineOf } from '../../provers/rocq/syntax/outline.ts';
import type { FileOutline, TheoremItem } from '../../provers/rocq/syntax/outline.ts';
import { proofTextOf } from '../../provers/rocq/syntax/theorem-text.ts';
import { addsOnlyProofs, otherProofs } from '../own-change.ts';
import type { Change, ChangeOfRun } from '../own-change.ts';
import { isChangedElsewhere } from './rocq-comparison.ts';
import { withProof } from './rocq-lemma-places.ts';

/** As {@link addsOnlyProofs}; without proofs those of the theorems may be any, and lemmas may stand beside them. */
export function addsOnlyRocqProofs(
  source: SourceFile,
  theorems: readonly string[],
  change: ChangeOfRun,
): boolean {
  return addsOnlyProofs(change, theorems, {
    proofIn,
    withProof: (text, theorem, found) => asWritten({ ...source, text }, theorem, found),
    isChangedElsewhere: ({ before, after }) =>
      isChangedElsewhere({ text: after, original: before, wanted: theorems }),
  });
}

/** As {@link otherProofs}. */
export function otherRocqProofs(theorems: readonly string[], change: Change): readonly string[] {
  return otherProofs(change, theorems, ({ before, after }, theorem) => {
    const [old, now] = [outlineOf(before), outlineOf(after)];
    const item = statementNamed(old, theorem);
    const place = item === undefined ? statementNamed(now, theorem) : sameStatementIn(now, item);
    return { was: behind(old, item), now: behind(now, place) };
  });
}

/** What honest senders wrap around a proof was taken off before it was written. */
function asWritten(source: SourceFile, theorem: string, found: FoundProof): string {
  const outline = outlineOf(source.text);
  const item = statementNamed(outline, theorem);
  const sent = item && readSentProof(found.proof, { outline, item });
  return withProof(source, theorem, sent?.kind === 'proof' ? { ...found, proof: sent.script } : found);
}

function proofIn(text: string, theorem: string): string | undefined {
  const outline = outlineOf(text);
  return behind(outline, statementNamed(outline, theorem));
}

function behind(outline: FileOutline, item: TheoremItem | undefined): string | undefined {
  return item && proofTextOf(outline, item);
}
