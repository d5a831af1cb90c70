/**
 * Closed statements that computing decides: what is said to exist is looked for among small values, and what is said
 * of everything is refuted by one of them. All values are tried in one sentence.
 */
import type { GoalView } from '../../provers/rocq/goals/goal-view.ts';
import { boundBy, splitArrows, subterms, type Term } from '../../provers/rocq/goals/term.ts';
import { candidate, type Candidate, type Setting } from './candidate.ts';
import { CONJUNCTION } from './goal-shape-steps.ts';
import { closedValues, numeralsOf } from '../libraries/closed-values.ts';
import { atom, first, sequence, solve, type Tactic } from './tactic.ts';

/** Of each variable, by how many there are. */
const VALUES_TRIED = [40, 10, 6, 4];
const TIMEOUT_MS = 1500;
const COMPUTING = [atom('reflexivity'), atom('discriminate'), atom('auto')];

export function computedCandidates(view: GoalView, last: Tactic, setting: Setting): Candidate[] {
  const { costs } = setting;
  const candidates: Candidate[] = [];
  const add = (tactic: Tactic, cost: number): void => {
    candidates.push(
      candidate(tactic, { cost, timeoutMs: TIMEOUT_MS, ingredient: 'strategies', closing: true }),
    );
  };
  const { conclusion } = view;
  if ((conclusion.symbol === 'exists' || conclusion.symbol === '∃') && isClosed(conclusion, view)) {
    const values = valuesFor(variablesOf(conclusion), conclusion, setting);
    if (values !== undefined) {
      const computes = computing(conclusion);
      add(witnesses(values, computes), costs['strategy.computed-witnesses']);
      add(witnesses(values, last), costs['strategy.computed-witnesses.automation']);
    }
  }
  if (conclusion.symbol === 'False')
    for (const { name, term } of view.hypotheses.slice(-2)) {
      const { premises, bound } = splitArrows(term);
      if (bound.length === 0 || premises.length > 0 || !isClosed(term, view)) continue;
      const values = valuesFor(variablesOf(term), term, setting);
      if (values === undefined) continue;
      const instances = tuples(values).map((some) =>
        sequence(atom('specialize', `(${[name, ...some].join(' ')})`), first(atom('discriminate'), last)),
      );
      add(first(...instances), costs['strategy.computed-instances']);
    }
  return candidates;
}

/** What computes both sides of each part of a statement. */
function computing(conclusion: Term): Tactic {
  let stated = conclusion;
  while (stated.symbol === conclusion.symbol && stated.children.length > 0)
    stated = stated.children.at(-1) ?? stated;
  const computes = solve(...COMPUTING);
  return CONJUNCTION.has(stated.symbol) ? sequence(atom('repeat', 'split'), computes) : computes;
}

/** Speaks of nothing that is not known. */
function isClosed(term: Term, { locals }: GoalView): boolean {
  return !subterms(term).some(({ symbol }) => locals.has(symbol));
}

/** The types of the variables that the term begins by binding; undefined for one that is not written. */
function variablesOf(term: Term): readonly (Term | undefined)[] {
  const types: (Term | undefined)[] = [];
  for (let at: Term | undefined = term; at?.symbol === term.symbol; at = at.children.at(-1))
    for (const group of at.children.slice(0, -1)) {
      const type = group.symbol === ':' ? group.children[1] : undefined;
      for (let count = boundBy({ ...at, children: [group, at] }).length; count > 0; count -= 1)
        types.push(type);
    }
  return types;
}

function valuesFor(
  types: readonly (Term | undefined)[],
  term: Term,
  { definitions }: Setting,
): readonly (readonly string[])[] | undefined {
  const most = VALUES_TRIED[types.length - 1];
  if (most === undefined) return undefined;
  const numerals = types.length === 1 ? numeralsOf(term) : [];
  const values = types.map((type) =>
    type === undefined ? [] : closedValues(type, { most, numerals, definitions }),
  );
  return values.every(({ length }) => length > 0) ? values : undefined;
}

function witnesses([values, ...others]: readonly (readonly string[])[], finish: Tactic): Tactic {
  if (values === undefined) return finish;
  const rest = witnesses(others, finish);
  return first(...values.map((value) => sequence(atom('exists', value), rest)));
}

function tuples(values: readonly (readonly string[])[]): readonly (readonly string[])[] {
  return values.reduce<readonly (readonly string[])[]>(
    (found, list) => found.flatMap((some) => list.map((value) => [...some, value])),
    [[]],
  );
}
