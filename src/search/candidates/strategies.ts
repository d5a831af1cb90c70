/**
 * Compound steps that people write again and again: induction followed by what simple cases need, splitting every
 * `match`, saturating with a hypothesis. Each is a plain sentence of Ltac (or SSReflect) that depends on nothing.
 */
import type { Candidate } from './candidate.ts';
import type { Definitions } from './definitions.ts';
import {
  isFact,
  isPredicate,
  looksLikeProposition,
  type GoalView,
  type HypothesisView,
} from '../../provers/rocq/goals/goal-view.ts';
import { introductionNames } from '../../provers/rocq/goals/introduction-names.ts';
import {
  boundBy,
  headOf,
  mentionsName,
  splitArrows,
  withoutParentheses,
  type Term,
} from '../../provers/rocq/goals/term.ts';
import { hiddenCost, witnessTerms } from './witnesses.ts';
import { freshName, PLAIN_NAME } from '../../provers/rocq/goals/names.ts';

/** One round of what makes a goal simpler without a choice: compute, split a `match`, rewrite with an equation at hand. */
const ROUND = [
  'progress simpl in *',
  'match goal with |- context [match ?x with _ => _ end] => destruct x eqn:? end',
  'match goal with H : context [match ?x with _ => _ end] |- _ => destruct x eqn:? end',
  'match goal with H : ?a = _ |- context [?a] => rewrite H end',
  'match goal with H : forall _, _ = _ |- _ => rewrite H end',
  'match goal with H : forall _ _, _ = _ |- _ => rewrite H end',
].join(' | ');
const BREAK_HYPOTHESES =
  'repeat match goal with H : _ /\\ _ |- _ => destruct H | H : exists _, _ |- _ => destruct H | H : _ \\/ _ |- _ => destruct H end';

/** What closes the goals that a strategy leaves: `quick` is tried in every round, `last` once at the end. */
export interface Finish {
  readonly quick: string;
  readonly last: string;
  /** Equations worth rewriting with, from left to right, wherever they apply. */
  readonly equations: readonly string[];
  /** Rules about what the goal speaks of, for `eauto using`. */
  readonly rules: readonly string[];
}

/** Two objects that a rule shows to be equal become one. */
export const MERGE_EQUALS =
  'repeat match goal with a : ?T, b : ?T |- _ => lazymatch type of T with Prop => fail | _ => assert_fails (constr_eq a b) end; assert (a = b) by eauto 3; subst end';

/** Simplifies as far as `rounds` go, tries the closers on what is left after each. */
function crush({ quick, last, equations }: Omit<Finish, 'rules'>, rounds: number): string {
  const round = [quick, ROUND, ...equations.map((name) => `rewrite ${name}`)].join(' | ');
  return `do ${rounds} try (first [${round}]; subst; try discriminate); ${last}`;
}

/** Applies one of the hypotheses, the newest first, to a goal that nothing else leads to. */
export const REFUTE_ONE = 'match goal with H : _ |- False => solve [eapply H; ';

/** Takes everything apart that logic can without a choice. */
const TAKE_APART = `repeat first [progress intros | progress subst | ${[
  'H : _ /\\ _ |- _ => destruct H',
  'H : exists _, _ |- _ => destruct H',
  'H : _ \\/ _ |- _ => destruct H',
  '|- _ /\\ _ => split',
  '|- _ <-> _ => split',
  '|- ~ _ => intro',
]
  .map((branch) => `match goal with ${branch} end`)
  .join(' | ')}]`;

const STRATEGY_TIMEOUT_MS = 1500;
const LOGIC_TIMEOUT_MS = 300;
const MAXIMUM_TARGETS = 4;
const WITNESSES_TRIED = 10;

/** Derives a predicate by its rules, trying them in turn, so many deep. */
function derive(depth: number): string {
  const leaf = 'eassumption | solve [auto]';
  return depth === 0 ? `first [${leaf}]` : `first [${leaf} | econstructor; ${derive(depth - 1)}]`;
}

/** `finish` after inverting one of the hypotheses, the newest first. */
export function invertOne(finish: string): string {
  return `${INVERT_ONE}${finish}] end`;
}

export const INVERT_ONE = 'match goal with H : _ |- _ => solve [inversion H; subst; ';

/** One tactic that fails unless one of the closers solves the goal. */
export function finisher(closers: readonly string[]): string {
  return `solve [${(closers.length > 0 ? closers : ['auto']).join(' | ')}]`;
}

/** Introduces, computes, splits and rewrites until the closers succeed. */
export function rollOut(quick: string): string {
  return `intros; simpl in *; subst; ${crush({ quick, last: quick, equations: [] }, 6)}`;
}

export function strategyCandidates(
  view: GoalView,
  finish: Finish,
  definitions: Definitions,
  ssreflect: boolean,
): Candidate[] {
  const candidates: Candidate[] = [];
  const add = (tactic: string, cost: number, timeoutMs = STRATEGY_TIMEOUT_MS): void => {
    candidates.push({
      tactic,
      cost,
      timeoutMs,
      ingredient: 'strategies',
      closing: true,
    });
  };
  const { conclusion } = splitArrows(view.conclusion);
  const derivable = isPredicate(conclusion);
  const using = finish.rules.length === 0 ? '' : ` using ${finish.rules.join(', ')}`;
  inductionTargets(view, definitions).forEach(({ introduced, name, fact, derivation }, index) => {
    const late = 0.5 * index;
    const general = introduced === '' ? generalised(view, name) : introduced;
    for (const [rank, before] of (general === introduced ? [introduced] : [general, '']).entries()) {
      const start = `${before}induction ${name}`;
      const cost = late + 0.3 * rank;
      add(`${start}; simpl in *; intros; subst; ${finish.last}`, 2.2 + cost);
      add(`${start}; intros; simpl in *; subst; ${crush(finish, 6)}`, 2.4 + cost);
      if (derivation) add(`${start}; intros; solve [eauto | ${finish.last}]`, 1.8 + cost);
      if (conclusion.symbol !== '=')
        add(`${start}; intros; ${BREAK_HYPOTHESES}; solve [eauto 7${using} | ${finish.last}]`, 2.5 + cost);
      if (derivable) add(`${start}; intros; first [${derive(2)} | ${invertOne(derive(2))}]`, 2.0 + cost);
    }
    const hypothesis = fact ? view.hypotheses.find((other) => other.name === name) : undefined;
    const remembered = hypothesis && rememberedIndices(hypothesis, view);
    if (remembered !== undefined) {
      const { tactic, equations } = remembered;
      const clear = `first [discriminate | ${equations.map((equation) => `inversion ${equation}; subst; `).join('')}${finish.last}]`;
      add(`${tactic}; induction ${name}; simpl in *; intros; ${clear}`, 2.4 + late);
    }
    if (ssreflect && introduced === '') {
      add(`by elim: ${name} => //= *; rewrite ?IH //`, 3 + late);
      add(`by elim: ${name} => //= *; congruence`, 3 + late);
    }
  });
  const hiding = definitions.logicalNames(view);
  if (hiding.length > 0) {
    const open = `unfold ${hiding.join(', ')} in *; ${TAKE_APART}`;
    add(`${open}; solve [eauto 8${using}]`, 1.2, LOGIC_TIMEOUT_MS);
    add(`${open}; ${REFUTE_ONE}${derive(3)}] end`, 1.3, LOGIC_TIMEOUT_MS);
    add(`${open}; ${derive(3)}`, 1.5, LOGIC_TIMEOUT_MS);
    // Often at once, sometimes after a second, mostly never.
    add(`${open}; solve [firstorder (subst; eauto${using})]`, 1.6, LOGIC_TIMEOUT_MS);
    add(`${open}; solve [firstorder (subst; eauto${using})]`, 3.6);
  }
  if (derivable) {
    add(`intros; ${derive(3)}`, 1.4);
    add(`intros; ${invertOne(derive(2))}`, 2.4);
  }
  add(`intros; simpl in *; subst; ${finish.last}`, 2.2);
  add(rollOut(finish.quick), 2.0);
  add(`intros; ${BREAK_HYPOTHESES}; simpl in *; subst; ${crush(finish, 4)}`, 2.6);
  if (view.hypotheses.some(({ term }) => showsEquals(term)))
    add(`intros; ${BREAK_HYPOTHESES}; ${MERGE_EQUALS}; ${finish.last}`, 2.0);
  const hidden = hiddenCost(view.conclusion, definitions);
  if (hidden !== undefined) {
    const cheapest = witnessTerms(view)
      .sort((left, right) => left.cost - right.cost)
      .slice(0, WITNESSES_TRIED);
    const tries = ['eexists', ...cheapest.map(({ text }) => `exists ${text}`)];
    add(`first [${tries.map((tactic) => `${tactic}; subst; ${finish.last}`).join(' | ')}]`, 0.9 + hidden / 2);
  }
  for (const [index, name] of caseTargets(view).entries()) {
    add(`destruct ${name}; simpl in *; intros; subst; ${finish.last}`, 2.8 + 0.2 * index);
    if (index < 3) add(`inversion ${name}; subst; simpl in *; ${crush(finish, 3)}`, 3.1 + 0.2 * index);
  }
  return candidates;
}

/** `forall …, … -> x = y`: a rule by which two objects are one. */
function showsEquals(term: Term): boolean {
  const { bound, premises, conclusion } = splitArrows(term);
  return (
    conclusion.symbol === '=' &&
    premises.length > 0 &&
    conclusion.children.every(({ symbol, children }) => children.length === 0 && bound.includes(symbol))
  );
}

/** Makes the induction hypothesis speak of all values of what the goal is about besides the target. */
export function generalised(view: GoalView, target: string): string {
  const own = view.hypotheses.find(({ name }) => name === target);
  if (own === undefined) return '';
  const names = view.hypotheses.filter(({ name, type, term, hasBody }) => {
    if (name === target || hasBody || mentionsName(own.type, name) || mentionsName(type, target))
      return false;
    if (/(?:^|\s)(?:Type|Set|Prop)$/u.test(type) || splitArrows(term).premises.length > 0) return false;
    if (looksLikeProposition(term) || !mentionsName(view.goal.conclusion, name)) return false;
    // What other data is built on (the operation of a section) stays.
    return dependents(view, name, target).every((other) => isFact(other, view));
  });
  return names
    .map(({ name }) => {
      const isAlone = dependents(view, name, target).length === 0;
      return `${isAlone ? 'revert' : 'generalize dependent'} ${name}; `;
    })
    .join('');
}

const REMEMBERED_AT_ONCE = 2;

/**
 * Names for the compound arguments of an inductive fact, with equations for what they were: an induction on the fact
 * would forget them. Undefined when it would forget nothing.
 */
export function rememberedIndices(
  { type, term }: HypothesisView,
  view: GoalView,
): { readonly tactic: string; readonly equations: readonly string[] } | undefined {
  const compound = term.children.filter(({ children }) => children.length > 0);
  if (compound.length === 0 || compound.length > REMEMBERED_AT_ONCE) return undefined;
  const taken = new Set(view.locals);
  const equations: string[] = [];
  const tactics = compound.map((argument) => {
    const name = freshName('x', taken);
    taken.add(name);
    const equation = freshName('Heq', taken);
    taken.add(equation);
    const text = withoutParentheses(type.slice(argument.start, argument.end));
    equations.push(equation);
    return `remember (${text}) as ${name} eqn:${equation}`;
  });
  return { tactic: tactics.join('; '), equations };
}

/** The hypotheses that speak of a name, without the target of the induction. */
export function dependents(view: GoalView, name: string, target: string): HypothesisView[] {
  return view.hypotheses.filter((other) => other.name !== target && mentionsName(other.type, name));
}

interface InductionTarget {
  /** What introduces it: empty for what is there already, or what `induction` introduces by itself. */
  readonly introduced: string;
  readonly name: string;
  readonly fact: boolean;
  /** It states a named predicate, which may have rules. */
  readonly derivation: boolean;
}

function inductionTargets(view: GoalView, definitions: Definitions): InductionTarget[] {
  const { bound } = splitArrows(view.conclusion);
  const targets: InductionTarget[] = [
    ...premiseTargets(view, definitions),
    ...bound
      .filter((name) => PLAIN_NAME.test(name) && !view.locals.has(name))
      .map((name) => ({ introduced: '', name, fact: false, derivation: false })),
  ];
  for (const hypothesis of [...view.hypotheses].reverse()) {
    if (splitArrows(hypothesis.term).premises.length > 0) continue;
    if (definitions.of(headOf(hypothesis.term)) !== undefined) continue;
    const fact = isFact(hypothesis, view);
    if (fact || mentionsName(view.goal.conclusion, hypothesis.name))
      targets.push({
        introduced: '',
        name: hypothesis.name,
        fact,
        derivation: fact && isPredicate(hypothesis.term),
      });
  }
  return targets.slice(0, MAXIMUM_TARGETS);
}

const PREMISES_TRIED = 2;

/** The first premises that a predicate states: introduced up to there, what stands behind stays general. */
function premiseTargets(view: GoalView, definitions: Definitions): InductionTarget[] {
  const names = introductionNames(view.conclusion, view.locals);
  const targets: InductionTarget[] = [];
  let count = 0;
  let at: Term | undefined = view.conclusion;
  while (at !== undefined && count < names.length && targets.length < PREMISES_TRIED) {
    const [premise, body]: readonly Term[] = at.children;
    if (at.symbol === 'forall' || at.symbol === '∀') {
      count += boundBy(at).length;
      at = at.children.at(-1);
      continue;
    }
    count += 1;
    const name = names[count - 1];
    const mayHaveRules =
      premise !== undefined && isPredicate(premise) && definitions.of(headOf(premise)) === undefined;
    if (name !== undefined && mayHaveRules)
      targets.push({
        introduced: `intros ${names.slice(0, count).join(' ')}; `,
        name,
        fact: true,
        derivation: true,
      });
    at = body;
  }
  return targets;
}

function caseTargets(view: GoalView): string[] {
  return [...view.hypotheses]
    .reverse()
    .filter((hypothesis) => splitArrows(hypothesis.term).premises.length === 0 && !hypothesis.hasBody)
    .slice(0, 6)
    .map((hypothesis) => hypothesis.name);
}
