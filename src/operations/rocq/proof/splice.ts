/** Puts a proof script into a file in the place of a theorem's proof, laid out as the file is. */
import { orNothing, orZero } from '../../../core/entry.ts';
import type { FileOutline, TheoremItem } from '../../../provers/rocq/syntax/outline.ts';
import { sentenceHead } from '../../../provers/rocq/syntax/sentence-head.ts';
import { splitSentences } from '../../../provers/rocq/syntax/sentences.ts';
import type { Replacement } from '../../../core/replacement.ts';
import { leastOf } from '../../../core/lists/many.ts';
import { closingWord, commentsIn, restWithoutDot } from '../../../provers/rocq/syntax/theorem-text.ts';

/**
 * The replacement of everything behind the statement up to the end of its proof. A script without `Proof`, or with
 * one that says nothing, gets the file's own, with its `using` clause; one without a closing command gets that of
 * the file, or the usual one.
 */
export function splice(outline: FileOutline, theorem: TheoremItem, script: string): Replacement {
  const { text, sentences } = outline;
  const statement = sentences[theorem.sentence];
  if (statement === undefined) throw new RangeError('The theorem is not in the outline.');
  const margin = orNothing(
    /^[ \t]*/u.exec(text.slice(text.lastIndexOf('\n', statement.span.start - 1) + 1))?.[0],
  );
  const given = splitSentences(script).sentences;
  const heads = given.map(sentenceHead);
  const first = heads[0]?.kind === 'proof' ? given[0] : undefined;
  const last = heads.at(-1)?.kind === 'close' ? given.at(-1) : undefined;
  const own = theorem.proofSentence === undefined ? undefined : sentences[theorem.proofSentence]?.text;
  const header =
    first === undefined || /^Proof\s*\.$/u.test(first.text) ? (own ?? first?.text ?? 'Proof.') : first.text;
  const body = script.slice(orZero(first?.span.end), last?.span.start ?? script.length);
  const closing = last?.text ?? `${closingWord(theorem)}.`;
  const end = heads.at(-1);
  const isTerm = end?.kind === 'close' && end.word === 'Proof term' && given.length === 1;
  const proofWith = (comments: readonly string[]): string =>
    isTerm
      ? [...comments, closing].join(`\n${margin}`)
      : [
          header,
          ...comments.map((comment) => `${margin}  ${comment}`),
          ...indented(body, `${margin}  `),
          `${margin}${closing}`,
        ].join('\n');
  const until = sentences[theorem.closing ?? Math.max(theorem.sentence, theorem.body.end - 1)]?.span.end;
  const replaced = sentences[theorem.sentence + 1];
  const rest = restWithoutDot(outline, theorem);
  if (until === undefined || replaced === undefined || until <= statement.span.end) {
    const at = statement.span.end;
    return { span: { start: at, end: rest?.end ?? at }, text: `\n${margin}${proofWith([])}` };
  }
  const span = { start: replaced.span.start, end: rest?.end ?? until };
  // Who read the file may have taken them over.
  const comments = commentsIn(outline, theorem, span).filter((comment) => !script.includes(comment));
  return { span, text: proofWith(comments) };
}

/** The lines of a script at a margin, as far from one another as they were. */
function indented(body: string, margin: string): string[] {
  const lines = body
    .replace(/^\s*\n/u, '')
    .trimEnd()
    .split(/\r?\n/u);
  const depths = lines
    .filter((line) => line.trim() !== '')
    .map((line) => orZero(/^[ \t]*/u.exec(line)?.[0].length));
  const least = leastOf(depths);
  if (depths.length === 0) return [];
  return lines.map((line) => (line.trim() === '' ? '' : margin + line.slice(least)));
}
