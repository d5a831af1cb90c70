/** Where a found proof goes in its file, and how it reads there. */
import type { Span } from '../../core/position.ts';
import type { FileOutline, TheoremItem } from '../../provers/rocq/syntax/outline.ts';
import { endOfProof } from '../../sessions/rocq/file-run.ts';
import { type ScriptStyle, scriptText, type ScriptTree } from '../../provers/rocq/syntax/script-tree.ts';

/** The text from behind the statement to the end of its proof, and what stands there instead. */
export function proofText(
  outline: FileOutline,
  theorem: TheoremItem,
  script: ScriptTree,
): { span: Span; text: string } {
  const { text, sentences } = outline;
  const statement = sentences[theorem.sentence];
  const last = sentences[endOfProof(theorem) - 1] ?? statement;
  if (statement === undefined || last === undefined)
    throw new RangeError('The theorem is not in the outline.');
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const header = theorem.proofSentence === undefined ? undefined : sentences[theorem.proofSentence];
  const lineStart = text.lastIndexOf('\n', statement.span.start - 1) + 1;
  const margin = /^[ \t]*/u.exec(text.slice(lineStart))?.[0] ?? '';
  const indent = indentOf(outline, theorem) ?? '  ';
  const style: ScriptStyle = { indent, newline, braces: false };
  const lines = [
    header?.text ?? 'Proof.',
    scriptText(script, style, margin + indent),
    `${margin}${closingWord(theorem)}.`,
  ];
  const replaced = header ?? (last === statement ? undefined : sentences[theorem.sentence + 1]);
  // With nothing behind the statement the proof is put there; otherwise it begins where the old one began.
  if (replaced === undefined) {
    const at = statement.span.end;
    return { span: { start: at, end: at }, text: newline + margin + lines.join(newline) };
  }
  return { span: { start: replaced.span.start, end: last.span.end }, text: lines.join(newline) };
}

const TRANSPARENT = new Set([
  'Definition',
  'Instance',
  'Fixpoint',
  'CoFixpoint',
  'Let',
  'Example',
  'SubClass',
]);

export function closingWord(theorem: TheoremItem): string {
  if (theorem.closingWord === 'Qed' || theorem.closingWord === 'Defined') return theorem.closingWord;
  return TRANSPARENT.has(theorem.keyword) && theorem.keyword !== 'Example' ? 'Defined' : 'Qed';
}

/** How the other proofs of the file are indented under their statements; undefined when there are none to learn from. */
function indentOf(outline: FileOutline, theorem: TheoremItem): string | undefined {
  const counts = new Map<string, number>();
  for (const other of outline.statements) {
    const statement = outline.sentences[other.sentence];
    const first = outline.sentences[other.body.first];
    if (
      other === theorem ||
      statement === undefined ||
      first === undefined ||
      other.body.first >= other.body.end
    )
      continue;
    const column = columnOf(outline.text, first.span.start) - columnOf(outline.text, statement.span.start);
    if (column >= 0 && column <= 8 && onlyBlanksBefore(outline.text, first.span.start))
      counts.set(' '.repeat(column), (counts.get(' '.repeat(column)) ?? 0) + 1);
  }
  return [...counts].sort((left, right) => right[1] - left[1])[0]?.[0];
}

function columnOf(text: string, offset: number): number {
  return offset - (text.lastIndexOf('\n', offset - 1) + 1);
}

function onlyBlanksBefore(text: string, offset: number): boolean {
  return /^\s*$/u.test(text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset));
}
