/**
 * Cuts a file at a theorem. What is left is the text up to and including the statement, the theorem's own `Proof`
 * sentence (its `using` and `with` clauses are part of the question), and the `End`s of what is open there: nothing of
 * the theorem's proof and nothing that stands after it.
 */
import { orZero } from '../../src/core/entry.ts';
import type { FileOutline, TheoremItem } from '../../src/provers/rocq/syntax/outline.ts';

export interface Cut {
  /** The text of the file up to the end of the statement. */
  readonly before: string;
  /** `Proof.`, `Proof using A.`, `Proof with auto.` */
  readonly opening: string;
  /** `End S.` for each open section and module, innermost first. */
  readonly endings: string;
}

export function cutAt(outline: FileOutline, item: TheoremItem): Cut {
  const statement = outline.sentences[item.sentence];
  const proof = item.proofSentence === undefined ? undefined : outline.sentences[item.proofSentence];
  return {
    before: outline.text.slice(0, orZero(statement?.span.end)),
    opening: proof?.text ?? 'Proof.',
    endings: [...item.path]
      .reverse()
      .map((name) => `End ${name}.\n`)
      .join(''),
  };
}

/** The cut file with `script`, from the `Proof` sentence to the closing one, in the place of the proof. */
export function withProof(cut: Cut, script: string, after = ''): string {
  return `${cut.before}\n${script}\n${after}${cut.endings}`;
}

/** The file that a method gets to see. */
export function taskText(cut: Cut): string {
  return withProof(cut, `${cut.opening}\nAdmitted.`);
}

/** The author's own proof, from the `Proof` sentence to the closing one. Only the check of the harness may see it. */
export function originalScript(outline: FileOutline, item: TheoremItem): string {
  const first = outline.sentences[item.body.first];
  const closing = item.closing === undefined ? undefined : outline.sentences[item.closing];
  const proof = item.proofSentence === undefined ? undefined : outline.sentences[item.proofSentence];
  const body = outline.text.slice(orZero(first?.span.start), orZero(closing?.span.end));
  return `${proof?.text ?? 'Proof.'}\n${body}`;
}

/** The number of sentences of a proof: bullets, braces, `Proof` and `Qed` do not count. */
export function proofLength(outline: FileOutline, item: TheoremItem): number {
  let count = 0;
  for (let index = item.body.first; index < item.body.end; index += 1)
    if (outline.sentences[index]?.role === 'command') count += 1;
  return count;
}
