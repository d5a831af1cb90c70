/**
 * Cuts a Rocq text into sentences, the smallest units that the prover executes.
 *
 * Promise: the same cuts as Rocq's own lexer and parser make (8.16 to 9.x; compared with the ranges of `coqc -time` by
 * bench/splitter.ts), in one pass, without the prover, for any text at all. Lossless: between two sentences, and around
 * them, there is nothing but blanks and comments (and a byte order mark at the start, which Rocq skips).
 *
 * What Rocq does, and why this can do without its grammar: a sentence ends at the token `.` or `...` when a blank
 * or the end of the text follows; no other token ends with a dot before a blank, except `..` and a token that
 * somebody's notation declares (`x +. y`): those are not known here, and none of Debian's libraries declares one.
 * Between sentences, and only there, `-`, `+`, `*` (repeated) and `{`, `}` are sentences by themselves; a goal
 * selector may stand before `{`. Blanks are space, tab, line feed and carriage return.
 */
import { noEndText } from '../../../core/sentence.ts';
import type { Span } from '../../../core/position.ts';

export type SentenceRole = 'command' | 'bullet' | 'open-brace' | 'close-brace';

export interface Sentence {
  /** From the first character that is neither blank nor comment to just past the end of the sentence. */
  readonly span: Span;
  readonly text: string;
  readonly role: SentenceRole;
}

/** A sentence that Quod itself writes, which vouches by its making that it is one. */
export function asSentence(text: string): { readonly text: string } {
  return { text };
}

export interface Unterminated {
  /** From the first character of the sentence (or of the comment between sentences) that has no end. */
  readonly span: Span;
  /** The innermost thing that was open at the end of the text. */
  readonly inside: 'sentence' | 'comment' | 'string' | 'quotation';
}

/** What a text that ends in the middle of something is told at the place where that begins. */
export function unterminatedText({ inside }: Pick<Unterminated, 'inside'>): string {
  return noEndText(inside, 'here', '');
}

export interface SplitSentences {
  readonly sentences: readonly Sentence[];
  /** What stands after the last sentence, when it is more than blanks and comments. */
  readonly unterminated?: Unterminated;
}

export interface SplitOptions {
  /** Offset of a place between two sentences; default 0. */
  readonly start?: number;
  /** Called after each sentence; the splitting stops when it answers true. */
  readonly stopAfter?: (sentence: Sentence) => boolean;
}

const TAB = 9;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const SPACE = 32;
const QUOTE = 34;
const OPEN_PARENTHESIS = 40;
const CLOSE_PARENTHESIS = 41;
const STAR = 42;
const PLUS = 43;
const MINUS = 45;
const DOT = 46;
const COLON = 58;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;
const BYTE_ORDER_MARK = 0xfeff;

/** Codes below 128 at which the scan inside a sentence must look closer. */
const STOPS = new Uint8Array(128);
for (const code of [QUOTE, OPEN_PARENTHESIS, DOT, COLON]) STOPS[code] = 1;

export function isBlankCode(code: number): boolean {
  return code === SPACE || code === LINE_FEED || code === CARRIAGE_RETURN || code === TAB;
}

/** The offset after the comment that starts at `at`, or -1 when it has no end. Comments nest and respect strings. */
export function commentEnd(text: string, at: number): number {
  let depth = 1;
  let place = at + 2;
  while (place < text.length) {
    const code = text.charCodeAt(place);
    if (code === QUOTE) {
      place = stringEnd(text, place);
      if (place < 0) return -1;
    } else if (code === STAR && text.charCodeAt(place + 1) === CLOSE_PARENTHESIS) {
      place += 2;
      depth -= 1;
      if (depth === 0) return place;
    } else if (code === OPEN_PARENTHESIS && text.charCodeAt(place + 1) === STAR) {
      place += 2;
      depth += 1;
    } else place += 1;
  }
  return -1;
}

/** The offset after the string that starts at `at`, or -1 when it has no end. A doubled quote stands for itself. */
export function stringEnd(text: string, at: number): number {
  let place = at + 1;
  for (;;) {
    const close = text.indexOf('"', place);
    if (close < 0) return -1;
    if (text.charCodeAt(close + 1) !== QUOTE) return close + 1;
    place = close + 2;
  }
}

/**
 * The offset after the quotation whose opening braces start at `at`, or -1 when it has no end. The closing mark has as
 * many braces as the opening one; equal marks nest; everything else inside is another language (Elpi, for instance).
 */
export function quotationEnd(text: string, at: number): number {
  let width = 0;
  while (text.charCodeAt(at + width) === OPEN_BRACE) width += 1;
  const open = '{'.repeat(width);
  const close = '}'.repeat(width);
  let depth = 0;
  let place = at;
  while (place < text.length) {
    const code = text.charCodeAt(place);
    if (code === OPEN_BRACE && text.startsWith(open, place)) {
      depth += 1;
      place += width;
    } else if (code === CLOSE_BRACE && text.startsWith(close, place)) {
      depth -= 1;
      place += width;
      if (depth === 0) return place;
    } else place += 1;
  }
  return -1;
}

/** True when an identifier ends just before `colon` and `{{` follows: `lp:{{` opens a quotation. */
export function opensQuotation(text: string, colon: number): boolean {
  return (
    text.charCodeAt(colon + 1) === OPEN_BRACE &&
    text.charCodeAt(colon + 2) === OPEN_BRACE &&
    colon > 0 &&
    /[\p{L}\p{N}_']/u.test(text.charAt(colon - 1))
  );
}

/**
 * The offset of the first character at or after `at` that is neither blank nor comment; -1 in a comment without
 * end.
 */
export function skipBlanksAndComments(text: string, at: number): number {
  let place = at;
  for (;;) {
    const code = text.charCodeAt(place);
    if (isBlankCode(code)) place += 1;
    else if (code === OPEN_PARENTHESIS && text.charCodeAt(place + 1) === STAR) {
      const end = commentEnd(text, place);
      if (end < 0) return -1;
      place = end;
    } else return place;
  }
}

/** The parts of a goal selector: `2`, `1-3, 5`, `[name]`, `all`, `!`. */
const SELECTOR_PART = /\d+|[-,!]|all(?![\p{L}\p{N}_'])|\[\s*[\p{L}\p{N}_']+\s*\]/uy;

/** The offset after the brace of a sentence such as `2: {`, or -1 when the sentence at `at` is not of this form. */
function selectedBraceEnd(text: string, at: number): number {
  let place = at;
  for (;;) {
    SELECTOR_PART.lastIndex = place;
    if (!SELECTOR_PART.test(text)) break;
    place = skipBlanksAndComments(text, SELECTOR_PART.lastIndex);
    if (place < 0) return -1;
  }
  if (place === at || text.charCodeAt(place) !== COLON) return -1;
  const brace = skipBlanksAndComments(text, place + 1);
  return brace >= 0 && text.charCodeAt(brace) === OPEN_BRACE ? brace + 1 : -1;
}

function mayStartSelector(code: number): boolean {
  // A digit, `[`, `!`, or the `a` of all.
  return (code >= 48 && code <= 57) || code === 91 || code === 33 || code === 97;
}

interface CommandEnd {
  /** Offset after the closing dot, or -1. */
  readonly end: number;
  readonly inside: Unterminated['inside'];
}

/** Finds the end of the command that starts at `start`. */
function commandEnd(text: string, start: number): CommandEnd {
  const length = text.length;
  let place = start;
  while (place < length) {
    const code = text.charCodeAt(place);
    if (code >= 128 || STOPS[code] === 0) {
      place += 1;
      continue;
    }
    if (code === DOT) {
      let after = place + 1;
      while (text.charCodeAt(after) === DOT) after += 1;
      const dots = after - place;
      if ((dots === 1 || dots === 3) && (after >= length || isBlankCode(text.charCodeAt(after))))
        return { end: after, inside: 'sentence' };
      place = after;
    } else if (code === OPEN_PARENTHESIS) {
      if (text.charCodeAt(place + 1) !== STAR) {
        place += 1;
        continue;
      }
      const end = commentEnd(text, place);
      if (end < 0) return { end: -1, inside: 'comment' };
      place = end;
    } else if (code === QUOTE) {
      const end = stringEnd(text, place);
      if (end < 0) return { end: -1, inside: 'string' };
      place = end;
    } else if (opensQuotation(text, place)) {
      const end = quotationEnd(text, place + 1);
      if (end < 0) return { end: -1, inside: 'quotation' };
      place = end;
    } else place += 1;
  }
  return { end: -1, inside: 'sentence' };
}

export function splitSentences(text: string, options: SplitOptions = {}): SplitSentences {
  const sentences: Sentence[] = [];
  let place = options.start ?? (text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0);
  for (;;) {
    const start = skipBlanksAndComments(text, place);
    if (start < 0) {
      const comment = unterminatedCommentStart(text, place);
      return { sentences, unterminated: { span: { start: comment, end: text.length }, inside: 'comment' } };
    }
    if (start >= text.length) return { sentences };
    const code = text.charCodeAt(start);
    let role: SentenceRole = 'command';
    let end: number;
    if (code === MINUS || code === PLUS || code === STAR) {
      role = 'bullet';
      end = start + 1;
      while (text.charCodeAt(end) === code) end += 1;
    } else if (code === OPEN_BRACE) {
      role = 'open-brace';
      end = start + 1;
    } else if (code === CLOSE_BRACE) {
      role = 'close-brace';
      end = start + 1;
    } else {
      end = mayStartSelector(code) ? selectedBraceEnd(text, start) : -1;
      if (end >= 0) role = 'open-brace';
      else {
        const command = commandEnd(text, start);
        if (command.end < 0)
          return { sentences, unterminated: { span: { start, end: text.length }, inside: command.inside } };
        end = command.end;
      }
    }
    const sentence: Sentence = { span: { start, end }, text: text.slice(start, end), role };
    sentences.push(sentence);
    if (options.stopAfter?.(sentence) === true) return { sentences };
    place = end;
  }
}

/** Whether a sentence is a bullet or a brace, with its selector (`-`, `2: {`): it says which goals are worked on, and changes none. */
export function onlyFocuses(text: string): boolean {
  const [first] = splitSentences(text, { stopAfter: () => true }).sentences;
  return first !== undefined && first.role !== 'command' && first.text === text;
}

/** Where the comment starts that {@link skipBlanksAndComments} found without end. */
function unterminatedCommentStart(text: string, at: number): number {
  let place = at;
  for (;;) {
    if (isBlankCode(text.charCodeAt(place))) place += 1;
    else {
      const end = commentEnd(text, place);
      if (end < 0) return place;
      place = end;
    }
  }
}
