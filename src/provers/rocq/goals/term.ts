/**
 * The tree of a term as Rocq prints it (term-reader.ts makes it), and what can be asked of it without knowing what its
 * constants mean: parts, premises, binders, heads. Every answer is about what is printed.
 */
import { appendAll } from '../../../core/lists/many.ts';

export interface Term {
  /** A constant, variable, operator or binder keyword; `@` for the application of something that is not a name. */
  readonly symbol: string;
  readonly children: readonly Term[];
  /** UTF-16 offsets into the text that was read. */
  readonly start: number;
  readonly end: number;
}

/** What a term begins with that says that something exists. */
export const EXISTENTIAL: ReadonlySet<string> = new Set(['exists', '∃', 'exists2', 'sig', '{']);

/** Words and symbols that bind names. */
export const BINDERS: ReadonlySet<string> = new Set([
  'forall',
  '∀',
  'exists',
  '∃',
  'fun',
  'λ',
  'exists2',
  'let',
  'fix',
  'cofix',
]);
/** The term and all its parts, each before its own. The search asks for them more often than for anything else. */
export function subterms(term: Term): readonly Term[] {
  const found: Term[] = [];
  collectSubterms(term, found);
  return found;
}

function collectSubterms(term: Term, into: Term[]): void {
  into.push(term);
  for (const child of term.children) collectSubterms(child, into);
}

export function sameTerm(left: Term, right: Term): boolean {
  return (
    left.symbol === right.symbol &&
    left.children.length === right.children.length &&
    left.children.every((child, index) => {
      const other = right.children[index];
      return other !== undefined && sameTerm(child, other);
    })
  );
}

/** The conclusion of `forall x, A -> B -> C`, that is `C`, with its premises. */
export function splitArrows(term: Term): {
  premises: readonly Term[];
  conclusion: Term;
  bound: readonly string[];
} {
  const premises: Term[] = [];
  const bound: string[] = [];
  let at = term;
  for (;;) {
    if ((at.symbol === 'forall' || at.symbol === '∀') && at.children.length > 0) {
      appendAll(bound, boundBy(at));
      const body = at.children.at(-1);
      if (body === undefined) break;
      at = body;
    } else if ((at.symbol === '->' || at.symbol === '→') && at.children.length === 2) {
      const [left, right] = at.children;
      if (left === undefined || right === undefined) break;
      premises.push(left);
      at = right;
    } else break;
  }
  return { premises, conclusion: at, bound };
}

/** The names that a binder (`forall`, `exists`, `fun`, …) binds. */
export function boundBy(binder: Term): string[] {
  return binder.children.slice(0, -1).flatMap((group) => {
    const inner = group.symbol === '{' || group.symbol === '[' ? group.children[0] : undefined;
    const child = inner ?? group;
    if (child.children.length === 0) return [child.symbol];
    const names = child.symbol === ':' ? child.children[0] : undefined;
    return names === undefined ? [] : [names.symbol, ...names.children.map(({ symbol }) => symbol)];
  });
}

/** Whether the name stands in the text as a word of its own. */
export function mentionsName(text: string, name: string): boolean {
  return new RegExp(
    `(?<![\\p{L}\\p{N}_'])${name.replace(/[$^*+?.()|[\]{}\\]/gu, '\\$&')}(?![\\p{L}\\p{N}_'])`,
    'u',
  ).test(text);
}

/** `a + b` for `(a + b)`; `(a) + (b)` stays. */
export function withoutParentheses(text: string): string {
  if (!text.startsWith('(') || !text.endsWith(')')) return text;
  let depth = 0;
  for (let at = 0; at < text.length - 1; at += 1) {
    if (text[at] === '(') depth += 1;
    if (text[at] === ')') depth -= 1;
    if (depth === 0) return text;
  }
  return text.slice(1, -1);
}

/** What stands in front: `;;` of `(r ;; s) x y`. */
export function headOf({ symbol, children: [first] }: Term): string {
  return symbol === '@' && first !== undefined ? headOf(first) : symbol;
}
