/** A goal read once: terms instead of text, the names that are local to it, a key up to nothing but blanks. */
import type { Goal } from '../../../core/proof-state.ts';
import { mentionsName, splitArrows, subterms, type Term } from './term.ts';
import { readTerm } from './term-reader.ts';
import { PLAIN_NAME } from './names.ts';

export interface HypothesisView {
  readonly name: string;
  readonly type: string;
  readonly hasBody: boolean;
  readonly term: Term;
}

export interface GoalView {
  readonly goal: Goal;
  readonly conclusion: Term;
  readonly hypotheses: readonly HypothesisView[];
  readonly locals: ReadonlySet<string>;
  /** What {@link isFact} said of a hypothesis: it is asked many times while the candidates of a goal are made. */
  readonly facts: Map<HypothesisView, boolean>;
  /** Equal for goals that a proof cannot tell apart: same names, same types, same conclusion. */
  readonly key: string;
}

/**
 * Longer types and conclusions are cut before they are read: their head decides, and reading them costs more than
 * it gives.
 */
const READ_LIMIT = 3000;

const hypothesisTerms = new Map<string, Term>();

function readCached(text: string): Term {
  const cut = text.length > READ_LIMIT ? text.slice(0, READ_LIMIT) : text;
  const known = hypothesisTerms.get(cut);
  if (known !== undefined) return known;
  if (hypothesisTerms.size > 20_000) hypothesisTerms.clear();
  const term = readTerm(cut);
  hypothesisTerms.set(cut, term);
  return term;
}

export function viewGoal(goal: Goal): GoalView {
  const hypotheses = goal.hypotheses.map((hypothesis) => ({
    name: hypothesis.name,
    type: hypothesis.type,
    hasBody: hypothesis.body !== undefined,
    term: readCached(hypothesis.type),
  }));
  return {
    goal,
    conclusion: readCached(goal.conclusion),
    hypotheses,
    locals: new Set(hypotheses.map((hypothesis) => hypothesis.name)),
    facts: new Map(),
    key: goalKey(goal),
  };
}

export function goalKey(goal: Goal): string {
  const context = goal.hypotheses
    .map(
      (hypothesis) =>
        `${hypothesis.name}${hypothesis.body === undefined ? '' : `:=${hypothesis.body}`}:${hypothesis.type}`,
    )
    .sort()
    .join('\n');
  return `${context}\n⊢${goal.conclusion}`;
}

const EXISTENTIAL = /\?[\p{L}_][\p{L}\p{N}_']*/gu;

/** The existential variables that a goal mentions: goals that share one cannot be solved apart. */
export function existentials(goal: Goal): string[] {
  const names = new Set<string>();
  for (const match of goal.conclusion.matchAll(EXISTENTIAL)) names.add(match[0]);
  for (const hypothesis of goal.hypotheses) {
    if (!hypothesis.type.includes('?')) continue;
    for (const match of hypothesis.type.matchAll(EXISTENTIAL)) names.add(match[0]);
  }
  return [...names];
}

/** How large a term is, in symbols. */
export function termSize(term: Term): number {
  let size = 0;
  for (const part of subterms(term)) if (part.symbol !== '') size += 1;
  return size;
}

/** A hypothesis that is a fact rather than an object: its type does not look like a plain set. */
export function looksLikeProposition(term: Term): boolean {
  const { symbol } = splitArrows(term).conclusion;
  return (
    PROPOSITION_HEADS.has(symbol) ||
    /^[^\p{L}\p{N}_@([{?]/u.test(symbol) ||
    term.symbol === 'forall' ||
    term.symbol === '∀'
  );
}

const PROPOSITION_HEADS = new Set([
  'True',
  'False',
  'exists',
  'exists2',
  '~',
  'not',
  'In',
  'Forall',
  'le',
  'lt',
  'is_true',
]);

/** A hypothesis that nothing speaks of and that speaks of local things states something about them. */
export function isFact(hypothesis: HypothesisView, view: GoalView): boolean {
  const known = view.facts.get(hypothesis);
  if (known !== undefined) return known;
  const { name, term } = hypothesis;
  const speaks = (): boolean => [...subterms(term)].some(({ symbol }) => view.locals.has(symbol));
  const fact = looksLikeProposition(term) || (speaks() && !isMentioned(name, view));
  view.facts.set(hypothesis, fact);
  return fact;
}

function isMentioned(name: string, view: GoalView): boolean {
  return (
    mentionsName(view.goal.conclusion, name) || view.hypotheses.some(({ type }) => mentionsName(type, name))
  );
}

const NOT_DERIVED = new Set([
  'exists',
  'exists2',
  'forall',
  'match',
  'if',
  'let',
  'fun',
  'not',
  'iff',
  'is_true',
]);

/** What joins propositions, compares, or makes objects and booleans, also those that SSReflect takes for propositions. */
const NO_RELATIONS = new Set(
  '= <> ≠ < <= > >= ≤ ≥ -> → <-> ↔ /\\ ∧ \\/ ∨ ~ ¬ ( { [ , : + - * / ^ :: ++ && || ~~ == != ==> =? <? <=? ? \\in \\notin'.split(
    ' ',
  ),
);

/**
 * A named predicate of something, or a relation that is written with a notation (`t --> u`) or made with one (`(r ^+) x y`): what may
 * have rules.
 */
export function isPredicate({ symbol, children }: Term): boolean {
  if (symbol === '@') return children.length > 2 && children[0]?.symbol !== 'fun';
  if (/^[^\p{L}\p{N}_'.]/u.test(symbol)) return children.length > 1 && !NO_RELATIONS.has(symbol);
  return PLAIN_NAME.test(symbol) && children.length > 0 && !NOT_DERIVED.has(symbol);
}
