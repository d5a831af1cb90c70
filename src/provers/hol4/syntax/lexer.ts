/**
 * The lexical grammar of HOL4's script files: Standard ML, with quotations whose inside is HOL's term language. Every
 * character of a text belongs to exactly one token, whatever the text is; what is left open at its end is a token too,
 * marked so. The rules are those of HOL's own reader of 2026, which differ from plain ML in two places: a quotation
 * ends also at `Proof`, `Termination` or `End` in column zero, and a comment inside a quotation does not hide its
 * closing mark.
 */
import { characterWidth } from '../../../core/code-points.ts';
import type { Span } from '../../../core/position.ts';

export type TokenKind =
  | 'space'
  | 'comment'
  /** An identifier of letters, qualified names as one token: `Q.store_thm`. */
  | 'word'
  /** An identifier of symbols: `\\`, `>-`, `=`. */
  | 'symbol'
  | 'punctuation'
  | 'number'
  | 'string'
  | 'character'
  | 'type-variable'
  | 'quotation'
  /** A character that ML does not know outside of quotations. */
  | 'stray';

export interface Token {
  readonly kind: TokenKind;
  readonly span: Span;
  /** False when the end of the text came before the end of the token. */
  readonly closed: boolean;
  /** In quotations: what stands after `^` in code, parentheses included. */
  readonly antiquotations?: readonly Span[];
}

export interface QuoteBody {
  /** The offset of what ended it: a closing mark, a keyword in column zero, or the end of the text. */
  readonly end: number;
  /** What ended it; undefined at the end of the text. */
  readonly terminator: string | undefined;
  readonly antiquotations: readonly Span[];
}

const SYMBOLS = new Set('!%&$#+-/:<=>?@\\~^|*');
const PUNCTUATION = new Set('()[]{},;_.');
const CLOSERS: Readonly<Record<string, string>> = { '``': '``', '`': '`', '“': '”', '‘': '’' };
const STRING_CLOSERS: Readonly<Record<string, string>> = { '"': '"', '«': '»', '‹': '›' };
const STRONG_ENDS = ['End', 'Termination', 'Proof'];

/** All tokens of a part of a text; a token that begins inside it may not end outside. */
export function holTokens(text: string, span: Span = { start: 0, end: text.length }): readonly Token[] {
  const tokens: Token[] = [];
  for (let at = span.start; at < span.end;) {
    const token = readToken(text, at, span.end);
    tokens.push(token);
    at = token.span.end;
  }
  return tokens;
}

/** The tokens of a part of a text, no blanks and comments. */
export function meaningfulTokens(text: string, span?: Span): readonly Token[] {
  return holTokens(text, span).filter(({ kind }) => kind !== 'space' && kind !== 'comment');
}

/** The token that begins at an offset before `limit`. */
export function readToken(text: string, start: number, limit = text.length): Token {
  const first = text.charAt(start);
  const token = (kind: TokenKind, end: number, closed = true): Token => ({
    kind,
    span: { start, end: Math.min(end, limit) },
    closed: closed && end <= limit,
  });
  if (isSpace(first)) return token('space', skipWhile(text, start, limit, isSpace));
  if (text.startsWith('(*', start) && start + 1 < limit) {
    const end = commentEnd(text, start, limit);
    return token('comment', end ?? limit, end !== undefined);
  }
  if (first === '"' || (first === '#' && text.charAt(start + 1) === '"')) {
    const open = first === '"' ? start : start + 1;
    const end = stringEnd(text, open + 1, limit, '"');
    return token(first === '"' ? 'string' : 'character', end ?? limit, end !== undefined);
  }
  if (first in CLOSERS) return readQuotation(text, start, limit);
  if (first === "'") return token('type-variable', skipWhile(text, start + 1, limit, isWordRest));
  if (isDigit(first) || (first === '~' && isDigit(text.charAt(start + 1))))
    return token('number', numberEnd(text, start, limit));
  if (isLetter(first))
    return token('word', qualifiedEnd(text, skipWhile(text, start, limit, isWordRest), limit));
  if (SYMBOLS.has(first))
    return token('symbol', qualifiedEnd(text, skipWhile(text, start, limit, isSymbol), limit));
  if (PUNCTUATION.has(first)) return token('punctuation', start + 1);
  return token('stray', start + characterWidth(text, start));
}

/** The mark with which a quotation begins: `` `` ``, `` ` ``, `“` or `‘`. */
export function openingMark(text: string, start: number): string {
  return text.startsWith('``', start) ? '``' : text.charAt(start);
}

/**
 * Reads what stands in a quotation, from just behind its beginning. `closers` are the marks that end it; with none
 * only a keyword in column zero does.
 */
export function readQuoteBody(
  text: string,
  start: number,
  limit: number,
  closers: readonly string[],
): QuoteBody {
  const antiquotations: Span[] = [];
  let comments = 0;
  let at = start;
  while (at < limit) {
    const character = text.charAt(at);
    switch (character) {
      case '(':
        if (text.charAt(at + 1) === '*') {
          comments += 1;
          at += 2;
        } else at += 1;
        break;
      case '*':
        if (comments > 0 && text.charAt(at + 1) === ')') {
          comments -= 1;
          at += 2;
        } else at += 1;
        break;
      case 'E':
      case 'T':
      case 'P': {
        const keyword = inColumnZero(text, at)
          ? STRONG_ENDS.find((word) => text.startsWith(word, at))
          : undefined;
        if (keyword !== undefined) return { end: at, terminator: keyword, antiquotations };
        at += 1;
        break;
      }
      case '`':
      case '’':
      case '”': {
        const mark = openingMark(text, at);
        if (closers.includes(mark)) return { end: at, terminator: mark, antiquotations };
        at += mark.length;
        break;
      }
      case '"':
      case '«':
      case '‹':
        at =
          comments > 0
            ? at + 1
            : (stringEnd(text, at + 1, limit, STRING_CLOSERS[character] ?? character) ?? limit);
        break;
      case '^':
        at = comments > 0 ? at + 1 : readAntiquotation(text, at, limit, antiquotations);
        break;
      default:
        at += 1;
    }
  }
  return { end: limit, terminator: undefined, antiquotations };
}

/** True where a line begins: HOL's keywords count only there. */
export function inColumnZero(text: string, at: number): boolean {
  return at === 0 || text.charAt(at - 1) === '\n';
}

function readQuotation(text: string, start: number, limit: number): Token {
  const opening = openingMark(text, start);
  const closing = CLOSERS[opening] ?? opening;
  const body = readQuoteBody(text, start + opening.length, limit, [closing]);
  const closed = body.terminator === closing;
  const end = Math.min(closed ? body.end + closing.length : body.end, limit);
  return { kind: 'quotation', span: { start, end }, closed, antiquotations: body.antiquotations };
}

/** Behind `^` at `at`: an identifier or a parenthesis is code, several `^` or anything else is HOL. */
function readAntiquotation(text: string, at: number, limit: number, found: Span[]): number {
  const next = text.charAt(at + 1);
  if (next === '^') return skipWhile(text, at + 1, limit, (character) => character === '^');
  if (isLetter(next)) {
    const end = skipWhile(text, at + 1, limit, isWordRest);
    found.push({ start: at + 1, end });
    return end;
  }
  if (next !== '(') return at + 1;
  const end = parenthesisEnd(text, at + 1, limit);
  found.push({ start: at + 1, end });
  return end;
}

/** The end of the code in parentheses that begins at `start`; the limit when it is never closed. */
function parenthesisEnd(text: string, start: number, limit: number): number {
  let depth = 0;
  for (let at = start; at < limit;) {
    const { kind, span } = readToken(text, at, limit);
    if (kind === 'punctuation') {
      const character = text.charAt(at);
      if (character === '(') depth += 1;
      if (character === ')') depth -= 1;
      if (depth === 0) return span.end;
    }
    at = span.end;
  }
  return limit;
}

function commentEnd(text: string, start: number, limit: number): number | undefined {
  let depth = 0;
  for (let at = start; at < limit;) {
    if (text.startsWith('(*', at)) {
      depth += 1;
      at += 2;
    } else if (text.startsWith('*)', at)) {
      depth -= 1;
      at += 2;
      if (depth === 0) return at;
    } else at += 1;
  }
  return undefined;
}

/** The end of a string whose inside begins at `start`. A backslash before a blank opens a gap to the next backslash. */
function stringEnd(text: string, start: number, limit: number, closing: string): number | undefined {
  for (let at = start; at < limit;) {
    const character = text.charAt(at);
    if (character === closing) return at + 1;
    if (character !== '\\') at += 1;
    else if (isSpace(text.charAt(at + 1))) {
      const gap = skipWhile(text, at + 1, limit, isSpace);
      at = text.charAt(gap) === '\\' ? gap + 1 : gap;
    } else at += 2;
  }
  return undefined;
}

function numberEnd(text: string, start: number, limit: number): number {
  const number = /~?(?:0w?x[0-9A-Fa-f]+|0w\d+|\d+(?:\.\d+)?(?:[eE]~?\d+)?)/y;
  number.lastIndex = start;
  return Math.min(limit, start + (number.exec(text)?.[0].length ?? 1));
}

/** A dot joins names only when another name follows it. */
function qualifiedEnd(text: string, end: number, limit: number): number {
  if (text.charAt(end) !== '.' || end + 1 >= limit) return end;
  const next = text.charAt(end + 1);
  if (SYMBOLS.has(next)) return qualifiedEnd(text, skipWhile(text, end + 1, limit, isSymbol), limit);
  if (isLetter(next)) return qualifiedEnd(text, skipWhile(text, end + 1, limit, isWordRest), limit);
  return end;
}

function skipWhile(text: string, start: number, limit: number, test: (character: string) => boolean): number {
  let at = start;
  while (at < limit && test(text.charAt(at))) at += 1;
  return at;
}

function isSpace(character: string): boolean {
  return character !== '' && ' \t\n\r\v\f'.includes(character);
}

function isDigit(character: string): boolean {
  return character >= '0' && character <= '9';
}

function isLetter(character: string): boolean {
  return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z');
}

function isWordRest(character: string): boolean {
  return isLetter(character) || isDigit(character) || character === '_' || character === "'";
}

function isSymbol(character: string): boolean {
  return SYMBOLS.has(character);
}
