/**
 * Reads a term as Rocq prints it. Notations are open-ended, so this is a reading, not a parse: brackets, binders and
 * application are exact, infix operators get a usual precedence, and any text yields some tree. It serves similarity
 * and matching by position, never correctness: Rocq itself judges every tactic that is made from it.
 */
import { orZero } from '../../../core/entry.ts';
import { BINDERS, type Term } from './term.ts';

interface Token {
  readonly kind: 'name' | 'number' | 'string' | 'operator' | 'open' | 'close';
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const NAME = /@?\??[\p{L}_][\p{L}\p{N}_']*(?:\.[\p{L}_][\p{L}\p{N}_']*)*/uy;
const OPERATOR =
  /=[i12](?![\p{L}\p{N}_'])|\\\/|\/\\|\\[\p{L}_]+|\.[\p{N}+-]+|;;|[,;']|[^\s\p{L}\p{N}_()[\]{}⟨⟩⦗⦘⟦⟧⟪⟫⦃⦄⌈⌉⌊⌋",;'\\]+|[^]/uy;
const SCOPE = /%[\p{L}_]+/uy;
const STRING = /"(?:[^"]|"")*"?/uy;
const NUMBER = /\p{N}+(?:\.\p{N}+)?/uy;
const OPENING = '([{⟨⦗⟦⟪⦃⌈⌊';
const CLOSING = ')]}⟩⦘⟧⟫⦄⌉⌋';

function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const take = (kind: Token['kind'], pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    if (!pattern.test(text)) return false;
    tokens.push({ kind, text: text.slice(at, pattern.lastIndex), start: at, end: pattern.lastIndex });
    at = pattern.lastIndex;
    return true;
  };
  while (at < text.length) {
    const character = text.charAt(at);
    if (character === ' ' || character === '\n' || character === '\t' || character === '\r') {
      at += 1;
    } else if (OPENING.includes(character) || CLOSING.includes(character)) {
      tokens.push({
        kind: OPENING.includes(character) ? 'open' : 'close',
        text: character,
        start: at,
        end: at + 1,
      });
      at += 1;
    } else if (
      take('name', NAME) ||
      (character === '"' && take('string', STRING)) ||
      take('number', NUMBER)
    ) {
      continue;
    } else {
      SCOPE.lastIndex = at;
      if (character === '%' && SCOPE.test(text)) at = SCOPE.lastIndex;
      else if (!take('operator', OPERATOR)) at += 1;
    }
  }
  return tokens;
}

const RIGHT = new Set(['->', '→', '\\/', '∨', '/\\', '∧', '::', '++', '^', '&', ',', ';', '|']);
const PRECEDENCE: ReadonlyMap<string, number> = new Map(
  Object.entries({
    0: [';', ','],
    1: ['|', '=>', ':=', 'with', 'in', 'then', 'else', 'as', 'return', 'end'],
    2: [':'],
    3: ['->', '→'],
    4: ['<->', '↔', '<=>'],
    5: ['\\/', '∨'],
    6: ['/\\', '∧'],
    8: [
      '=',
      '<>',
      '≠',
      '<',
      '<=',
      '>',
      '>=',
      '≤',
      '≥',
      '≡',
      '==',
      '!=',
      '∈',
      '∉',
      '⊆',
      '\\in',
      '\\notin',
      '≢',
      '≡ₚ',
      '=i',
      '=1',
      '=2',
    ],
    10: ['::', '++', '||', '|'],
    11: ['+', '-', '∪'],
    12: ['*', '/', '&&', '∩'],
    13: ['^', '∘'],
    14: ['!!'],
  }).flatMap(([level, operators]) => operators.map((operator) => [operator, Number(level)] as const)),
);
const DEFAULT_PRECEDENCE = 9;
const MIXFIX = new Set(['match', 'if']);
const PREFIX: ReadonlyMap<string, number> = new Map([
  ['~', 7],
  ['¬', 7],
  ['~~', 15],
  ['-', 15],
  ['/', 15],
  ["'", 16],
  ['!', 16],
]);

class Reader {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(text: string) {
    this.#tokens = tokenize(text);
  }

  readAll(): Term {
    const parts: Term[] = [];
    while (this.#at < this.#tokens.length) {
      const before = this.#at;
      parts.push(this.#expression(0));
      if (this.#at === before) this.#at += 1;
    }
    return parts.length === 1 && parts[0] ? parts[0] : group('@', parts);
  }

  #peek(): Token | undefined {
    return this.#tokens[this.#at];
  }

  #expression(minimum: number): Term {
    let left = this.#application();
    for (let token = this.#peek(); token !== undefined; token = this.#peek()) {
      const operator = isOperator(token);
      if (!operator) break;
      const level = PRECEDENCE.get(token.text) ?? DEFAULT_PRECEDENCE;
      if (level < minimum) break;
      this.#at += 1;
      const next = this.#peek();
      if (next === undefined || next.kind === 'close') {
        left = { symbol: token.text, children: [left], start: left.start, end: token.end };
        continue;
      }
      const right = this.#expression(RIGHT.has(token.text) ? level : level + 1);
      left = { symbol: token.text, children: [left, right], start: left.start, end: right.end };
    }
    return left;
  }

  #application(): Term {
    const token = this.#peek();
    if (token === undefined) return { symbol: '', children: [], start: 0, end: 0 };
    if (BINDERS.has(token.text)) return this.#binder();
    const prefix = token.kind === 'operator' ? PREFIX.get(token.text) : undefined;
    if (token.kind === 'operator') {
      this.#at += 1;
      const next = this.#peek();
      if (next === undefined || next.kind === 'close')
        return { symbol: token.text, children: [], start: token.start, end: token.end };
      const operand = this.#expression(prefix ?? DEFAULT_PRECEDENCE + 1);
      return { symbol: token.text, children: [operand], start: token.start, end: operand.end };
    }
    const head = this.#atom();
    const operands: Term[] = [];
    for (let next = this.#peek(); next !== undefined; next = this.#peek()) {
      if (next.kind === 'close' || isOperator(next)) {
        if (next.kind === 'operator' && /^\.[\d+-]/u.test(next.text)) {
          this.#at += 1;
          const last = operands.pop() ?? undefined;
          const base = last ?? head;
          const projected = { symbol: next.text, children: [base], start: base.start, end: next.end };
          if (last === undefined && operands.length === 0) return this.#continue(projected);
          operands.push(projected);
          continue;
        }
        break;
      }
      if (BINDERS.has(next.text)) {
        operands.push(this.#binder());
        break;
      }
      operands.push(this.#atom());
    }
    return apply(head, operands);
  }

  #continue(head: Term): Term {
    const operands: Term[] = [];
    for (
      let next = this.#peek();
      next !== undefined && next.kind !== 'close' && !isOperator(next);
      next = this.#peek()
    )
      operands.push(this.#atom());
    return apply(head, operands);
  }

  #binder(): Term {
    const keyword = this.#peek();
    if (keyword === undefined) return { symbol: '', children: [], start: 0, end: 0 };
    this.#at += 1;
    const stop = keyword.text === 'fun' || keyword.text === 'λ' ? '=>' : keyword.text === 'let' ? 'in' : ',';
    const children: Term[] = [];
    let depth = 0;
    const first = this.#at;
    let end = first;
    // Bound names become children as plain leaves; their types as terms.
    while (end < this.#tokens.length) {
      const token = this.#tokens[end];
      if (token === undefined) break;
      if (token.kind === 'open') depth += 1;
      if (token.kind === 'close') {
        if (depth === 0) break;
        depth -= 1;
      }
      if (depth === 0 && (token.text === stop || (stop === '=>' && token.text === ','))) break;
      end += 1;
    }
    while (this.#at < end) {
      const before = this.#at;
      const token = this.#peek();
      if (token?.text === ':') {
        // `forall n m : nat` binds as `forall (n m : nat)` does: the names so far are of that type.
        this.#at += 1;
        const names = children.splice(0);
        const [first, ...others] = names;
        const type = this.#expression(2);
        if (first === undefined) children.push(type);
        else {
          const bound = { ...first, children: others };
          children.push({
            symbol: ':',
            children: [bound, type],
            start: first.start,
            end: Math.max(first.end, type.end),
          });
        }
      } else if (token?.text === ':=') {
        this.#at += 1;
        children.push(this.#expression(2));
      } else children.push(this.#atom());
      if (this.#at <= before) this.#at = before + 1;
    }
    if (this.#peek()?.text === stop || this.#peek()?.text === ',') this.#at += 1;
    const body = this.#expression(0);
    children.push(body);
    return { symbol: keyword.text, children, start: keyword.start, end: Math.max(body.end, keyword.end) };
  }

  #atom(): Term {
    const token = this.#peek();
    if (token === undefined) return { symbol: '', children: [], start: 0, end: 0 };
    this.#at += 1;
    if (token.kind === 'open') {
      const inner: Term[] = [];
      while (this.#at < this.#tokens.length && this.#peek()?.kind !== 'close') {
        const before = this.#at;
        inner.push(this.#expression(0));
        if (this.#at === before) this.#at += 1;
      }
      const close = this.#peek();
      if (close !== undefined) this.#at += 1;
      const end = close?.end ?? inner.at(-1)?.end ?? token.end;
      const only = inner[0];
      if (token.text === '(' && inner.length === 1 && only !== undefined)
        return { symbol: only.symbol, children: only.children, start: token.start, end };
      return { symbol: token.text, children: inner, start: token.start, end };
    }
    if (MIXFIX.has(token.text)) return this.#mixfix(token);
    return { symbol: token.text, children: [], start: token.start, end: token.end };
  }

  /** `match t with … end` and `if t then a else b`: the first child is what is scrutinised. */
  #mixfix(keyword: Token): Term {
    const children: Term[] = [this.#expression(2)];
    let end = children[0]?.end ?? keyword.end;
    for (let token = this.#peek(); token !== undefined && token.kind !== 'close'; token = this.#peek()) {
      if (token.text === 'end') {
        if (keyword.text === 'match') {
          this.#at += 1;
          end = token.end;
        }
        break;
      }
      const wasElse = token.text === 'else';
      if (!CLAUSE.has(token.text)) break;
      this.#at += 1;
      const clause = this.#expression(2);
      children.push(clause);
      end = clause.end;
      if (keyword.text === 'if' && wasElse) break;
    }
    return { symbol: keyword.text, children, start: keyword.start, end: Math.max(end, keyword.end) };
  }
}

const CLAUSE = new Set(['with', '|', '=>', 'then', 'else', 'in', 'as', 'return', ',']);

function isOperator(token: Token): boolean {
  if (token.kind === 'operator') return !BINDERS.has(token.text);
  return CLAUSE.has(token.text) || token.text === 'end';
}

function apply(head: Term, operands: readonly Term[]): Term {
  const last = operands.at(-1);
  if (last === undefined) return head;
  return head.children.length === 0
    ? { symbol: head.symbol, children: operands, start: head.start, end: last.end }
    : { symbol: '@', children: [head, ...operands], start: head.start, end: last.end };
}

function group(symbol: string, children: readonly Term[]): Term {
  return {
    symbol,
    children,
    start: orZero(children[0]?.start),
    end: orZero(children.at(-1)?.end),
  };
}

/** Reads any text; nonsense yields a tree of its tokens. */
export function readTerm(text: string): Term {
  return new Reader(text).readAll();
}
