/**
 * The text of a script, read from any offset: the next word, the head of a declaration, its colon, the end of a proof
 * or of an expression. What is missing where it is looked for is listed as a problem.
 */
import type { Span } from '../../../core/position.ts';
import { type QuoteBody, inColumnZero, readQuoteBody, readToken } from './lexer.ts';
import { type Attribute, type ScriptProblem, parseAttributes } from './script-parts.ts';
import { DECLARATIONS, HOL_KEYWORDS, nest } from './script-words.ts';

export class ScriptText {
  readonly text: string;
  readonly problems: ScriptProblem[] = [];

  constructor(text: string) {
    this.text = text;
  }

  /** Whether a word is a keyword of HOL where it stands. */
  isHolKeyword(word: string, span: Span): boolean {
    if (!HOL_KEYWORDS.has(word) || !inColumnZero(this.text, span.start)) return false;
    // `Datatype` without a colon is the function of old scripts.
    return word !== 'Datatype' || /^[ \t]*:/.test(this.text.slice(span.end, span.end + 80));
  }

  /** The tactic from an offset to the keyword that ends it in column zero. */
  proof(start: number, terminator: 'QED' | 'End', name: string): { proof: Span; end: number } {
    const text = this.text;
    for (let at = start; at < text.length;) {
      const { kind, span, closed } = readToken(text, at);
      if (!closed) this.problem(`The ${kind} is never closed.`, span);
      const word = text.slice(span.start, span.end);
      if (kind === 'word' && this.isHolKeyword(word, span)) {
        if (word === terminator) return { proof: { start, end: span.start }, end: span.end };
        this.problem(`The proof of ${name} is not followed by ${terminator}.`, { start, end: span.start });
        return { proof: { start, end: span.start }, end: span.start };
      }
      at = span.end;
    }
    this.problem(`The proof of ${name} is not followed by ${terminator}.`, { start, end: text.length });
    return { proof: { start, end: text.length }, end: text.length };
  }

  /** A name and its attributes in brackets; the name may be a string. */
  head(from: number): { name: string; attributes: readonly Attribute[]; end: number } {
    const { word, kind, span } = this.wordAt(from);
    if (kind !== 'word' && kind !== 'string') return { name: '', attributes: [], end: from };
    const name = kind === 'string' ? word.slice(1, -1) : word;
    const end = this.skipAttributes(span.end);
    return { name, attributes: parseAttributes(this.text.slice(span.end, end)), end };
  }

  skipAttributes(from: number): number {
    const { word, span } = this.wordAt(from);
    if (word !== '[') return from;
    for (let at = span.end; at < this.text.length;) {
      const token = readToken(this.text, at);
      if (this.text.slice(token.span.start, token.span.end) === ']') return token.span.end;
      if (token.kind === 'word' && this.isHolKeyword(this.text.slice(at, token.span.end), token.span))
        return at;
      at = token.span.end;
    }
    return this.text.length;
  }

  /** Behind the next colon, which may be written together with what follows. */
  colonAfter(from: number): number {
    for (let at = from; at < this.text.length;) {
      const { word, kind, span } = this.wordAt(at);
      if (kind === 'symbol' && word.startsWith(':')) return span.start + 1;
      if (kind === 'word' && this.isHolKeyword(word, span)) break;
      at = span.end;
      if (span.start === span.end) break;
    }
    this.problem('A colon is missing.', { start: from, end: from });
    return from;
  }

  /** Where the expression ends that begins at an offset, as the reader will find it. */
  expressionEnd(from: number): number {
    const open: string[] = [];
    let end = from;
    for (let at = from; at < this.text.length;) {
      const { word, kind, span } = this.wordAt(at);
      if (span.start === span.end) break;
      if (kind === 'word' && this.isHolKeyword(word, span)) break;
      if (open.length === 0 && (word === ';' || (kind === 'word' && DECLARATIONS.has(word)))) break;
      if (open.length === 0 && word === 'end') break;
      nest(open, word, kind);
      end = at = span.end;
    }
    return end;
  }

  quoteBody(from: number): QuoteBody {
    return readQuoteBody(this.text, from, this.text.length, []);
  }

  /** The next token that is neither blank nor comment; an empty one at the end. */
  wordAt(from: number): { word: string; kind: string; span: Span } {
    let at = from;
    while (at < this.text.length) {
      const { kind, span } = readToken(this.text, at);
      if (kind !== 'space' && kind !== 'comment')
        return { word: this.text.slice(span.start, span.end), kind, span };
      at = span.end;
    }
    return { word: '', kind: 'end', span: { start: at, end: at } };
  }

  problem(message: string, span: Span): void {
    this.problems.push({ message, span });
  }
}
