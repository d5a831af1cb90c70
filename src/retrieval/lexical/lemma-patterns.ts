/** The parts of a lemma's statement by which it is recognised in a goal. */
import { appendAll } from '../../core/lists/many.ts';
import { boundBy, subterms, type Term } from '../../provers/rocq/goals/term.ts';

/** Symbols that do not tell lemmas apart: logic, equality, and the operations of arithmetic. */
export const COMMON: ReadonlySet<string> = new Set(
  'forall ∀ -> → /\\ ∧ \\/ ∨ <-> ↔ ~ ¬ not exists ∃ fun λ match if let = <> ≠ < <= ≤ > >= ≥ + - * S O : , @'.split(
    ' ',
  ),
);

/** What can be matched with the terms of a goal to find instances of a lemma. */
export interface Pattern {
  readonly term: Term;
  /** The names in front of the statement, in the order of the arguments. */
  readonly names: readonly string[];
}

/** A statement, taken apart. */
export interface StatementParts {
  readonly term: Term;
  readonly premises: readonly Term[];
  readonly conclusion: Term;
  /** The variables that the statement is about. */
  readonly bound: ReadonlySet<string>;
}

/** Parts of the lemma that mention all of its variables, under a symbol that says what the lemma is about. */
export function patternsOf(lemma: StatementParts): readonly Pattern[] {
  const names = leadingBinders(lemma.term);
  const sides = [lemma.conclusion, ...lemma.premises];
  const needed = sides.flatMap((side) => [...variablesOf(side, lemma)]);
  if (needed.length === 0 || needed.some((name) => !names.includes(name))) return [];
  return sides.flatMap((side) =>
    [...subterms(side)].flatMap((term) => {
      if (term.children.length === 0 || COMMON.has(term.symbol) || lemma.bound.has(term.symbol)) return [];
      const variables = variablesOf(term, lemma);
      return needed.every((name) => variables.has(name)) ? [{ term, names }] : [];
    }),
  );
}

function variablesOf(term: Term, { bound }: StatementParts): Set<string> {
  return new Set([...subterms(term)].flatMap(({ symbol }) => (bound.has(symbol) ? [symbol] : [])));
}

/** The names in front of the first premise, in the order of the arguments. */
function leadingBinders(term: Term): string[] {
  const names: string[] = [];
  let at: Term | undefined = term;
  while (at !== undefined && (at.symbol === 'forall' || at.symbol === '∀')) {
    appendAll(names, boundBy(at));
    at = at.children.at(-1);
  }
  return names;
}
