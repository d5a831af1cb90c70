/** What a run has put into an HOL4 script, told from what somebody else did. */
import { replaced } from '../../core/replacement.ts';
import type { SourceFile } from '../../operations/files/source-file.ts';
import type { Script } from '../../provers/hol4/syntax/script-parts.ts';
import { parseScript } from '../../provers/hol4/syntax/script.ts';
import { addsOnlyProofs, otherProofs } from '../own-change.ts';
import type { Change, ChangeOfRun } from '../own-change.ts';
import { isSameOutside, markNotIn } from '../outside-of-proofs.ts';
import { withScriptProof } from './hol4-proofs.ts';

/** As {@link addsOnlyProofs}; without proofs those of the theorems may be any. */
export function addsOnlyScriptProofs(
  lineEnd: SourceFile['lineEnd'],
  theorems: readonly string[],
  change: ChangeOfRun,
): boolean {
  return addsOnlyProofs(change, theorems, {
    proofIn,
    withProof: (text, theorem, found) => withScriptProof(text, theorem, found, lineEnd),
    isChangedElsewhere: ({ before, after }) =>
      isScriptChangedElsewhere(parseScript(after), parseScript(before), theorems),
  });
}

/** As {@link otherProofs}. */
export function otherScriptProofs(theorems: readonly string[], change: Change): readonly string[] {
  return otherProofs(change, theorems, ({ before, after }, theorem) => ({
    was: proofIn(before, theorem),
    now: proofIn(after, theorem),
  }));
}

function proofIn(text: string, theorem: string): string | undefined {
  const { theorems } = parseScript(text);
  const span = theorems.find(({ name, proof }) => name === theorem && proof !== undefined)?.proof;
  return span && text.slice(span.start, span.end);
}

/** Comments and line ends count, too. */
export function isScriptChangedElsewhere(now: Script, before: Script, wanted: readonly string[]): boolean {
  const mark = markNotIn([now.text, before.text]);
  const withoutProofs = ({ text, theorems }: Script): string =>
    replaced(
      text,
      wanted.flatMap((theorem) => {
        const span = theorems.find(({ name }) => name === theorem)?.proof;
        return span === undefined ? [] : [{ span, text: mark }];
      }),
    );
  return !isSameOutside(withoutProofs(now), withoutProofs(before), mark);
}
