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
import type { TacticBranch, TacticChildren, TacticExpression } from './tactic-tree.ts';
import { TacticTokens } from './tactic-tokens.ts';

export function parseTactic(text: string): TacticExpression {
  return new TacticParser(text).sentence();
}

const PREFIX_WORDS = new Set([
  ...['try', 'repeat', 'do', 'progress', 'once', 'exactly_once', 'timeout', 'time', 'infoH', 'abstract'],
  ...['unshelve', 'assert_fails', 'assert_succeeds'],
]);
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
    ? Omit<Kind, keyof TacticChildren>
    : never
  : never;

class TacticParser {
  readonly #tokens: TacticTokens;

  constructor(text: string) {
    this.#tokens = new TacticTokens(text);
  }

  sentence(): TacticExpression {
    const { ending, text } = this.#tokens;
    return this.#branch({ kind: 'sentence', ending }, 0, text.length, [this.#sequence()]).tactic;
  }

  #branch(label: BranchLabel, start: number, end: number, pieces: readonly Piece[]): Piece {
    const glue: string[] = [];
    let place = start;
    for (const piece of pieces) {
      glue.push(this.#tokens.text.slice(place, piece.start));
      place = piece.end;
    }
    glue.push(this.#tokens.text.slice(place, end));
    return { tactic: { ...label, children: pieces.map(({ tactic }) => tactic), glue }, start, end };
  }

  #nothing(): Piece {
    const at = Math.min(this.#tokens.taken, this.#tokens.text.length);
    return { tactic: { kind: 'nothing' }, start: at, end: at };
  }

  #sequence(): Piece {
    const steps = [this.#step(false)];
    while (this.#tokens.peek() === ';') {
      this.#tokens.place += 1;
      steps.push(this.#step(true));
    }
    const first = steps[0];
    const last = steps.at(-1);
    if (first === undefined || last === undefined || steps.length === 1) return first ?? this.#nothing();
    return this.#branch({ kind: 'sequence' }, first.start, last.end, steps);
  }

  /** One tactic of a sequence. */
  #step(behindSemicolon: boolean): Piece {
    const word = this.#tokens.peek();
    if (behindSemicolon && (word === 'first' || word === 'last')) {
      const positional = this.#positional(word);
      if (positional !== undefined) return positional;
    }
    return this.#prefixed();
  }

  #positional(word: 'first' | 'last'): Piece | undefined {
    const counted = /^\d/.test(this.#tokens.peek(1)) ? 1 : 0;
    const next = this.#tokens.peek(1 + counted);
    if (word === 'first' && (next === '[' || next === '|')) return undefined;
    const start = this.#tokens.here;
    const count = counted === 1 ? this.#tokens.peek(1) : '';
    this.#tokens.place += 1 + counted;
    // `first last` and `last first` rotate the goals: the second word is the operand.
    const operand = this.#prefixed();
    return this.#branch(
      { kind: 'positional', word, count },
      start,
      Math.max(this.#tokens.taken, operand.end),
      [operand],
    );
  }

  #prefixed(): Piece {
    const start = this.#tokens.here;
    const selector = this.#tokens.selector();
    if (selector !== undefined) {
      const operand = this.#prefixed();
      return this.#branch({ kind: 'selector', selector }, start, operand.end, [operand]);
    }
    const word = this.#tokens.peek();
    // `abstract: x` is SSReflect's.
    if (PREFIX_WORDS.has(word) && this.#tokens.peek(1) !== ':') {
      this.#tokens.place += 1;
      const count = this.#tokens.count(word);
      const operand = this.#prefixed();
      return this.#branch({ kind: 'prefix', word, count }, start, operand.end, [operand]);
    }
    if (word === 'by' || word === 'now') {
      this.#tokens.place += 1;
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

  /** `let x := … in t` or `fun x => t`; undefined when the word that ends the header is missing. */
  #binder(word: 'let' | 'fun'): Piece | undefined {
    const end = this.#tokens.headerEnd(word);
    if (end === undefined) return undefined;
    const start = this.#tokens.here;
    this.#tokens.place = end + 1;
    const body = this.#sequence();
    return this.#branch({ kind: 'binder', word }, start, Math.max(this.#tokens.taken, body.end), [body]);
  }

  #conditional(): Piece {
    const start = this.#tokens.here;
    this.#tokens.place += 1;
    const pieces = [this.#sequence()];
    for (const word of ['then', 'else']) {
      if (this.#tokens.peek() !== word) break;
      this.#tokens.place += 1;
      pieces.push(word === 'then' ? this.#sequence() : this.#prefixed());
    }
    return this.#branch({ kind: 'conditional' }, start, pieces.at(-1)?.end ?? start, pieces);
  }

  #alternatives(): Piece {
    const left = this.#introduced();
    const word = this.#tokens.peek();
    if ((word !== '||' && word !== '+') || !this.#tokens.atOperator()) return left;
    this.#tokens.place += 1;
    const right = this.#prefixed();
    return this.#branch({ kind: 'alternative', word }, left.start, right.end, [left, right]);
  }

  #introduced(): Piece {
    let piece = this.#simple();
    while (this.#tokens.peek() === '=>') {
      this.#tokens.place += 1;
      const first = this.#tokens.place;
      this.#tokens.skip((text) => text === ';' || text === '||' || text === '=>');
      const patterns = this.#tokens.from(first);
      piece = this.#branch({ kind: 'introduction', patterns }, piece.start, this.#tokens.taken, [piece]);
    }
    return piece;
  }

  #simple(): Piece {
    if (this.#tokens.atEnd() || this.#tokens.peek() === '=>') return this.#nothing();
    const start = this.#tokens.here;
    const word = this.#tokens.peek();
    if (word === '(') return this.#parenthesis(start);
    if (word === '[' || word === '[>') return this.#dispatch({ kind: 'dispatch', word }, start, 1);
    if ((word === 'first' || word === 'solve') && this.#tokens.peek(1) === '[')
      return this.#dispatch({ kind: 'choice', word }, start, 2);
    return this.#atom();
  }

  #parenthesis(start: number): Piece {
    this.#tokens.place += 1;
    const dispatches = this.#tokens.dispatches;
    this.#tokens.dispatches = 0;
    const inner = this.#sequence();
    this.#tokens.dispatches = dispatches;
    this.#tokens.close(')');
    this.#tokens.clause();
    return this.#branch({ kind: 'parenthesis' }, start, Math.max(this.#tokens.taken, inner.end), [inner]);
  }

  #dispatch(label: BranchLabel, start: number, opening: number): Piece {
    this.#tokens.place += opening;
    this.#tokens.dispatches += 1;
    const pieces: Piece[] = [];
    for (;;) {
      // `||` with nothing before it is two bars.
      pieces.push(this.#tokens.peek() === '||' ? this.#nothing() : this.#sequence());
      while (this.#tokens.peek() === '..') this.#tokens.place += 1;
      if (this.#tokens.peek() === '|') this.#tokens.place += 1;
      else if (this.#tokens.peek() === '||') {
        this.#tokens.place += 1;
        const bar = this.#tokens.taken - 1;
        pieces.push({ tactic: { kind: 'nothing' }, start: bar, end: bar });
      } else break;
    }
    this.#tokens.dispatches -= 1;
    this.#tokens.close(']');
    this.#tokens.clause();
    return this.#branch(label, start, Math.max(this.#tokens.taken, pieces.at(-1)?.end ?? start), pieces);
  }

  #atom(): Piece {
    const start = this.#tokens.here;
    const first = this.#tokens.place;
    const head = this.#tokens.peek();
    const stating = STATING_WORDS.has(head);
    let functions = 0;
    let conditions = 0;
    let stated = false;
    let colon: number | undefined;
    this.#tokens.takeHead();
    this.#tokens.skip((text) => {
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
      } else if (text === '||' || text === '+') return !stated && this.#tokens.atOperator();
      else if (text === ':' || text === ':=') {
        if (text === ':' && DISCHARGING_WORDS.has(head)) colon ??= this.#tokens.place - first - 1;
        stated ||= stating;
      }
      return false;
    });
    const atom: Piece = {
      tactic: {
        kind: 'atom',
        head,
        arguments: this.#tokens.from(first + 1),
        ...(colon !== undefined && { colon }),
        text: this.#tokens.textFrom(start),
      },
      start,
      end: this.#tokens.taken,
    };
    if (this.#tokens.peek() !== 'by') return atom;
    this.#tokens.place += 1;
    const closing = stating ? this.#sequence() : this.#prefixed();
    return this.#branch({ kind: 'closed-by' }, start, closing.end, [atom, closing]);
  }
}
