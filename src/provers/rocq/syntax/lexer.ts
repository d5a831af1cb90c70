/**
 * Cuts Rocq text into tokens, fast and lossless: the texts of the tokens, joined, are the input, for any input.
 *
 * Rocq's own lexer depends on the notations in force. This one does not know them, and answers instead what is most
 * useful for features and for tactics: the tokens of Rocq's and SSReflect's own grammar as they are, and any other
 * run of operator characters as one symbol. Qualified names are one token. An unfinished comment, string or
 * quotation runs to the end of the text.
 */
import { characterWidth } from '../../../core/code-points.ts';
import { commentEnd, isBlankCode, opensQuotation, quotationEnd, stringEnd } from './sentences.ts';

export type TokenKind =
  /** Also keywords, and qualified names such as `Nat.add_comm`. */
  | 'identifier'
  | 'number'
  | 'string'
  | 'symbol'
  /** `lp:{{ … }}` from its identifier to its last brace. */
  | 'quotation'
  | 'comment'
  | 'blank';

export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  /** Offset into the text that was cut. */
  readonly start: number;
}

/** Symbols of the grammar of Rocq, Ltac and SSReflect that are longer than one character. */
const KNOWN_SYMBOLS = new Set(
  (
    ':= :> :< :>> :: ::= -> <- <-> => == != <= >= <> < > <: <+ <<: >-> >=> |- -| || && ++ ** ^-1 /= // //= ~~ ' +
    '/\\ \\/ ... .. + - * / = ~ | & ^ @ ! ? % : # $ ?? =? <? <=? ?= =? ==> <== -/ @{ ::= == =b %| /\\ <-> ∧ ∨ ↔ → ¬ ∀ ∃ λ ≠ ≤ ≥'
  ).split(' '),
);

const LONGEST_KNOWN = 3;

/** Brackets that are one token together with the character beside them. */
const BRACKETS = new Set(['{|', '|}', '[>', '.(']);
const FIRST_OF_BRACKETS = new Set([...BRACKETS].map((bracket) => bracket.charCodeAt(0)));

const QUOTE = 34;
const OPEN_PARENTHESIS = 40;
const STAR = 42;
const DOT = 46;
const COLON = 58;

const NAME_START = 1;
const NAME_INSIDE = 2;
const DIGIT = 4;
const OPERATOR = 8;
const BLANK = 16;

/** What a character below 128 may be, as a set of the bits above. */
const CLASSES = new Uint8Array(128);
for (let code = 0; code < 128; code += 1) {
  const character = String.fromCharCode(code);
  if (/[A-Za-z_]/.test(character)) CLASSES[code] = NAME_START | NAME_INSIDE;
  else if (/[0-9]/.test(character)) CLASSES[code] = DIGIT | NAME_INSIDE;
  else if (character === "'") CLASSES[code] = NAME_INSIDE;
  else if ('!%&*+-/<=>@^|~:?$#\\'.includes(character)) CLASSES[code] = OPERATOR;
  else if (isBlankCode(code)) CLASSES[code] = BLANK;
}

const LETTER = /^[\p{L}\p{Nl}]$/u;
/** Subscripts, superscripts and combining marks may stand inside a name, as in Rocq. */
const INSIDE = /^[\p{L}\p{Nl}\p{Nd}\p{No}\p{M}]$/u;
const BRACKET = /^[\p{Ps}\p{Pe}\p{Pi}\p{Pf}]$/u;
const nonAsciiClasses = new Map<number, number>();

function classOf(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code < 128) return CLASSES[code] ?? 0;
  return nonAsciiClassOf(text.codePointAt(at));
}

function nonAsciiClassOf(code: number | undefined): number {
  if (code === undefined) return 0;
  const known = nonAsciiClasses.get(code);
  if (known !== undefined) return known;
  const character = String.fromCodePoint(code);
  let found = OPERATOR;
  if (LETTER.test(character)) found = NAME_START | NAME_INSIDE;
  else if (INSIDE.test(character)) found = NAME_INSIDE;
  else if (BRACKET.test(character)) found = 0;
  nonAsciiClasses.set(code, found);
  return found;
}

function width(text: string, at: number): number {
  return characterWidth(text, at);
}

function nameEnd(text: string, at: number): number {
  let place = at;
  while (place < text.length && (classOf(text, place) & NAME_INSIDE) !== 0) place += width(text, place);
  return place;
}

/** The end of a name and of the fields behind it. */
function qualifiedNameEnd(text: string, at: number): number {
  let place = nameEnd(text, at);
  while (text.charCodeAt(place) === DOT && (classOf(text, place + 1) & NAME_START) !== 0)
    place = nameEnd(text, place + 1);
  return place;
}

const NUMBER =
  /0[xX][0-9a-fA-F][0-9a-fA-F_]*(?:\.[0-9a-fA-F_]+)?(?:[pP][+-]?\d+)?|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d[\d_]*)?/y;

/** The end of the symbol at `at`: all of a run of operator characters, unless the run is made of known symbols. */
function operatorEnd(text: string, at: number): number {
  let runEnd = at;
  while (runEnd < text.length && classOf(text, runEnd) === OPERATOR) runEnd += width(text, runEnd);
  const run = text.slice(at, runEnd);
  if (run.length === 1 || KNOWN_SYMBOLS.has(run)) return runEnd;
  let first = 0;
  let place = 0;
  while (place < run.length) {
    const known = longestKnown(run, place);
    if (known === 0) return runEnd;
    if (first === 0) first = known;
    place += known;
  }
  return at + first;
}

function longestKnown(run: string, at: number): number {
  for (let length = Math.min(LONGEST_KNOWN, run.length - at); length > 0; length -= 1)
    if (KNOWN_SYMBOLS.has(run.slice(at, at + length))) return length;
  return 0;
}

/** The end of the symbol at `at`, whose class is `found`. */
function symbolEnd(text: string, at: number, found: number): number {
  const code = text.charCodeAt(at);
  if (FIRST_OF_BRACKETS.has(code) && BRACKETS.has(text.slice(at, at + 2))) return at + 2;
  if (code === DOT) return dotEnd(text, at);
  if (found !== OPERATOR) return at + width(text, at);
  const end = operatorEnd(text, at);
  // In `||}` the second bar belongs to the brace.
  const bracketed = end - at > 1 && text.charAt(end - 1) === '|' && text.charAt(end) === '}';
  return bracketed ? end - 1 : end;
}

/** `.`, `..`, `...`, and MathComp's `.1`, `.+1`, `.-tuple`, `.*2`. */
function dotEnd(text: string, at: number): number {
  let end = at + 1;
  while (end < at + 3 && text.charCodeAt(end) === DOT) end += 1;
  if (end > at + 1) return end;
  if (/[+*-]/.test(text.charAt(end)) && (classOf(text, end + 1) & NAME_INSIDE) !== 0)
    return nameEnd(text, end + 1);
  return (classOf(text, end) & DIGIT) !== 0 ? nameEnd(text, end) : end;
}

/** All the tokens of a text, blanks and comments among them. */
export function tokenise(text: string): Token[] {
  return scan(text, true);
}

/** The tokens that mean something: no blanks, no comments. */
export function significantTokens(text: string): Token[] {
  return scan(text, false);
}

/** The text as the prover reads it: a comment is a blank, and however many blanks there are, they are one space. */
export function withoutComments(text: string): string {
  const read: string[] = [];
  for (const { kind, text: token } of tokenise(text)) {
    if (kind !== 'blank' && kind !== 'comment') read.push(token);
    else if (read.at(-1)?.endsWith(' ') !== true) read.push(' ');
  }
  return read.join('');
}

function scan(text: string, withTrivia: boolean): Token[] {
  const tokens: Token[] = [];
  let place = 0;
  while (place < text.length) {
    const found = classOf(text, place);
    const code = text.charCodeAt(place);
    let kind: TokenKind;
    let end: number;
    if ((found & BLANK) !== 0) {
      kind = 'blank';
      end = place + 1;
      while (isBlankCode(text.charCodeAt(end))) end += 1;
    } else if ((found & NAME_START) !== 0) {
      kind = 'identifier';
      end = qualifiedNameEnd(text, place);
      if (text.charCodeAt(end) === COLON && opensQuotation(text, end)) {
        kind = 'quotation';
        end = quotationEnd(text, end + 1);
      }
    } else if ((found & DIGIT) !== 0) {
      kind = 'number';
      NUMBER.lastIndex = place;
      NUMBER.test(text);
      end = NUMBER.lastIndex;
    } else if (code === QUOTE) {
      kind = 'string';
      end = stringEnd(text, place);
    } else if (code === OPEN_PARENTHESIS && text.charCodeAt(place + 1) === STAR) {
      kind = 'comment';
      end = commentEnd(text, place);
    } else {
      kind = 'symbol';
      end = symbolEnd(text, place, found);
    }
    if (end < 0) end = text.length;
    if (withTrivia || (kind !== 'blank' && kind !== 'comment'))
      tokens.push({ kind, text: text.slice(place, end), start: place });
    place = end;
  }
  return tokens;
}

export function tokenEnd(token: Token): number {
  return token.start + token.text.length;
}

/** +1 for an opening bracket, -1 for a closing one. */
export function bracketChange(symbol: string): number {
  switch (symbol) {
    case '(':
    case '[':
    case '{':
    case '{|':
    case '[>':
    case '.(':
      return 1;
    case ')':
    case ']':
    case '}':
    case '|}':
      return -1;
    default:
      return 0;
  }
}
