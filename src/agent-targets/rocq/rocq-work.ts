/** The work of a run in a file, and the file without it: what is so whatever the run has found is looked for there. */
import { orNothing } from '../../core/entry.ts';
import { outlineOf, type FileOutline, type TheoremItem } from '../../provers/rocq/syntax/outline.ts';
import {
  sameStatementIn,
  statementMeant,
  statementNamed,
} from '../../provers/rocq/syntax/named-statements.ts';
import { isLemma } from '../../provers/rocq/syntax/statement-head.ts';
import { proofTextOf } from '../../provers/rocq/syntax/theorem-text.ts';
import type { WorkOfRun } from '../target-choice.ts';
import { addedStatements, withoutStatements, withProofsOf } from './rocq-comparison.ts';

/** The work of a run in a copy of its file that has lemmas which are nobody's to take back. */
export function workInCopy(text: string, { begun, theorems }: WorkOfRun): WorkOfRun {
  return { begun: withProofsOf(outlineOf(begun), text, theorems), theorems };
}

/** A text without what the run has proved in it, and what that is. Holes in which somebody works meanwhile stay what they are. */
export function withoutWork(
  text: string,
  { begun, theorems }: WorkOfRun,
): {
  readonly text: string;
  /** With other proofs than in the text. */
  readonly theorems: readonly string[];
  readonly lemmas: readonly string[];
} {
  const before = outlineOf(begun);
  const now = outlineOf(text);
  const finished = theorems.filter((theorem) => {
    const was = statementNamed(before, theorem);
    const item = was && sameStatementIn(now, was);
    return item !== undefined && item.hole === undefined && proofOf(now, item) !== proofOf(before, was);
  });
  const bare = outlineOf(withProofsOf(before, text, finished));
  const kept = new Set(
    theorems.flatMap((theorem) => {
      const meant = statementMeant(bare, theorem);
      return meant.kind === 'one' ? [meant.item.sentence] : [];
    }),
  );
  const lemmas = addedStatements(bare, before).filter((one) => isLemma(one) && !kept.has(one.sentence));
  return {
    text: lemmas.length === 0 ? bare.text : withoutStatements(bare, lemmas, begun),
    theorems: finished,
    lemmas: lemmas.flatMap(({ name }) => name ?? []),
  };
}

/** What stands behind a statement; undefined where there is none. */
function proofOf(outline: FileOutline, item: TheoremItem | undefined): string | undefined {
  return item && orNothing(proofTextOf(outline, item));
}
