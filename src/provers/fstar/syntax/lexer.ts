/**
 * Cuts F* text into tokens as F*'s own lexer does where it matters: comments (nested, and to the end of the line, where
 * a line ends at a lone carriage return and at U+2028 too), strings, characters against type variables, operators,
 * pragmas and embedded languages. Lossless: the tokens, joined, are the text, for any text. What F* would refuse is a
 * token of kind `other`; what does not end runs to the end of the text and says so.
 *
 * Two things in which versions differ are a `dialect`: in F* of 2019 an operator may contain `//`, now a comment begins
 * there; and blobs (fenced by three backquotes, `#lang-pulse`) exist only now.
 */
import { characterWidth } from '../../../core/code-points.ts';

export type Dialect = 'modern' | '2019';

export type TokenKind =
  | 'blank'
  | 'comment'
  /** Also keywords; starts with a small letter or `_`. */
  | 'identifier'
  /** Starts with a capital letter. */
  | 'constructor'
  | 'type-variable'
  | 'number'
  | 'string'
  | 'character'
  | 'operator'
  /** One of `( ) [ ] { } , ;`. */
  | 'punctuation'
  /** `#set-options` and its like. */
  | 'pragma'
  /** The text of another language inside of F*. */
  | 'blob'
  | 'other';

export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  /** UTF-16 offset into the text. */
  readonly start: number;
  /** A comment, string or blob that does not end. */
  readonly unfinished?: true;
}

const LETTER = String.raw`\p{Ll}\p{Lu}\p{Lo}\p{Lm}`;
const BLANKS = /[\p{Zs}\t\v\f\uFEFF\r\n\u2028\u2029]+/uy;
const IDENTIFIER = new RegExp(String.raw`[\p{Ll}_][${LETTER}0-9'_]*`, 'uy');
const CONSTRUCTOR = new RegExp(String.raw`[\p{Lu}\p{Lt}][${LETTER}0-9'_]*`, 'uy');
const TYPE_VARIABLE = new RegExp(String.raw`'[\p{Ll}_\p{Lu}\p{Lt}][${LETTER}0-9'_]*`, 'uy');
const CHARACTER = /'(?:[^\\]|\\(?:[\\"'bfntrv0]|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}))'B?/uy;
const NUMBER = new RegExp(
  String.raw`(?:0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+|[0-9]+\.\.[0-9]+|[0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?)[${LETTER}0-9'_]*`,
  'uy',
);
const QUOTED_IDENTIFIER = /``(?:[^`\n\r\u2028\u2029]|`[^`\n\r\u2028\u2029])+``/uy;
const BLOB_START = new RegExp('```' + String.raw`[\p{Ll}_][${LETTER}0-9'_]*`, 'uy');
const LANGUAGE_START = new RegExp(String.raw`#lang-[\p{Ll}_][${LETTER}0-9'_]*`, 'uy');
const PRAGMA =
  /#(?:show-options|set-options|reset-options|push-options|pop-options|restart-solver|print-effects-graph|light)/uy;
const SPLICE = /%splice(?:_t)?/uy;
const QUASIQUOTE = /`[%#@]?/uy;
/** What makes an identifier that comes before it another keyword: `let!`, `match?`, `and*`. */
const KEYWORD_OPERATOR = /(?:let|and|match|if|exists|forall)[!$%&*+\-.<>=?^|~:@#\\/]+/uy;
const SYMBOLS = /[!~?|&=<>$@^+\-*/%.:]+/uy;
const MATHEMATICAL = /[\p{Sm}]/uy;
const LINE_REST = /[^\n\r\u2028\u2029]*/uy;
const CODE_AFTER_SLASHES = '// IN F*:';

export function fstarTokens(text: string, dialect: Dialect = 'modern'): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < text.length;) {
    const token = tokenAt(text, at, dialect);
    tokens.push(token);
    at += token.text.length;
  }
  return tokens;
}

/** True for blanks and comments. */
export function isTrivia({ kind }: Token): boolean {
  return kind === 'blank' || kind === 'comment';
}

function tokenAt(text: string, at: number, dialect: Dialect): Token {
  const token = (kind: TokenKind, length: number): Token => ({
    kind,
    text: text.slice(at, at + length),
    start: at,
  });
  const unfinished = (kind: TokenKind): Token => ({
    kind,
    text: text.slice(at),
    start: at,
    unfinished: true,
  });
  const lengthOf = (pattern: RegExp): number => matchLength(pattern, text, at);
  const closed = (kind: TokenKind, end: number | undefined): Token =>
    end === undefined ? unfinished(kind) : token(kind, end - at);

  const first = text.charAt(at);
  switch (first) {
    case '(':
      return text.startsWith('(*', at) ? closed('comment', commentEnd(text, at)) : token('punctuation', 1);
    case ')':
    case '[':
    case ']':
    case '{':
    case '}':
    case ',':
      return token('punctuation', 1);
    case ';':
      return token('punctuation', 1);
    case '"':
      return closed('string', stringEnd(text, at));
    case "'": {
      // The longer one is meant; of two equally long ones the character.
      const character = lengthOf(CHARACTER);
      const variable = lengthOf(TYPE_VARIABLE);
      if (character > 0 && character >= variable) return token('character', character);
      return variable > 0 ? token('type-variable', variable) : token('other', 1);
    }
    case '`': {
      if (dialect === 'modern' && lengthOf(BLOB_START) > 0) {
        const end = text.indexOf('```', at + 3);
        return end < 0 ? unfinished('blob') : token('blob', end + 3 - at);
      }
      const quoted = lengthOf(QUOTED_IDENTIFIER);
      return quoted > 0 ? token('identifier', quoted) : token('operator', lengthOf(QUASIQUOTE));
    }
    case '#': {
      if (dialect === 'modern' && lengthOf(LANGUAGE_START) > 0) return unfinished('blob');
      const pragma = lengthOf(PRAGMA);
      return pragma > 0 ? token('pragma', pragma) : token('operator', 1);
    }
    case '%': {
      const splice = lengthOf(SPLICE);
      if (splice > 0) return token('operator', splice);
      break;
    }
    case '/':
      if (text.startsWith('//', at)) {
        const run = lengthOf(SYMBOLS);
        // After this marker the line is code: it hid F* from the F# compiler when F* was built with that.
        if (text.startsWith(CODE_AFTER_SLASHES, at) && run < CODE_AFTER_SLASHES.length) {
          return token('comment', CODE_AFTER_SLASHES.length);
        }
        return token('comment', lengthOf(LINE_REST));
      }
      if (text.startsWith('/\\', at)) return token('operator', 2);
      break;
    case '\\':
      return text.startsWith('\\/', at) ? token('operator', 2) : token('other', 1);
  }

  const blanks = lengthOf(BLANKS);
  if (blanks > 0) return token('blank', blanks);
  const identifier = lengthOf(IDENTIFIER);
  if (identifier > 0) {
    if (dialect === 'modern') {
      const withOperator = beforeComment(text, at, lengthOf(KEYWORD_OPERATOR));
      if (withOperator > identifier) return token('identifier', withOperator);
    }
    return token('identifier', identifier);
  }
  const constructor = lengthOf(CONSTRUCTOR);
  if (constructor > 0) return token('constructor', constructor);
  const number = lengthOf(NUMBER);
  if (number > 0) return token('number', number);
  const symbols = lengthOf(SYMBOLS);
  if (symbols > 0)
    return token('operator', dialect === 'modern' ? beforeComment(text, at, symbols) : symbols);
  if (lengthOf(MATHEMATICAL) > 0) return token('operator', lengthOf(MATHEMATICAL));
  return token('other', characterWidth(text, at));
}

function matchLength(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex - at : 0;
}

/**
 * How much of a run of operator characters comes before a `//` in it; a run that begins with one is not asked
 * about.
 */
function beforeComment(text: string, at: number, length: number): number {
  const comment = text.slice(at, at + length).indexOf('//');
  return comment > 0 ? comment : length;
}

/**
 * The offset behind a comment that begins at `at`; undefined when it does not end. Strings in comments mean
 * nothing.
 */
function commentEnd(text: string, at: number): number | undefined {
  let depth = 1;
  let place = at + 2;
  while (place < text.length) {
    const opening = text.indexOf('(*', place);
    const closing = text.indexOf('*)', place);
    if (closing < 0) return undefined;
    if (opening >= 0 && opening < closing) {
      depth += 1;
      place = opening + 2;
    } else {
      depth -= 1;
      place = closing + 2;
      if (depth === 0) return place;
    }
  }
  return undefined;
}

function stringEnd(text: string, at: number): number | undefined {
  for (let place = at + 1; place < text.length; place += 1) {
    const character = text.charAt(place);
    if (character === '"') return text.charAt(place + 1) === 'B' ? place + 2 : place + 1;
    // Before anything else a backslash is itself.
    if (character === '\\' && /["\\]/.test(text.charAt(place + 1))) place += 1;
  }
  return undefined;
}

/** An identifier without the marks of ` ``x y`` `. */
export function plainName({ text }: Token): string {
  return text.replace(/^``(.*)``$/u, '$1');
}

/** What a string token stands for. */
export function stringValue({ text }: Token): string {
  const inside = text.replace(/^"/, '').replace(/"B?$/, '');
  return inside.replace(
    /\\(?:(\r\n|[\n\r\u2028\u2029])[\p{Zs}\t\v\f\uFEFF]*|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|(["'\\bfntrv0]))/gu,
    (...[, lineEnd, hex, unicode, simple]: readonly (string | undefined)[]) => {
      if (lineEnd !== undefined) return '';
      const code = hex ?? unicode;
      if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
      return simple === undefined ? '' : (SIMPLE_ESCAPES[simple] ?? simple);
    },
  );
}

const SIMPLE_ESCAPES: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  t: '\t',
  r: '\r',
  v: '\v',
  0: '\0',
};
