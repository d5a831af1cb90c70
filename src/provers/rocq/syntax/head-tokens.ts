/**
 * The tokens of a vernacular sentence behind its attributes and prefixes, which are kept, with the looking around that
 * its readers share: words ahead, the first token at the top level of brackets, the span between two tokens.
 */
import { orNothing, orZero } from '../../../core/entry.ts';
import type { Span } from '../../../core/position.ts';
import { bracketChange, tokenEnd, significantTokens, type Token, withoutComments } from './lexer.ts';

const PREFIXES = new Set([
  ...['Local', 'Global', 'Export', 'Private', 'Program', 'Polymorphic', 'Monomorphic', 'Cumulative'],
  'NonCumulative',
]);

export class HeadTokens {
  readonly text: string;
  readonly all: readonly Token[];
  place = 0;
  /** `Local`, `Program`, … in the order of the text. */
  readonly prefixes: string[] = [];
  readonly attributes: string[] = [];

  constructor(text: string) {
    this.text = text;
    this.all = significantTokens(text);
  }

  peek(ahead = 0): string {
    return orNothing(this.all[this.place + ahead]?.text);
  }

  /** Index of the closing dot among the tokens. */
  get last(): number {
    return this.all.length - 1;
  }

  /** Moves over attributes, prefixes and control words; false when the sentence will have no effect. */
  skipPrefixes(): boolean {
    for (;;) {
      const word = this.peek();
      if (word === '#' && this.peek(1) === '[') this.#attribute();
      else if (word === 'Fail' || word === 'Succeed') return false;
      else if (word === 'Time' || word === 'Instructions') this.place += 1;
      else if (word === 'Timeout' || word === 'Redirect') this.place += 2;
      else if (word === 'Profile') this.place += this.peek(1).startsWith('"') ? 2 : 1;
      else if (PREFIXES.has(word)) {
        this.prefixes.push(word);
        this.place += 1;
      } else return true;
    }
  }

  /** `#[a, b="c", d(e)]`: each part between top-level commas is one attribute. */
  #attribute(): void {
    let depth = 0;
    let start = orZero(this.all[this.place + 2]?.start);
    for (this.place += 1; this.place <= this.last; this.place += 1) {
      const token = this.all[this.place];
      if (token === undefined) return;
      depth += bracketChange(token.text);
      if (depth === 0 || (depth === 1 && token.text === ',')) {
        const attribute = withoutComments(this.text.slice(start, token.start)).trim();
        if (attribute !== '') this.attributes.push(attribute);
        start = tokenEnd(token);
      }
      if (depth === 0) {
        this.place += 1;
        return;
      }
    }
  }

  /** Index of the first top-level token from `from` on that satisfies the predicate, or -1. */
  find(from: number, satisfies: (token: Token) => boolean): number {
    let depth = 0;
    for (let index = from; index < this.last; index += 1) {
      const token = this.all[index];
      if (token === undefined) break;
      const change = bracketChange(token.text);
      if (change < 0) depth += change;
      if (depth <= 0 && satisfies(token)) return index;
      if (change > 0) depth += change;
    }
    return -1;
  }

  /** From the token `from` to the one before `to`; undefined when there is none. */
  between(from: number, to: number): Span | undefined {
    const first = this.all[from];
    const last = this.all[to - 1];
    return first === undefined || last === undefined || to <= from
      ? undefined
      : { start: first.start, end: tokenEnd(last) };
  }

  /** Index of the `:=` that gives the body, not one of a `let` in the type; -1 when there is none. */
  bodySign(from: number): number {
    let lets = 0;
    return this.find(from, ({ text }) => {
      if (text === 'let') lets += 1;
      if (text !== ':=') return false;
      lets -= 1;
      return lets < 0;
    });
  }
}
