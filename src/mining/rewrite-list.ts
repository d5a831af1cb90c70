/** `rewrite a, b in H` and SSReflect's `rewrite a -b //` as the rewrites that they make one after the other. */
import { lastOf } from '../core/entry.ts';
import { bracketChange, tokenEnd, type Token } from '../provers/rocq/syntax/lexer.ts';
import type { TacticAtom, TacticExpression } from '../provers/rocq/syntax/tactic-tree.ts';

export interface RewriteList {
  /** In order, two at least. */
  readonly rewrites: readonly string[];
  /** Rocq's commas go on with the first goal that a rewrite leaves, SSReflect's items with every goal. */
  readonly goesOnWith: 'first' | 'each';
}

/** What says more about a single rewrite: such a tactic is left as it is. */
const OF_ONE_REWRITE = new Set(['with', 'at', 'by', 'using']);
/** Behind these the term is still to come. */
const BEFORE_TERM = new Set(['-', '!', '?', '->', '<-', '/', '-/', ']', '}']);
/** SSReflect's items that need no blank before them. */
const SIMPLIFICATIONS = new Set(['//', '/=', '//=']);

/** Undefined for a tactic that is no list of rewrites. */
export function rewriteListOf(expression: TacticExpression): RewriteList | undefined {
  let atom: TacticExpression | undefined = expression;
  let introduction = '';
  if (expression.kind === 'introduction') {
    [atom] = expression.children;
    introduction = expression.glue.slice(1).join('');
  }
  if (atom?.kind !== 'atom' || atom.head !== 'rewrite') return undefined;
  const found = termsOf(atom);
  if (found === undefined || found.terms.length < 2) return undefined;
  const rewrites = found.terms.map((term) => `rewrite ${term}${found.place}`);
  return {
    rewrites: [...rewrites.slice(0, -1), `${lastOf(rewrites, 'rewrite')}${introduction}`],
    goesOnWith: found.hasCommas ? 'first' : 'each',
  };
}

interface RewriteTerms {
  readonly terms: readonly string[];
  /** ` in H`, or nothing. */
  readonly place: string;
  readonly hasCommas: boolean;
}

function termsOf({ arguments: tokens, text }: TacticAtom): RewriteTerms | undefined {
  const last = tokens.at(-1);
  if (last === undefined) return undefined;
  const origin = tokenEnd(last) - text.length;
  const slice = (from: number, to: number): string => text.slice(from - origin, to - origin).trim();
  const outer = outermost(tokens);
  if (outer.some((token) => OF_ONE_REWRITE.has(token.text))) return undefined;
  const where = outer.find((token) => token.text === 'in');
  const end = where?.start ?? tokenEnd(last);
  const place = where === undefined ? '' : ` ${slice(where.start, tokenEnd(last))}`;
  const before = outer.filter(({ start }) => start < end);
  const commas = before.filter((token) => token.text === ',');
  const cuts = commas.length > 0 ? commas.map(tokenEnd) : itemStarts(before);
  const terms = [tokens[0]?.start ?? end, ...cuts].map((from, index, starts) =>
    slice(from, starts[index + 1] ?? end).replace(/,$/u, ''),
  );
  return { terms, place, hasCommas: commas.length > 0 };
}

/** Tokens outside of all brackets, the outermost brackets among them. */
function outermost(tokens: readonly Token[]): Token[] {
  let depth = 0;
  return tokens.filter(({ text }) => {
    const change = bracketChange(text);
    if (change < 0) depth -= 1;
    const isOuter = depth === 0;
    if (change > 0) depth += 1;
    return isOuter;
  });
}

/** Where SSReflect's items begin, but for the first. `tokens` are outside of brackets. */
function itemStarts(tokens: readonly Token[]): number[] {
  return tokens.flatMap((token, index) => {
    const previous = tokens[index - 1];
    if (previous === undefined || bracketChange(token.text) < 0 || BEFORE_TERM.has(previous.text)) return [];
    return token.start > tokenEnd(previous) || SIMPLIFICATIONS.has(token.text) ? [token.start] : [];
  });
}
