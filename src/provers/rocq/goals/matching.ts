/**
 * Whether a statement with holes could fit a printed term. What Rocq hides (implicit arguments, coercions) is not known
 * here, so a `true` is a guess worth trying and a `false` only says that the symbols differ.
 */
import { subterms, type Term } from './term.ts';

/** Whether the pattern, in which the bound names are holes, fits the term at its root as far as symbols tell. */
export function mayMatch(pattern: Term, term: Term, bound: ReadonlySet<string>): boolean {
  if (bound.has(pattern.symbol)) return true;
  if (pattern.symbol !== term.symbol) return term.symbol.startsWith('?');
  // A notation may hide or show implicit arguments: only equal arities are compared further.
  if (pattern.children.length !== term.children.length) return true;
  return pattern.children.every((child, index) => {
    const other = term.children[index];
    return other !== undefined && mayMatch(child, other, bound);
  });
}

/** Whether the pattern, more than a hole, may match somewhere inside the term. */
export function mayOccur(pattern: Term, term: Term, bound: ReadonlySet<string>): boolean {
  if (bound.has(pattern.symbol)) return false;
  for (const candidate of subterms(term)) if (mayMatch(pattern, candidate, bound)) return true;
  return false;
}
