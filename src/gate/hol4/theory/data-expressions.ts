/**
 * The S-expressions in which HOL4 stores the data of a theory, and what is asked of one: its parts, or that it is
 * damaged.
 */
import { clause } from '../../../core/sentence.ts';
import { MalformedTrace } from '../trace/trace-reader.ts';

/** @throws MalformedTrace */
export function parseExpression(source: string): Expression {
  return new ExpressionParser(source).parse();
}

export type Expression =
  | { readonly kind: 'pair'; readonly first: Expression; readonly rest: Expression }
  | { readonly kind: 'symbol' | 'string'; readonly text: string }
  | { readonly kind: 'integer'; readonly value: number };

const NIL: Expression = { kind: 'symbol', text: 'nil' };
const DEEPEST = 2_000;

class ExpressionParser {
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(source: string) {
    this.#text = source;
  }

  parse(): Expression {
    const expression = this.#expression();
    this.#blanks();
    if (this.#at < this.#text.length) throw malformedTheory('there is something after its end');
    return expression;
  }

  #expression(): Expression {
    this.#blanks();
    const character = this.#text.charAt(this.#at);
    if (character === '(') return this.#list();
    if (character === '"') return { kind: 'string', text: this.#quoted('"') };
    if (character === '|') return { kind: 'symbol', text: this.#quoted('|') };
    const word = /[^\s()"|]+/y;
    word.lastIndex = this.#at;
    const found = word.exec(this.#text)?.[0];
    if (found === undefined) throw malformedTheory('an expression is missing');
    this.#at += found.length;
    return /^-?\d+$/.test(found)
      ? { kind: 'integer', value: Number(found) }
      : { kind: 'symbol', text: found };
  }

  /** `(a b c)` or, with a last part that is no list, `(a b . c)`. */
  #list(): Expression {
    this.#at += 1;
    this.#depth += 1;
    if (this.#depth > DEEPEST) throw malformedTheory('it is nested too deeply');
    const parts: Expression[] = [];
    let end: Expression = NIL;
    for (;;) {
      this.#blanks();
      const character = this.#text.charAt(this.#at);
      if (character === ')') break;
      if (character === '') throw malformedTheory('a list is not closed');
      if (character === '.' && /[\s(]/.test(this.#text.charAt(this.#at + 1))) {
        this.#at += 1;
        end = this.#expression();
        this.#blanks();
        if (this.#text.charAt(this.#at) !== ')') throw malformedTheory('a list goes on after its end');
        break;
      }
      parts.push(this.#expression());
    }
    this.#at += 1;
    this.#depth -= 1;
    return parts.reduceRight<Expression>((sofar, part) => ({ kind: 'pair', first: part, rest: sofar }), end);
  }

  /** With the escapes of ML: `\n`, `\"`, `\\`, `\ddd` (a byte), and a gap of blanks between two backslashes. */
  #quoted(mark: string): string {
    const bytes: Buffer[] = [];
    let at = this.#at + 1;
    for (;;) {
      const character = this.#text.charAt(at);
      if (character === '') throw malformedTheory('a string is not closed');
      if (character === mark) break;
      if (character !== '\\') {
        const plain = /[^\\"|]+|["|]/y;
        plain.lastIndex = at;
        const run = plain.exec(this.#text)?.[0] ?? character;
        bytes.push(Buffer.from(run));
        at += run.length;
        continue;
      }
      const escape = /\\(?:(\d{3})|\s+\\|([^]))/y;
      escape.lastIndex = at;
      const found = escape.exec(this.#text);
      if (found === null) throw malformedTheory('a string is not closed');
      const [whole, code, letter] = found;
      if (code !== undefined) bytes.push(Buffer.from([Number(code) & 255]));
      else if (letter !== undefined) bytes.push(Buffer.from(ESCAPES.get(letter) ?? letter));
      at += whole.length;
    }
    this.#at = at + 1;
    return Buffer.concat(bytes).toString('utf8');
  }

  #blanks(): void {
    const blanks = /\s*/y;
    blanks.lastIndex = this.#at;
    blanks.exec(this.#text);
    this.#at = blanks.lastIndex;
  }
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
]);

export function isTagged(expression: Expression | undefined, tag: string): boolean {
  return expression?.kind === 'pair' && expression.first.kind === 'symbol' && expression.first.text === tag;
}

/** What follows a tag. */
export function tagged(expression: Expression | undefined, tag: string): Expression {
  if (!isTagged(expression, tag)) throw malformedTheory(`the part ${tag} is missing`);
  return restOf(expression);
}

export function listOf(expression: Expression | undefined, what: string): Expression[] {
  const parts: Expression[] = [];
  let left = expression;
  for (; left?.kind === 'pair'; left = left.rest) parts.push(left.first);
  if (left?.kind !== 'symbol' || left.text !== 'nil') throw malformedTheory(`${what} is no list`);
  return parts;
}

export function firstOf(expression: Expression | undefined): Expression {
  if (expression?.kind !== 'pair') throw malformedTheory('a pair is missing');
  return expression.first;
}

export function restOf(expression: Expression | undefined): Expression {
  if (expression?.kind !== 'pair') throw malformedTheory('a pair is missing');
  return expression.rest;
}

export function stringOf(expression: Expression | undefined): string {
  if (expression?.kind !== 'string') throw malformedTheory('a string is missing');
  return expression.text;
}

export function integer(expression: Expression | undefined): number {
  if (expression?.kind !== 'integer') throw malformedTheory('a number is missing');
  return expression.value;
}

export function entry<A>(table: readonly A[], index: number | undefined): A {
  const found = index === undefined ? undefined : table[index];
  if (found === undefined) throw malformedTheory('a table has no such entry');
  return found;
}

export function malformedTheory(what: string): MalformedTrace {
  return new MalformedTrace(`This is not the data of a theory: ${clause(what)}.`);
}
