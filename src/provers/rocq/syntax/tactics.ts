/**
 * The structure of a tactic sentence: Ltac's and SSReflect's tacticals as a tree, atomic tactics as its leaves.
 *
 * Promise: lossless (`printTactic(parseTactic(text)) === text`) and total: whatever is not understood is part of a
 * leaf or of the text between children. A tree whose leaves were replaced prints as the changed tactic.
 *
 * Precedence is Rocq's, tightest first: `=>`; `||` and `+`; `try`, `do n`, selectors, …; `;`. The operand of `by`
 * and of `now`, and the body of `let … in` and `fun … =>`, reach as far to the right as they can; so does the `by` of
 * SSReflect's `have`, but not the `by` of `assert` and `rewrite`.
 */
import { entryAt, orNothing, orZero } from '../../../core/entry.ts';
import { bracketChange, endOf, significantTokens, type Token } from './lexer.ts';

export interface TacticAtom {
  readonly kind: 'atom';
  /** The first word, or the first symbol of a tactic that begins with none. */
  readonly head: string;
  /** All the tokens behind the head. Their offsets count from the start of the sentence that was parsed. */
  readonly arguments: readonly Token[];
  /** Index in `arguments` of the colon of SSReflect (`case: x`, `have x : T`); absent when there is none. */
  readonly colon?: number;
  readonly text: string;
}

/** Nothing, where a tactic could stand: `[ | auto]`, `by []`, `=> x`. */
export interface NoTactic {
  readonly kind: 'nothing';
}

interface Branch {
  readonly children: readonly TacticExpression[];
  /** The text before, between and behind the children: one more than there are children. */
  readonly glue: readonly string[];
}

export type TacticBranch = Branch &
  (
    | { readonly kind: 'sentence'; readonly ending: '.' | '...' | '' }
    /** `t; u; v`, flat. */
    | { readonly kind: 'sequence' }
    | { readonly kind: 'alternative'; readonly word: '||' | '+' }
    /** `[t | u | ..]` and `[> t | u]`. */
    | { readonly kind: 'dispatch'; readonly word: '[' | '[>' }
    | { readonly kind: 'choice'; readonly word: 'first' | 'solve' }
    /** `try t`, `do 3 t`, `do !t`, `timeout 2 t`; `count` is what stands between word and operand. */
    | { readonly kind: 'prefix'; readonly word: string; readonly count: string }
    /** SSReflect's `first t`, `last 2 t` behind a semicolon. */
    | { readonly kind: 'positional'; readonly word: 'first' | 'last'; readonly count: string }
    | { readonly kind: 'terminator'; readonly word: 'by' | 'now' }
    /** `2: t`, `all: t`, `only 1, 3: t`; `selector` without its colon. */
    | { readonly kind: 'selector'; readonly selector: string }
    | { readonly kind: 'parenthesis' }
    /** `t => patterns`. */
    | { readonly kind: 'introduction'; readonly patterns: readonly Token[] }
    /** `assert T by t`: the atom and the tactic. */
    | { readonly kind: 'closed-by' }
    | { readonly kind: 'binder'; readonly word: 'let' | 'fun' }
    /** `tryif t then u else v`. */
    | { readonly kind: 'conditional' }
  );

export type TacticExpression = TacticAtom | NoTactic | TacticBranch;

export function parseTactic(text: string): TacticExpression {
  return new TacticParser(text).sentence();
}

export function printTactic(tactic: TacticExpression): string {
  switch (tactic.kind) {
    case 'atom':
      return tactic.text;
    case 'nothing':
      return '';
    default: {
      let printed = entryAt(tactic.glue, 0, 'piece of glue');
      for (const [index, child] of tactic.children.entries())
        printed += printTactic(child) + entryAt(tactic.glue, index + 1, 'piece of glue');
      return printed;
    }
  }
}

/** The atomic tactics in the order of the text. */
export function atomsOf(tactic: TacticExpression): TacticAtom[] {
  if (tactic.kind === 'atom') return [tactic];
  return tactic.kind === 'nothing' ? [] : tactic.children.flatMap(atomsOf);
}

const PREFIX_WORDS = new Set([
  ...['try', 'repeat', 'do', 'progress', 'once', 'exactly_once', 'timeout', 'time', 'infoH', 'abstract'],
  ...['unshelve', 'assert_fails', 'assert_succeeds'],
]);
const SEPARATORS = new Set([';', '|', '||', '=>', ')', ']', '}', '..']);
const MATCH_WORDS = new Set(['match', 'lazymatch', 'multimatch', 'lazy_match', 'multi_match']);
/** SSReflect tactics whose colon is followed by terms that may contain operators, and whose `by` reaches far. */
const STATING_WORDS = new Set(['have', 'suff', 'suffices', 'wlog', 'without', 'gen', 'pose', 'set']);
const DISCHARGING_WORDS = new Set(['move', 'case', 'elim', 'apply', 'exact', 'congr', ...STATING_WORDS]);

/** A parsed piece and the offsets that it covers. */
interface Piece {
  readonly tactic: TacticExpression;
  readonly start: number;
  readonly end: number;
}

type BranchLabel = TacticBranch extends infer Kind
  ? Kind extends TacticBranch
    ? Omit<Kind, keyof Branch>
    : never
  : never;

class TacticParser {
  readonly #text: string;
  readonly #tokens: readonly Token[];
  /** The number of tokens without the final dot. */
  readonly #length: number;
  #place = 0;
  /** How many dispatches are open: only inside one is a bar a separator. */
  #dispatches = 0;

  constructor(text: string) {
    this.#text = text;
    this.#tokens = significantTokens(text);
    const last = this.#tokens.at(-1)?.text;
    this.#length = this.#tokens.length - (last === '.' || last === '...' ? 1 : 0);
  }

  sentence(): TacticExpression {
    const last = this.#tokens.at(-1)?.text;
    const ending = last === '.' || last === '...' ? last : '';
    return this.#branch({ kind: 'sentence', ending }, 0, this.#text.length, [this.#sequence()]).tactic;
  }

  #peek(ahead = 0): string {
    const index = this.#place + ahead;
    return index < this.#length ? entryAt(this.#tokens, index, 'token').text : '';
  }

  /** Offset of the next token. */
  get #here(): number {
    return this.#tokens[this.#place]?.start ?? this.#text.length;
  }

  /** Offset of the end of the last token that was taken. */
  get #taken(): number {
    const token = this.#tokens[this.#place - 1];
    return token === undefined ? 0 : endOf(token);
  }

  #branch(label: BranchLabel, start: number, end: number, pieces: readonly Piece[]): Piece {
    const glue: string[] = [];
    let place = start;
    for (const piece of pieces) {
      glue.push(this.#text.slice(place, piece.start));
      place = piece.end;
    }
    glue.push(this.#text.slice(place, end));
    return { tactic: { ...label, children: pieces.map(({ tactic }) => tactic), glue }, start, end };
  }

  #nothing(): Piece {
    const at = Math.min(this.#taken, this.#text.length);
    return { tactic: { kind: 'nothing' }, start: at, end: at };
  }

  #atEnd(): boolean {
    const next = this.#peek();
    return next === '' || next === ')' || next === ']' || next === '}' || next === '|}' || this.#atBar();
  }

  #atBar(): boolean {
    if (this.#dispatches === 0) return false;
    const next = this.#peek();
    return next === '|' || next === '..';
  }

  #sequence(): Piece {
    const steps = [this.#step(false)];
    while (this.#peek() === ';') {
      this.#place += 1;
      steps.push(this.#step(true));
    }
    const first = steps[0];
    const last = steps.at(-1);
    if (first === undefined || last === undefined || steps.length === 1) return first ?? this.#nothing();
    return this.#branch({ kind: 'sequence' }, first.start, last.end, steps);
  }

  /** One tactic of a sequence. */
  #step(behindSemicolon: boolean): Piece {
    const word = this.#peek();
    if (behindSemicolon && (word === 'first' || word === 'last')) {
      const positional = this.#positional(word);
      if (positional !== undefined) return positional;
    }
    return this.#prefixed();
  }

  #positional(word: 'first' | 'last'): Piece | undefined {
    const counted = /^\d/.test(this.#peek(1)) ? 1 : 0;
    const next = this.#peek(1 + counted);
    if (word === 'first' && (next === '[' || next === '|')) return undefined;
    const start = this.#here;
    const count = counted === 1 ? this.#peek(1) : '';
    this.#place += 1 + counted;
    // `first last` and `last first` rotate the goals: the second word is the operand.
    const operand = this.#prefixed();
    return this.#branch({ kind: 'positional', word, count }, start, Math.max(this.#taken, operand.end), [
      operand,
    ]);
  }

  #prefixed(): Piece {
    const start = this.#here;
    const selector = this.#selector();
    if (selector !== undefined) {
      const operand = this.#prefixed();
      return this.#branch({ kind: 'selector', selector }, start, operand.end, [operand]);
    }
    const word = this.#peek();
    // `abstract: x` is SSReflect's.
    if (PREFIX_WORDS.has(word) && this.#peek(1) !== ':') {
      this.#place += 1;
      const count = this.#count(word);
      const operand = this.#prefixed();
      return this.#branch({ kind: 'prefix', word, count }, start, operand.end, [operand]);
    }
    if (word === 'by' || word === 'now') {
      this.#place += 1;
      const operand = this.#sequence();
      return this.#branch({ kind: 'terminator', word }, start, operand.end, [operand]);
    }
    if (word === 'let' || word === 'fun') {
      const bound = this.#binder(word);
      if (bound !== undefined) return bound;
    }
    if (word === 'tryif') return this.#conditional();
    return this.#alternatives();
  }

  /** The selector at this place without its colon; the place moves behind the colon. */
  #selector(): string | undefined {
    let ahead = 0;
    const start = this.#here;
    if (this.#peek() === 'only') ahead = 1;
    const first = this.#peek(ahead);
    if (first === 'all' || first === 'par' || first === '!') ahead += 1;
    else if (first === '[' && this.#peek(ahead + 2) === ']') ahead += 3;
    else if (/^\d+$/.test(first)) while (/^(?:\d+|-|,)$/.test(this.#peek(ahead))) ahead += 1;
    else return undefined;
    if (this.#peek(ahead) !== ':') return undefined;
    this.#place += ahead;
    const selector = this.#text.slice(start, this.#taken);
    this.#place += 1;
    return selector;
  }

  /** What stands between `do`, `timeout`, `time` and the operand. */
  #count(word: string): string {
    if (word !== 'do' && word !== 'timeout' && word !== 'time') return '';
    const start = this.#here;
    const before = this.#place;
    const next = this.#tokens[this.#place];
    const isNumber = next?.kind === 'number' || (next?.kind === 'identifier' && word !== 'time');
    if (this.#place < this.#length && (isNumber || (next?.kind === 'string' && word === 'time')))
      this.#place += 1;
    if (word === 'do' && (this.#peek() === '!' || this.#peek() === '?')) this.#place += 1;
    return this.#place === before ? '' : this.#text.slice(start, this.#taken);
  }

  /** `let x := … in t` or `fun x => t`; undefined when the word that ends the header is missing. */
  #binder(word: 'let' | 'fun'): Piece | undefined {
    let depth = 0;
    // `eval … in` and inner `let`s have an `in` of their own; `match` has `=>`s.
    let pending = 0;
    for (let index = this.#place + 1; index < this.#length; index += 1) {
      const text = entryAt(this.#tokens, index, 'token').text;
      depth += bracketChange(text) + (MATCH_WORDS.has(text) ? 1 : text === 'end' ? -1 : 0);
      if (depth < 0) return undefined;
      if (depth > 0) continue;
      if (word === 'let' && (text === 'let' || text === 'eval')) pending += 1;
      else if (text === (word === 'let' ? 'in' : '=>')) {
        if (pending === 0) {
          const start = this.#here;
          this.#place = index + 1;
          const body = this.#sequence();
          return this.#branch({ kind: 'binder', word }, start, Math.max(this.#taken, body.end), [body]);
        }
        pending -= 1;
      }
    }
    return undefined;
  }

  #conditional(): Piece {
    const start = this.#here;
    this.#place += 1;
    const pieces = [this.#sequence()];
    for (const word of ['then', 'else']) {
      if (this.#peek() !== word) break;
      this.#place += 1;
      pieces.push(word === 'then' ? this.#sequence() : this.#prefixed());
    }
    return this.#branch({ kind: 'conditional' }, start, pieces.at(-1)?.end ?? start, pieces);
  }

  #alternatives(): Piece {
    const left = this.#introduced();
    const word = this.#peek();
    if ((word !== '||' && word !== '+') || !this.#isOperator()) return left;
    this.#place += 1;
    const right = this.#prefixed();
    return this.#branch({ kind: 'alternative', word }, left.start, right.end, [left, right]);
  }

  /**
   * False when the token at this place is a `+` that is an argument: `set_solver +`, `set_solver +H`, `rewrite
   * /+%R`. Rocq tells by the grammar of the tactic, this by blanks.
   */
  #isOperator(): boolean {
    if (this.#peek() !== '+') return true;
    const next = this.#peek(1);
    if (next === '' || SEPARATORS.has(next)) return false;
    const blankBefore = this.#here > this.#taken;
    const blankBehind = orZero(this.#tokens[this.#place + 1]?.start) > this.#here + 1;
    if (blankBefore && !blankBehind) return false;
    return blankBefore || !/^[/!?%^-]$/.test(orNothing(this.#tokens[this.#place - 1]?.text));
  }

  #introduced(): Piece {
    let piece = this.#simple();
    while (this.#peek() === '=>') {
      this.#place += 1;
      const first = this.#place;
      this.#skip((text) => text === ';' || text === '||' || text === '=>');
      const patterns = this.#tokens.slice(first, this.#place);
      piece = this.#branch({ kind: 'introduction', patterns }, piece.start, this.#taken, [piece]);
    }
    return piece;
  }

  #simple(): Piece {
    if (this.#atEnd() || this.#peek() === '=>') return this.#nothing();
    const start = this.#here;
    const word = this.#peek();
    if (word === '(') return this.#parenthesis(start);
    if (word === '[' || word === '[>') return this.#dispatch({ kind: 'dispatch', word }, start, 1);
    if ((word === 'first' || word === 'solve') && this.#peek(1) === '[')
      return this.#dispatch({ kind: 'choice', word }, start, 2);
    return this.#atom();
  }

  #parenthesis(start: number): Piece {
    this.#place += 1;
    const dispatches = this.#dispatches;
    this.#dispatches = 0;
    const inner = this.#sequence();
    this.#dispatches = dispatches;
    this.#close(')');
    this.#clause();
    return this.#branch({ kind: 'parenthesis' }, start, Math.max(this.#taken, inner.end), [inner]);
  }

  #dispatch(label: BranchLabel, start: number, opening: number): Piece {
    this.#place += opening;
    this.#dispatches += 1;
    const pieces: Piece[] = [];
    for (;;) {
      // `||` with nothing before it is two bars.
      pieces.push(this.#peek() === '||' ? this.#nothing() : this.#sequence());
      while (this.#peek() === '..') this.#place += 1;
      if (this.#peek() === '|') this.#place += 1;
      else if (this.#peek() === '||') {
        this.#place += 1;
        const bar = this.#taken - 1;
        pieces.push({ tactic: { kind: 'nothing' }, start: bar, end: bar });
      } else break;
    }
    this.#dispatches -= 1;
    this.#close(']');
    this.#clause();
    return this.#branch(label, start, Math.max(this.#taken, pieces.at(-1)?.end ?? start), pieces);
  }

  /** Takes the closing bracket; what stands before it and was not understood becomes glue. */
  #close(bracket: ')' | ']'): void {
    const before = this.#place;
    this.#skip(() => false, true);
    if (this.#peek() === bracket) this.#place += 1;
    else this.#place = before;
  }

  /** Moves over what may stand behind a closing bracket: `do [t] in H`, `abstract (t) using x`. */
  #clause(): void {
    if (this.#peek() === 'in' || this.#peek() === 'using')
      this.#skip((text) => text === ';' || text === '||' || text === '+' || text === '=>');
  }

  /** Moves to the first token at this level that ends what is being read. */
  #skip(stops: (text: string) => boolean, overBars = false): void {
    let depth = 0;
    for (; this.#place < this.#length; this.#place += 1) {
      const text = this.#peek();
      const change = bracketChange(text) + (MATCH_WORDS.has(text) ? 1 : text === 'end' ? -1 : 0);
      if (depth === 0 && (change < 0 || stops(text) || (!overBars && this.#atBar()))) return;
      depth = Math.max(0, depth + change);
    }
  }

  #atom(): Piece {
    const start = this.#here;
    const first = this.#place;
    const head = this.#peek();
    const stating = STATING_WORDS.has(head);
    let functions = 0;
    let conditions = 0;
    let stated = false;
    let colon: number | undefined;
    // The head itself never ends the atom, or a stray symbol would stop the parser for ever.
    if (bracketChange(head) !== 0 || MATCH_WORDS.has(head)) {
      const opens = bracketChange(head) > 0 || MATCH_WORDS.has(head);
      this.#place += 1;
      if (opens) {
        this.#skip(() => false, true);
        if (this.#place < this.#length) this.#place += 1;
      }
    } else this.#place += 1;
    this.#skip((text) => {
      if (text === ';' || text === 'by') return true;
      if (text === 'if') conditions += 1;
      else if (text === 'then') return conditions === 0;
      else if (text === 'else') {
        conditions -= 1;
        return conditions < 0;
      }
      if (text === 'fun' || text === 'λ') functions += 1;
      else if (text === '=>') {
        if (functions === 0) return true;
        functions -= 1;
      } else if (text === '||' || text === '+') return !stated && this.#isOperator();
      else if (text === ':' || text === ':=') {
        if (text === ':' && DISCHARGING_WORDS.has(head)) colon ??= this.#place - first - 1;
        stated ||= stating;
      }
      return false;
    });
    const atom: Piece = {
      tactic: {
        kind: 'atom',
        head,
        arguments: this.#tokens.slice(first + 1, this.#place),
        ...(colon !== undefined && { colon }),
        text: this.#text.slice(start, this.#taken),
      },
      start,
      end: this.#taken,
    };
    if (this.#peek() !== 'by') return atom;
    this.#place += 1;
    const closing = stating ? this.#sequence() : this.#prefixed();
    return this.#branch({ kind: 'closed-by' }, start, closing.end, [atom, closing]);
  }
}
