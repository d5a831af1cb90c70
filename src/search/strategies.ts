/**
 * Compound steps that people write again and again: induction followed by what simple cases need, splitting every
 * `match`, saturating with a hypothesis. Each is a plain sentence of Ltac (or SSReflect) that depends on nothing.
 */
import type { Candidate } from './candidate.ts';
import { looksLikeProposition, type GoalView } from './goal-view.ts';
import { splitArrows } from './term.ts';

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

/** Simplifies as far as `rounds` go, tries the closers on what is left after each. */
function crush(finish: string, rounds: number): string {
  return `do ${rounds} try (first [${finish} | ${ROUND}]; subst; try discriminate)`;
}

const STRATEGY_TIMEOUT_MS = 1500;
const MAXIMUM_TARGETS = 4;

/** One tactic that fails unless one of the closers solves the goal. */
export function finisher(closers: readonly string[]): string {
  return `solve [${(closers.length > 0 ? closers : ['auto']).join(' | ')}]`;
}

/** Introduces, computes, splits and rewrites until the closers succeed. */
export function rollOut(finish: string): string {
  return `intros; simpl in *; subst; ${crush(finish, 6)}; ${finish}`;
}

export function strategyCandidates(view: GoalView, finish: string, ssreflect: boolean): Candidate[] {
  const candidates: Candidate[] = [];
  const add = (tactic: string, cost: number): void => {
    candidates.push({
      tactic,
      cost,
      timeoutMs: STRATEGY_TIMEOUT_MS,
      ingredient: 'strategies',
      closing: true,
    });
  };
  const inducted = view.hypotheses.filter(({ name }) => name.startsWith('IH')).length;
  inductionTargets(view).forEach((name, index) => {
    const late = 0.5 * index + 1.2 * inducted;
    add(`induction ${name}; simpl in *; intros; subst; ${finish}`, 2.2 + late);
    add(`induction ${name}; intros; simpl in *; subst; ${crush(finish, 5)}; ${finish}`, 2.4 + late);
    if (ssreflect) {
      add(`by elim: ${name} => //= *; rewrite ?IH //`, 3 + late);
      add(`by elim: ${name} => //= *; congruence`, 3 + late);
    }
  });
  add(`intros; simpl in *; subst; ${finish}`, 2.2);
  add(rollOut(finish), 2.0);
  add(`intros; ${BREAK_HYPOTHESES}; simpl in *; subst; ${crush(finish, 4)}; ${finish}`, 2.6);
  for (const [index, name] of caseTargets(view).entries()) {
    add(`destruct ${name}; simpl in *; intros; subst; ${finish}`, 2.8 + 0.2 * index);
    if (index < 3)
      add(`inversion ${name}; subst; simpl in *; ${crush(finish, 3)}; ${finish}`, 3.1 + 0.2 * index);
  }
  return candidates;
}

function inductionTargets(view: GoalView): string[] {
  const { bound } = splitArrows(view.conclusion);
  const targets = bound.filter((name) => /^[\p{L}_][\p{L}\p{N}_']*$/u.test(name) && !view.locals.has(name));
  for (const hypothesis of [...view.hypotheses].reverse()) {
    if (splitArrows(hypothesis.term).premises.length > 0) continue;
    if (looksLikeProposition(hypothesis.term) || view.goal.conclusion.includes(hypothesis.name))
      targets.push(hypothesis.name);
  }
  return targets.slice(0, MAXIMUM_TARGETS);
}

function caseTargets(view: GoalView): string[] {
  return [...view.hypotheses]
    .reverse()
    .filter((hypothesis) => splitArrows(hypothesis.term).premises.length === 0 && !hypothesis.hasBody)
    .slice(0, 6)
    .map((hypothesis) => hypothesis.name);
}
