/**
 * Reads what somebody sent as the proof of a statement. What honest senders wrap around a proof is taken off or
 * added, and told in `notes`: code fences, a repeated statement, a missing dot. What is not one proof of this
 * statement is refused with its cause, its place and a remedy.
 *
 * This only explains: the text is never evidence, and the gate looks at the file whatever is said here. What is
 * taken off is blanked out, so that places in the proof are places in what was sent.
 */
import { misleadingCharacter, WITHOUT_MISLEADING } from '../../../core/foreign-text.ts';
import { LineIndex, type Span } from '../../../core/position.ts';
import { capitalised } from '../../../core/sentence.ts';
import type { FileOutline, TheoremItem } from '../../../provers/rocq/syntax/outline.ts';
import { tokenise } from '../../../provers/rocq/syntax/lexer.ts';
import { sentenceHead } from '../../../provers/rocq/syntax/sentence-head.ts';
import { splitSentences, type Sentence } from '../../../provers/rocq/syntax/sentences.ts';
import { withLastDot } from '../../../provers/rocq/syntax/missing-dot.ts';

export interface RefusedText {
  readonly kind: 'refused';
  /** A sentence without its dot: `the proof ends with a second Qed`. */
  readonly what: string;
  readonly remedy: string;
  /** In what was sent. */
  readonly span: Span;
}

export type SentProof =
  { readonly kind: 'proof'; readonly script: string; readonly notes: readonly string[] } | RefusedText;

export interface StatementInFile {
  readonly outline: FileOutline;
  readonly item: TheoremItem;
}

/** `The proof ends with a second Qed (2:4). Send one proof …` @param sent What the place counts in. */
export function refusalText({ what, remedy, span }: RefusedText, sent: string): string {
  const { line, column } = new LineIndex(sent).printedAt(span.start);
  return `${capitalised(what)} (${line}:${column}). ${remedy}`;
}

/** @param of The statement, where it is known. */
export function readSentProof(sent: string, of: StatementInFile | undefined): SentProof {
  const notes: string[] = [];
  const unfenced = takeFencesOff(sent, notes);
  if (typeof unfenced !== 'string') return unfenced;
  const misleading = misleadingCharacter(unfenced);
  if (misleading !== undefined)
    return refused(`${misleading.what} stands in the proof`, WITHOUT_MISLEADING, misleading.span);
  const { sentences } = splitSentences(unfenced);
  const repeated = of === undefined ? unfenced : withoutStatement(unfenced, sentences[0], of, notes);
  if (typeof repeated !== 'string') return repeated;
  const { script, notes: ofDot } = withLastDot(repeated);
  return notOneProof(script, of) ?? { kind: 'proof', script, notes: [...notes, ...ofDot] };
}

const FENCE = /^[ \t]*```[^`\n]*$/gmu;

/** Fences around the whole, or around the only block of an answer, whose other words are no proof. */
function takeFencesOff(sent: string, notes: string[]): string | RefusedText {
  const fences = [...sent.matchAll(FENCE)];
  const [open, close, third] = fences;
  if (open === undefined) return sent;
  if (third !== undefined) {
    return refused(
      'code fences stand inside the proof, around several pieces',
      'Send one proof, without fences.',
      spanOf(third),
    );
  }
  const start = open.index + open[0].length;
  const end = close?.index ?? sent.length;
  const before = sent.slice(0, open.index).trim();
  const behind = close === undefined ? '' : sent.slice(close.index + close[0].length).trim();
  notes.push(
    before === '' && behind === ''
      ? 'The code fences around the proof were left out.'
      : 'The code fences and the words outside of them were left out.',
  );
  return blanked(sent, { start: 0, end: start }, { start: end, end: sent.length });
}

function withoutStatement(
  text: string,
  first: Sentence | undefined,
  { outline, item }: StatementInFile,
  notes: string[],
): string | RefusedText {
  const head = first === undefined ? undefined : sentenceHead(first);
  const own = outline.sentences[item.sentence];
  if (first === undefined || own === undefined || head?.kind !== 'statement') return text;
  if (wordsOf(first.text) === wordsOf(own.text)) {
    notes.push('The statement, repeated before the proof, was left out.');
    return blanked(text, first.span);
  }
  if (head.name === undefined || head.name !== item.name) return text;
  return refused(
    'the proof begins with a repeated statement that is not the one of the file',
    `Leave the statement out, or repeat it as it is: ${own.text.replace(/\s+/gu, ' ')}`,
    first.span,
  );
}

/** Whether a script says itself how its proof ends. */
export function hasClosingCommand(script: string): boolean {
  return splitSentences(script).sentences.some((sentence) => sentenceHead(sentence).kind === 'close');
}

function notOneProof(script: string, of: StatementInFile | undefined): RefusedText | undefined {
  const { sentences, unterminated } = splitSentences(script);
  if (unterminated !== undefined) {
    return refused(
      `the ${unterminated.inside} that starts here has no end`,
      `Close the ${unterminated.inside}: everything behind it in the file would become a part of it.`,
      unterminated.span,
    );
  }
  const closing = sentences.findIndex((sentence) => sentenceHead(sentence).kind === 'close');
  const end = sentences[closing];
  const behind = sentences[closing + 1];
  if (end !== undefined && behind !== undefined) {
    const head = sentenceHead(behind);
    return refused(
      head.kind === 'close'
        ? `the proof ends with a second \`${head.word}\``
        : `the proof ends with \`${end.text}\` and goes on behind it`,
      'Send one proof: a single closing command, and nothing behind it.',
      behind.span,
    );
  }
  const word = end === undefined ? undefined : sentenceHead(end);
  if (
    end !== undefined &&
    word?.kind === 'close' &&
    word.word === 'Defined' &&
    of?.item.closingWord === 'Qed'
  ) {
    return refused(
      'the proof ends with `Defined` where the file has `Qed`',
      'End it with `Qed.`, or leave the closing command out.',
      end.span,
    );
  }
  return undefined;
}

/** The tokens of a sentence, apart where the text has them apart. */
function wordsOf(text: string): string {
  let words = '';
  for (const { kind, text: token } of tokenise(text)) {
    if (kind !== 'blank' && kind !== 'comment') words += token;
    else if (!words.endsWith(' ')) words += ' ';
  }
  return words.trim();
}

function blanked(text: string, ...spans: readonly Span[]): string {
  let result = text;
  for (const { start, end } of spans)
    result = result.slice(0, start) + result.slice(start, end).replace(/[^\n]/gu, ' ') + result.slice(end);
  return result;
}

function spanOf(match: RegExpExecArray): Span {
  return { start: match.index, end: match.index + match[0].length };
}

function refused(what: string, remedy: string, span: Span): RefusedText {
  return { kind: 'refused', what, remedy, span };
}
