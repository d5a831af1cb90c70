/**
 * The tokens of a tactic sentence with a place among them: what stands there, and how far a tactic reaches from there
 * when brackets and `match … end` are kept together.
 */
import { entryAt, orNothing, orZero } from '../../../core/entry.ts';
import { bracketChange, tokenEnd, significantTokens, type Token } from './lexer.ts';

const SEPARATORS = new Set([';', '|', '||', '=>', ')', ']', '}', '..']);
const MATCH_WORDS = new Set(['match', 'lazymatch', 'multimatch', 'lazy_match', 'multi_match']);

export class TacticTokens {
  readonly text: string;
  /** The dots that end the sentence. */
  readonly ending: '.' | '...' | '';
  readonly #tokens: readonly Token[];
  /** The number of tokens without the final dot. */
  readonly #length: number;
  place = 0;
  /** How many dispatches are open: only inside one is a bar a separator. */
  dispatches = 0;

  constructor(text: string) {
    this.text = text;
    this.#tokens = significantTokens(text);
    const last = this.#tokens.at(-1)?.text;
    this.ending = last === '.' || last === '...' ? last : '';
    this.#length = this.#tokens.length - (this.ending === '' ? 0 : 1);
  }

  peek(ahead = 0): string {
    const index = this.place + ahead;
    return index < this.#length ? entryAt(this.#tokens, index, 'token').text : '';
  }

  /** Offset of the next token. */
  get here(): number {
    return this.#tokens[this.place]?.start ?? this.text.length;
  }

  /** Offset of the end of the last token that was taken. */
  get taken(): number {
    const token = this.#tokens[this.place - 1];
    return token === undefined ? 0 : tokenEnd(token);
  }

  atEnd(): boolean {
    const next = this.peek();
    return next === '' || next === ')' || next === ']' || next === '}' || next === '|}' || this.atBar();
  }

  atBar(): boolean {
    if (this.dispatches === 0) return false;
    const next = this.peek();
    return next === '|' || next === '..';
  }

  /**
   * False when the token at this place is a `+` that is an argument: `set_solver +`, `set_solver +H`, `rewrite
   * /+%R`. Rocq tells by the grammar of the tactic, this by blanks.
   */
  atOperator(): boolean {
    if (this.peek() !== '+') return true;
    const next = this.peek(1);
    if (next === '' || SEPARATORS.has(next)) return false;
    const blankBefore = this.here > this.taken;
    const blankBehind = orZero(this.#tokens[this.place + 1]?.start) > this.here + 1;
    if (blankBefore && !blankBehind) return false;
    return blankBefore || !/^[/!?%^-]$/.test(orNothing(this.#tokens[this.place - 1]?.text));
  }

  /**
   * The index of the `in` or `=>` that ends the header of the `let` or `fun` at this place; undefined when it is
   * missing.
   */
  headerEnd(word: 'let' | 'fun'): number | undefined {
    let depth = 0;
    // `eval … in` and inner `let`s have an `in` of their own; `match` has `=>`s.
    let pending = 0;
    for (let index = this.place + 1; index < this.#length; index += 1) {
      const text = entryAt(this.#tokens, index, 'token').text;
      depth += depthChange(text);
      if (depth < 0) return undefined;
      if (depth > 0) continue;
      if (word === 'let' && (text === 'let' || text === 'eval')) pending += 1;
      else if (text === (word === 'let' ? 'in' : '=>')) {
        if (pending === 0) return index;
        pending -= 1;
      }
    }
    return undefined;
  }

  /** From a token, by its index, to the one before this place. */
  from(first: number): readonly Token[] {
    return this.#tokens.slice(first, this.place);
  }

  /** The text from an offset to the end of the last token that was taken. */
  textFrom(start: number): string {
    return this.text.slice(start, this.taken);
  }

  /** Moves over the head of an atom. It never ends the atom, or a stray symbol would stop the parser for ever. */
  takeHead(): void {
    const change = depthChange(this.peek());
    this.place += 1;
    if (change <= 0) return;
    this.skip(() => false, true);
    if (this.place < this.#length) this.place += 1;
  }

  /** The selector at this place without its colon; the place moves behind the colon. */
  selector(): string | undefined {
    let ahead = 0;
    const start = this.here;
    if (this.peek() === 'only') ahead = 1;
    const first = this.peek(ahead);
    if (first === 'all' || first === 'par' || first === '!') ahead += 1;
    else if (first === '[' && this.peek(ahead + 2) === ']') ahead += 3;
    else if (/^\d+$/.test(first)) while (/^(?:\d+|-|,)$/.test(this.peek(ahead))) ahead += 1;
    else return undefined;
    if (this.peek(ahead) !== ':') return undefined;
    this.place += ahead;
    const selector = this.textFrom(start);
    this.place += 1;
    return selector;
  }

  /** What stands between `do`, `timeout`, `time` and the operand. */
  count(word: string): string {
    if (word !== 'do' && word !== 'timeout' && word !== 'time') return '';
    const start = this.here;
    const before = this.place;
    const next = this.#tokens[this.place];
    const isNumber = next?.kind === 'number' || (next?.kind === 'identifier' && word !== 'time');
    if (this.place < this.#length && (isNumber || (next?.kind === 'string' && word === 'time')))
      this.place += 1;
    if (word === 'do' && (this.peek() === '!' || this.peek() === '?')) this.place += 1;
    return this.place === before ? '' : this.textFrom(start);
  }

  /** Takes the closing bracket; what stands before it and was not understood becomes glue. */
  close(bracket: ')' | ']'): void {
    const before = this.place;
    this.skip(() => false, true);
    if (this.peek() === bracket) this.place += 1;
    else this.place = before;
  }

  /** Moves over what may stand behind a closing bracket: `do [t] in H`, `abstract (t) using x`. */
  clause(): void {
    if (this.peek() === 'in' || this.peek() === 'using')
      this.skip((text) => text === ';' || text === '||' || text === '+' || text === '=>');
  }

  /** Moves to the first token at this level that ends what is being read. */
  skip(stops: (text: string) => boolean, overBars = false): void {
    let depth = 0;
    for (; this.place < this.#length; this.place += 1) {
      const text = this.peek();
      const change = depthChange(text);
      if (depth === 0 && (change < 0 || stops(text) || (!overBars && this.atBar()))) return;
      depth = Math.max(0, depth + change);
    }
  }
}

/** How a token changes the depth where brackets and `match … end` are kept together. */
function depthChange(text: string): number {
  return bracketChange(text) + (MATCH_WORDS.has(text) ? 1 : text === 'end' ? -1 : 0);
}
