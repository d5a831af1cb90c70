/**
 * Lemmas said of the terms that a goal speaks of: `@Nat.mod_upper_bound a b` where the goal has `a mod b`.
 * Arithmetic and first-order automation can use such a fact, but does not look for it.
 */
import { orZero } from '../../core/entry.ts';
import { greatestOf } from '../../core/lists/many.ts';
import type { GoalView } from '../../provers/rocq/goals/goal-view.ts';
import { COMMON } from './lemma-patterns.ts';
import { isEquation, viewLemma, type LemmaMemory, type LemmaView } from './lemma-similarity.ts';
import { BINDERS, sameTerm, withoutParentheses, type Term } from '../../provers/rocq/goals/term.ts';

const LONGEST_ARGUMENT = 80;
const MENTIONING_READ = 400;
/** The order of a hypothesis. */
const LOCAL = -1;

/** A lemma with every argument given, or left to Rocq with `_`. */
export interface LemmaInstance {
  readonly lemma: string;
  readonly arguments: readonly string[];
}

interface Instance extends LemmaInstance {
  readonly of: LemmaView;
}

/**
 * Instances of lemmas and general hypotheses about the parts of the goal, for each part the plainest fact first: a
 * hypothesis, without premises, not an equation (those are for rewriting), of a high score, short. Every part has its
 * turn before one has a second.
 */
export function instancesFor(
  view: GoalView,
  lemmas: LemmaMemory,
  scores: ReadonlyMap<LemmaView, number>,
): LemmaInstance[] {
  const parts = new Map<string, readonly Instance[]>();
  const general = view.hypotheses
    .filter(({ term }) => term.symbol === 'forall' || term.symbol === '∀')
    .map(({ name, type, term }) => viewLemma({ name, statement: type }, LOCAL, term));
  for (const { term, text } of termsOf(view)) {
    const subject = withoutParentheses(text.slice(term.start, term.end));
    if (parts.has(subject) || term.children.length === 0 || COMMON.has(term.symbol)) continue;
    const statements = new Set<string>();
    const found = [...general, ...lemmas.mentioning(term.symbol).slice(-MENTIONING_READ)]
      .flatMap((lemma) => instanceAt(lemma, term, text) ?? [])
      .sort((left, right) => rank(left.of, scores) - rank(right.of, scores))
      .filter(({ of: { statement } }) => !statements.has(statement) && statements.add(statement));
    parts.set(subject, found);
  }
  const turns = greatestOf([0, ...[...parts.values()].map(({ length }) => length)]);
  const inTurns = new Map<string, LemmaInstance>();
  for (let turn = 0; turn < turns; turn += 1)
    for (const instances of parts.values()) {
      const instance = instances[turn];
      if (instance === undefined) continue;
      const key = JSON.stringify([instance.lemma, ...instance.arguments]);
      if (!inTurns.has(key)) inTurns.set(key, instance);
    }
  return [...inTurns.values()];
}

function rank(lemma: LemmaView, scores: ReadonlyMap<LemmaView, number>): number {
  if (lemma.order === LOCAL) return 0;
  const plain = (lemma.premises.length > 0 ? 2 : 0) + (isEquation(lemma) ? 1 : 0);
  return plain + 0.5 * (1 - orZero(scores.get(lemma))) + 0.001 * Math.min(400, lemma.statement.length);
}

/** The lemma said of this term, when a part of it that mentions all its variables is like the term. */
function instanceAt(lemma: LemmaView, term: Term, text: string): Instance | undefined {
  for (const pattern of lemma.patterns()) {
    const values = new Map<string, Term>();
    if (!matches(pattern.term, term, lemma.bound, values)) continue;
    const parts = pattern.names.map((name) => {
      const value = values.get(name);
      return value === undefined ? '_' : argument(text.slice(value.start, value.end));
    });
    if (parts.some((part) => part.length > LONGEST_ARGUMENT)) continue;
    return { lemma: lemma.name, arguments: parts, of: lemma };
  }
  return undefined;
}

function* termsOf(view: GoalView): Generator<{ term: Term; text: string }> {
  for (const term of unboundParts(view.conclusion)) yield { term, text: view.goal.conclusion };
  for (const hypothesis of view.hypotheses.slice(-6))
    for (const term of unboundParts(hypothesis.term)) yield { term, text: hypothesis.type };
}

/** The parts in which every variable is free: what stands under a binder cannot be named outside. */
function* unboundParts(term: Term): Generator<Term> {
  yield term;
  if (!BINDERS.has(term.symbol) && term.symbol !== 'match')
    for (const child of term.children) yield* unboundParts(child);
}

function matches(pattern: Term, term: Term, bound: ReadonlySet<string>, values: Map<string, Term>): boolean {
  if (bound.has(pattern.symbol)) {
    if (pattern.children.length > 0) return false;
    const known = values.get(pattern.symbol);
    if (known !== undefined) return sameTerm(known, term);
    values.set(pattern.symbol, term);
    return true;
  }
  return (
    pattern.symbol === term.symbol &&
    pattern.children.length === term.children.length &&
    pattern.children.every((child, index) => {
      const other = term.children[index];
      return other !== undefined && matches(child, other, bound, values);
    })
  );
}

function argument(text: string): string {
  const bare = withoutParentheses(text);
  return /\s/u.test(bare) ? `(${bare})` : bare;
}
