/** Steps of an author that a found proof does not go on from: what stands in the file in their place is another beginning. */
import { withoutComments } from '../../provers/rocq/syntax/lexer.ts';
import { onlyGivesUp } from '../../provers/rocq/syntax/holes.ts';
import type { FileOutline, TheoremItem } from '../../provers/rocq/syntax/outline.ts';
import { scriptSentences, type ScriptTree } from '../../provers/rocq/syntax/script-tree.ts';

interface StepsSetAside {
  /** Offset of the first of them in the file. */
  readonly start: number;
  /** As they stand there, without comments and bullets, one behind the other. */
  readonly text: string;
}

/** Those behind the steps with which both begin; undefined where the author's all stand in the proof, or there are none. */
export function stepsSetAside(
  { sentences }: FileOutline,
  { hole, body }: TheoremItem,
  script: ScriptTree,
): StepsSetAside | undefined {
  // A finished proof is replaced where that was asked for.
  if (hole === undefined) return undefined;
  const authors = sentences
    .slice(body.first, body.end)
    .filter(({ text, role }) => role === 'command' && !onlyGivesUp(text))
    .map(({ span, text }) => ({ start: span.start, text: asOneLine(withoutComments(text)) }));
  const found = scriptSentences(script)
    .filter((sentence) => sentence !== '{' && sentence !== '}')
    .map(asOneLine);
  const kept = found.map(withoutNames).filter((text) => !isIntroduction(text));
  let at = 0;
  const from = authors.findIndex(({ text }) => !isIntroduction(text) && withoutNames(text) !== kept[at++]);
  const first = authors[from];
  if (first === undefined) return undefined;
  return {
    start: first.start,
    text: authors
      .slice(from)
      .map(({ text }) => text)
      .join(' '),
  };
}

/** That a proof does without a step that only names things, or names them otherwise, sets no idea of its author aside. */
function isIntroduction(text: string): boolean {
  return /^intros?(?:\s+[\p{L}\p{N}_' ]+)?\.$/u.test(text);
}

function withoutNames(text: string): string {
  return text.replace(/ as \[[^\]]*\](?=\s*\.$)/u, '');
}

function asOneLine(text: string): string {
  return text.trim().replaceAll(/\s+/gu, ' ').replace(/ \.$/u, '.');
}
