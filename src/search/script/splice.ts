/**
 * Puts a found proof into its file: what stands there instead of what. Indentation, line ends and the closing word
 * are the file's own, and nothing outside of the proof is touched.
 */
import { countOf } from '../../core/entry.ts';
import type { Replacement } from '../../core/replacement.ts';
import type { FileOutline, TheoremItem } from '../../provers/rocq/syntax/outline.ts';
import {
  bulletsBesides,
  scriptText,
  type ScriptStyle,
  type ScriptTree,
} from '../../provers/rocq/syntax/script-tree.ts';
import {
  closingWord,
  commentsIn,
  endOfProof,
  restWithoutDot,
  sentenceOf,
  statementOf,
} from '../../provers/rocq/syntax/theorem-text.ts';
import type { OpenPlace } from './partial-proof.ts';
import { fileStyleOf } from './style/file-style.ts';

/** The text from behind the statement to the end of its proof, and what stands there instead. */
export function wholeProof(outline: FileOutline, theorem: TheoremItem, script: ScriptTree): Replacement {
  const { text, sentences } = outline;
  const statement = statementOf(outline, theorem);
  const last = sentences[endOfProof(theorem) - 1] ?? statement;
  const newline = newlineOf(text);
  const header = theorem.proofSentence === undefined ? undefined : sentences[theorem.proofSentence];
  const margin = marginOf(text, statement.span.start);
  const indent = indentOf(outline, theorem) ?? '  ';
  const bullets = bulletsBesides(new Set(), fileStyleOf(outline).bullets);
  const style: ScriptStyle = { indent, newline, bullets };
  const linesWith = (comments: readonly string[]): string =>
    [
      header?.text ?? 'Proof.',
      ...comments.map((comment) => margin + indent + comment),
      scriptText(script, style, margin + indent),
      `${margin}${closingWord(theorem)}.`,
    ].join(newline);
  // What ends the proof without a dot goes with it.
  const rest = restWithoutDot(outline, theorem);
  const replaced = header ?? (last === statement ? undefined : sentences[theorem.sentence + 1]);
  // With nothing behind the statement the proof is put there; otherwise it begins where the old one began.
  if (replaced === undefined) {
    const at = statement.span.end;
    return { span: { start: at, end: rest?.end ?? at }, text: newline + margin + linesWith([]) };
  }
  const span = { start: replaced.span.start, end: rest?.end ?? last.span.end };
  return { span, text: linesWith(commentsIn(outline, theorem, span)) };
}

/** The proof with its places filled, from its first sentence to its closing word. */
export function filledProof(
  outline: FileOutline,
  theorem: TheoremItem,
  filled: readonly { readonly place: Pick<OpenPlace, 'span' | 'braces'>; readonly script: ScriptTree }[],
): Replacement {
  const { text, sentences } = outline;
  const { start } = sentenceOf(outline, theorem.proofSentence ?? theorem.body.first).span;
  const last = sentences[endOfProof(theorem) - 1];
  const closing = theorem.closing === undefined ? undefined : sentences[theorem.closing];
  const newline = newlineOf(text);
  const margin = marginOf(text, statementOf(outline, theorem).span.start);
  // Those of the author may be in use around the place; others nest anywhere.
  const used = new Set(
    sentences.slice(theorem.body.first, theorem.body.end).map((sentence) => sentence.text),
  );
  const bullets = bulletsBesides(used, fileStyleOf(outline).bullets);
  let result = '';
  let at = start;
  let isLastBelow = false;
  for (const { place, script } of filled) {
    const { span, braces } = place;
    const isBehind = span.start === span.end;
    const begins = !isBehind && beginsLine(text, span.start);
    const column = begins ? blanksTo(text, span.start) : marginAt(outline, theorem, span.start);
    const style: ScriptStyle = { indent: indentOf(outline, theorem) ?? '  ', newline, bullets };
    const written = scriptText(script, style, column + (braces ? '  ' : '')).trimStart();
    // What has several lines does not begin in the middle of one.
    const isBelow = isBehind || (!begins && written.includes(newline));
    const before = text.slice(at, span.start);
    result += isBelow ? before.trimEnd() + newline + column : before;
    result += braces ? `{ ${written} }` : written;
    isLastBelow = isBelow;
    at = span.end;
  }
  const end = last?.span.end ?? at;
  if (closing === undefined)
    return {
      span: { start, end: restWithoutDot(outline, theorem)?.end ?? end },
      text: `${result}${text.slice(at, end)}${newline}${margin}${closingWord(theorem)}.`,
    };
  const rest = text.slice(at, closing.span.start);
  const isOnLine = isLastBelow && rest.trim() === '' && !rest.includes('\n');
  const between = isOnLine ? newline + margin : rest;
  return { span: { start, end }, text: `${result}${between}${closingWord(theorem)}.` };
}

/** The blanks in front of a step that goes on at a place: those of the branch that it is in. */
function marginAt(outline: FileOutline, theorem: TheoremItem, place: number): string {
  const { text, sentences } = outline;
  const before = sentences
    .slice(theorem.body.first, theorem.body.end)
    .filter(({ span }) => span.end <= place);
  let closed = 0;
  const opened = before.findLast(({ role }) => {
    if (role === 'close-brace') closed += 1;
    else if (role === 'open-brace' && closed > 0) closed -= 1;
    else return closed === 0 && (role === 'bullet' || role === 'open-brace');
    return false;
  });
  // Behind a bullet with nothing after it.
  if (opened?.span.end === place) return `${blanksTo(text, opened.span.end)} `;
  const from = opened === undefined ? before[0]?.span.start : opened.span.end;
  const first = from === undefined ? place : from + text.slice(from).search(/\S|$/u);
  return beginsLine(text, first)
    ? blanksTo(text, first)
    : marginOf(text, statementOf(outline, theorem).span.start) + (indentOf(outline, theorem) ?? '  ');
}

/** Whether nothing but bullets and opened braces stands before it on its line. */
function beginsLine(text: string, offset: number): boolean {
  return /^[\s{+*-]*$/u.test(text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset));
}

function newlineOf(text: string): '\n' | '\r\n' {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

/** The blanks in front of the line that the offset is in. */
function marginOf(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1);
  return line.slice(0, line.search(/[^ \t]|$/u));
}

/**
 * How the other proofs of the file are indented under their statements; undefined when there are none to learn
 * from.
 */
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
    const margin = marginOf(outline.text, statement.span.start);
    const blanks = marginOf(outline.text, first.span.start);
    if (!blanks.startsWith(margin) || !onlyBlanksBefore(outline.text, first.span.start)) continue;
    const indent = blanks.slice(margin.length);
    if (indent.length <= 8) counts.set(indent, countOf(counts, indent) + 1);
  }
  return [...counts].sort((left, right) => right[1] - left[1])[0]?.[0];
}

/** What stands as far in as an offset does on its line: its tabs, and blanks in the place of all else. */
function blanksTo(text: string, offset: number): string {
  return text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset).replaceAll(/[^\t]/gu, ' ');
}

function onlyBlanksBefore(text: string, offset: number): boolean {
  return /^\s*$/u.test(text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset));
}
