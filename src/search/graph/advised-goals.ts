/**
 * What may be advised of the goals of a search in vain: none that says the theorem over again, since a lemma that does
 * is as hard to prove; and of each only the hypotheses that have to do with it. Goes by what is printed: terms that say
 * the same and are written otherwise count as different.
 */
import { orNothing } from '../../core/entry.ts';
import type { Goal } from '../../core/proof-state.ts';
import { isFact, viewGoal, type GoalView, type HypothesisView } from '../../provers/rocq/goals/goal-view.ts';
import { mentionsName, sameTerm, splitArrows, type Term } from '../../provers/rocq/goals/term.ts';

export interface Advice {
  /** Whether it is the theorem up to names, an instance of it, or the theorem under more hypotheses. */
  readonly restates: (goal: Goal) => boolean;
  /** Without the hypotheses that have nothing to do with its conclusion or that say nothing. */
  readonly withoutIdle: (goal: Goal) => Goal;
}

/** Relations in which everything stands to itself. */
const REFLEXIVE = new Set(['=', '<=', '>=', '≤', '≥', '≡', '<->', '↔', '->', '→']);

/** @param theorem The goals in which the search began. */
export function adviceFor(theorem: readonly Goal[]): Advice {
  const claims = theorem.map(claimOf);
  const known = new Map<Goal, boolean>();
  const restates = (goal: Goal): boolean => {
    const before = known.get(goal);
    if (before !== undefined) return before;
    const said = claims.some((claim) => saysOver(claim, goal));
    known.set(goal, said);
    return said;
  };
  return { restates, withoutIdle };
}

interface Claim {
  readonly variables: ReadonlySet<string>;
  readonly premises: readonly Term[];
  readonly conclusion: Term;
}

function claimOf(goal: Goal): Claim {
  const view = viewGoal(goal);
  const { bound, premises, conclusion } = splitArrows(view.conclusion);
  const facts = view.hypotheses.filter((hypothesis) => isFact(hypothesis, view)).map(({ term }) => term);
  return { variables: new Set([...view.locals, ...bound]), premises: [...facts, ...premises], conclusion };
}

/** What the variables of the theorem stand for in a goal. */
type Values = ReadonlyMap<string, Term>;

function saysOver({ variables, premises, conclusion }: Claim, goal: Goal): boolean {
  const view = viewGoal(goal);
  const merged = mergedBy(view);
  const own = splitArrows(renamed(view.conclusion, merged));
  const values = fitted(conclusion, own.conclusion, { variables, values: new Map() });
  if (values === undefined) return false;
  const facts = [...view.hypotheses.map(({ term }) => renamed(term, merged)), ...own.premises];
  const given = givenBy(premises, facts, { variables, values });
  if (given === undefined) return false;
  // The case of an induction is an instance as well, and one that is easier than the theorem.
  const isCase = view.hypotheses.some(({ name }) => name.startsWith('IH'));
  return !isCase || [...given.values()].every(({ children }) => children.length === 0);
}

/** Variables that stand for each other by an equation of the goal, as in `Star r0 = Star r`. */
function mergedBy({ hypotheses, locals }: GoalView): ReadonlyMap<string, string> {
  const merged = new Map<string, string>();
  const merge = (left: Term, right: Term): void => {
    const areNames = [left, right].every(
      ({ symbol, children }) => children.length === 0 && locals.has(symbol),
    );
    if (areNames && left.symbol !== right.symbol && !merged.has(right.symbol))
      merged.set(left.symbol, right.symbol);
    else if (left.symbol === right.symbol && left.children.length === right.children.length)
      for (const [index, child] of left.children.entries()) {
        const other = right.children[index];
        if (other !== undefined) merge(child, other);
      }
  };
  for (const { term } of hypotheses) {
    const [left, right] = term.symbol === '=' ? term.children : [];
    if (left !== undefined && right !== undefined) merge(left, right);
  }
  return merged;
}

function renamed(term: Term, names: ReadonlyMap<string, string>): Term {
  if (names.size === 0) return term;
  const symbol = names.get(term.symbol) ?? term.symbol;
  return { ...term, symbol, children: term.children.map((child) => renamed(child, names)) };
}

interface Fitting {
  readonly variables: ReadonlySet<string>;
  readonly values: Values;
}

/** Values with which each premise is one of the facts. */
function givenBy(
  [premise, ...others]: readonly Term[],
  facts: readonly Term[],
  { variables, values }: Fitting,
): Values | undefined {
  if (premise === undefined) return values;
  for (const fact of facts) {
    const more = fitted(premise, fact, { variables, values });
    const all = more && givenBy(others, facts, { variables, values: more });
    if (all !== undefined) return all;
  }
  return undefined;
}

function fitted(pattern: Term, term: Term, { variables, values }: Fitting): Values | undefined {
  // A variable may stand for a function, too.
  const isVariable = variables.has(pattern.symbol);
  const isAlone = pattern.children.length === 0;
  if (isVariable && isAlone) {
    const known = values.get(pattern.symbol);
    if (known === undefined) return new Map([...values, [pattern.symbol, term]]);
    return sameTerm(known, term) ? values : undefined;
  }
  if (pattern.children.length !== term.children.length) return undefined;
  const head = (whole: Term): Term => ({ ...whole, children: [] });
  let found: Values | undefined = isVariable
    ? fitted(head(pattern), head(term), { variables, values })
    : pattern.symbol === term.symbol
      ? values
      : undefined;
  for (const [index, child] of pattern.children.entries()) {
    const other = term.children[index];
    found = found && other && fitted(child, other, { variables, values: found });
  }
  return found;
}

function withoutIdle(goal: Goal): Goal {
  const view = viewGoal(goal);
  const { hypotheses } = view;
  const facts = hypotheses.filter((hypothesis) => isFact(hypothesis, view));
  const telling = facts.filter(
    ({ term }, at) =>
      !saysNothing(term) && !facts.slice(0, at).some((earlier) => sameTerm(earlier.term, term)),
  );
  const kept = connected(view, telling);
  const left = goal.hypotheses.filter(({ name }) => kept.has(name));
  return left.length === goal.hypotheses.length ? goal : { ...goal, hypotheses: left };
}

function saysNothing({ symbol, children: [left, right, ...others] }: Term): boolean {
  if (symbol === 'True') return true;
  const isReflexive = REFLEXIVE.has(symbol) && others.length === 0;
  return isReflexive && left !== undefined && right !== undefined && sameTerm(left, right);
}

/** The names that the conclusion has to do with, by way of facts that share a variable with it. */
function connected({ goal, hypotheses }: GoalView, facts: readonly HypothesisView[]): ReadonlySet<string> {
  const textOf = new Map(goal.hypotheses.map(({ name, type, body }) => [name, `${orNothing(body)} ${type}`]));
  const namesIn = (text: string): string[] =>
    hypotheses.map(({ name }) => name).filter((name) => mentionsName(text, name));
  const kept = new Set<string>();
  const keep = (names: readonly string[]): void => {
    for (const name of names) {
      if (kept.has(name)) continue;
      kept.add(name);
      keep(namesIn(orNothing(textOf.get(name))));
    }
  };
  const inConclusion = namesIn(goal.conclusion);
  keep(inConclusion);
  let waiting = facts.map(({ name, type }) => ({ name, speaksOf: namesIn(type) }));
  for (;;) {
    // A conclusion about nothing, as falsehood, may follow from any of them; so may anything from a closed one.
    const joins = ({ speaksOf }: (typeof waiting)[number]): boolean =>
      inConclusion.length === 0 || speaksOf.length === 0 || speaksOf.some((name) => kept.has(name));
    const joining = waiting.filter(joins);
    if (joining.length === 0) return kept;
    keep(joining.map(({ name }) => name));
    waiting = waiting.filter((fact) => !joining.includes(fact));
  }
}
