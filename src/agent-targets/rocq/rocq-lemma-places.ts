/** Where helper lemmas stand in a file, and the proofs that use them. */
import { orNothing } from '../../core/entry.ts';
import { QuodError } from '../../core/errors.ts';
import type { FoundProof } from '../../agent/target.ts';
import type { StandingProof } from '../own-proofs.ts';
import type { Replacement } from '../../core/replacement.ts';
import { applyReplacements, type SourceFile } from '../../operations/files/source-file.ts';
import { insertionBefore, proofReplacements } from '../../operations/rocq/proof/proof-with-lemmas.ts';
import { statementNamed } from '../../provers/rocq/syntax/named-statements.ts';
import { withoutComments } from '../../provers/rocq/syntax/lexer.ts';
import { outlineOf, type FileOutline, type TheoremItem } from '../../provers/rocq/syntax/outline.ts';
import { proofTextOf, workIn } from '../../provers/rocq/syntax/theorem-text.ts';

/** The text of a file with a proof in its place and the lemmas that it uses before its statement. */
export function withProof(source: SourceFile, theorem: string, found: FoundProof): string {
  const outline = outlineOf(source.text);
  return applyReplacements(source, proofReplacements(outline, statementOf(outline, theorem), found));
}

/** The proofs of these theorems. Comments of a hole are kept where it is filled, and do not count. */
export function proofsIn(text: string, theorems: readonly string[]): ReadonlyMap<string, StandingProof> {
  const outline = outlineOf(text);
  return new Map(
    theorems.flatMap((theorem) => {
      const item = statementNamed(outline, theorem);
      if (item === undefined) return [];
      const proof = orNothing(proofTextOf(outline, item));
      const isOpen = item.hole !== undefined;
      const work = workIn(outline, item);
      return [[theorem, { text: isOpen ? withoutComments(proof) : proof, work, isOpen }] as const];
    }),
  );
}

/** @throws QuodError `not-found`. */
export function insertion(text: string, theorem: string, lemmas: readonly string[]): Replacement {
  const outline = outlineOf(text);
  return insertionBefore(outline, statementOf(outline, theorem), lemmas);
}

function statementOf(outline: FileOutline, theorem: string): TheoremItem {
  const item = statementNamed(outline, theorem);
  if (item === undefined) throw new QuodError('not-found', `There is no theorem ${theorem}.`);
  return item;
}
