/** Where a theorem stands in the file of its outline, and how its proof ends. */
import { entryAt } from '../../../core/entry.ts';
import type { Span } from '../../../core/position.ts';
import { onlyGivesUp } from './holes.ts';
import { significantTokens, tokenEnd, tokenise, withoutComments } from './lexer.ts';
import type { FileOutline, TheoremItem } from './outline.ts';
import { CLOSING_WORDS } from './sentence-head.ts';
import type { Sentence } from './sentences.ts';

/** A sentence that an item of the outline names. @throws QuodError `internal` for an item of another outline. */
export function sentenceOf({ sentences }: FileOutline, index: number): Sentence {
  return entryAt(sentences, index, 'sentence of the outline');
}

/** The sentence that states the theorem. */
export function statementOf(outline: FileOutline, theorem: TheoremItem): Sentence {
  return sentenceOf(outline, theorem.sentence);
}

/** One past the last sentence that belongs to the theorem. */
export function endOfProof(theorem: TheoremItem): number {
  return theorem.closing === undefined
    ? Math.max(theorem.body.end, (theorem.proofSentence ?? theorem.sentence) + 1)
    : theorem.closing + 1;
}

/** From `Proof` to the closing word; undefined when nothing stands there. */
export function proofSpanOf({ sentences }: FileOutline, theorem: TheoremItem): Span | undefined {
  const first = sentences[theorem.sentence + 1];
  const last = sentences[theorem.closing ?? theorem.body.end - 1];
  if (first === undefined || last === undefined || last.span.end <= first.span.start) return undefined;
  return { start: first.span.start, end: last.span.end };
}

/** What stands there; undefined when nothing does. */
export function proofTextOf(outline: FileOutline, theorem: TheoremItem): string | undefined {
  const span = proofSpanOf(outline, theorem);
  return span && outline.text.slice(span.start, span.end);
}

/** Comments in a proof that is left open, behind its `Proof`: the words of its author, which are not lost with it. */
export function commentsIn(
  { text, sentences }: FileOutline,
  theorem: TheoremItem,
  span: Span,
): readonly string[] {
  if (theorem.hole === undefined) return [];
  const header = theorem.proofSentence === undefined ? undefined : sentences[theorem.proofSentence];
  return tokenise(text.slice(header?.span.end ?? span.start, span.end)).flatMap((token) =>
    token.kind === 'comment' ? [token.text] : [],
  );
}

/**
 * The tactics of a proof, without those that give up and without what opens and closes it: what its author did so far.
 * Bullets and braces are kept before a tactic, as they say which goal it is for. Words without their dot count.
 */
export function workIn(outline: FileOutline, theorem: TheoremItem): string {
  const { text, sentences, statements, unterminated } = outline;
  const { first, end } = theorem.body;
  const done = sentences.slice(first, end).filter((sentence) => !onlyGivesUp(sentence.text));
  const last = done.findLastIndex(({ role }) => role === 'command');
  const isLast = statements.at(-1) === theorem && theorem.closing === undefined && end >= sentences.length;
  const isCut = unterminated !== undefined && restWithoutDot(outline, theorem) === undefined;
  const rest = isLast && isCut ? [text.slice(unterminated.span.start, unterminated.span.end)] : [];
  return [...done.slice(0, last + 1).map((sentence) => sentence.text), ...rest]
    .map((sentence) => withoutComments(sentence).trim())
    .join(' ');
}

/** What a theorem says, its binders bound. */
export function closedStatementOf({
  binders,
  statement,
}: Pick<TheoremItem, 'binders' | 'statement'>): string {
  const bound = binders.trim();
  return bound === '' ? statement.trim() : `forall ${bound}, ${statement.trim()}`;
}

const TRANSPARENT = new Set(['Definition', 'Instance', 'Fixpoint', 'CoFixpoint', 'Let', 'SubClass']);

/** `Qed` or `Defined`: the file's own word, or what is usual for the keyword. */
export function closingWord(theorem: TheoremItem): string {
  if (theorem.closingWord === 'Qed' || theorem.closingWord === 'Defined') return theorem.closingWord;
  return TRANSPARENT.has(theorem.keyword) ? 'Defined' : 'Qed';
}

/**
 * The last words of a file that belong to the proof before them and lack their dot (`Admitted`, `admit`): undefined where there are
 * none, or where they may begin something else.
 */
export function restWithoutDot(
  { text, sentences, statements, unterminated }: FileOutline,
  theorem: TheoremItem,
): Span | undefined {
  const isLast = statements.at(-1) === theorem && theorem.closing === undefined;
  if (!isLast || endOfProof(theorem) < sentences.length || unterminated?.inside !== 'sentence')
    return undefined;
  const { start, end } = unterminated.span;
  const tokens = significantTokens(text.slice(start, end));
  const [first, last] = [tokens[0], tokens.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const isClosing = CLOSING_WORDS.has(first.text) && tokens.length <= 2;
  const isTactic = tokens.length === 1 && (first.text === 'admit' || first.text === 'give_up');
  const isProof = tokens.length === 1 && first.text === 'Proof' && theorem.proofSentence === undefined;
  return isClosing || isTactic || isProof ? { start, end: start + tokenEnd(last) } : undefined;
}

/** Opens a goal anywhere, to see what the sections around bring into it: it says nothing that a file can call otherwise. */
export const ANY_GOAL = 'Goal forall quod_claim : Prop, quod_claim.';
