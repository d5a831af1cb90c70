/**
 * Compound steps that people write again and again: induction followed by what simple cases need, splitting every
 * `match`, saturating with a hypothesis. Each is a plain sentence of Ltac (or SSReflect) that depends on nothing.
 */
import type { Candidate } from './candidate.ts';
import { looksLikeProposition, type GoalView } from './goal-view.ts';
import { splitArrows } from './term.ts';

const SPLIT_MATCHES =
  'repeat match goal with |- context [match ?x with _ => _ end] => destruct x eqn:? | _ : context [match ?x with _ => _ end] |- _ => destruct x eqn:? end';
const BREAK_HYPOTHESES =
  'repeat match goal with H : _ /\\ _ |- _ => destruct H | H : exists _, _ |- _ => destruct H | H : _ \\/ _ |- _ => destruct H end';

const STRATEGY_TIMEOUT_MS = 1500;
const MAXIMUM_TARGETS = 4;

export function strategyCandidates(
  view: GoalView,
  finish: readonly string[],
  ssreflect: boolean,
): Candidate[] {
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
  const closers = finish.length > 0 ? finish : ['auto'];
  const close = `first [${closers.map((closer) => `solve [${closer}]`).join(' | ')}]`;
  inductionTargets(view).forEach((name, index) => {
    const late = 0.5 * index;
    const rewrites = `repeat match goal with H : _ |- _ => rewrite H by (${closers[0] ?? 'auto'}) end`;
    add(`induction ${name}; simpl in *; intros; subst; ${close}`, 2.2 + late);
    add(`induction ${name}; simpl in *; intros; subst; try ${rewrites}; ${close}`, 2.5 + late);
    add(
      `induction ${name}; simpl in *; intros; subst; try (${SPLIT_MATCHES}; simpl in *; subst); try ${rewrites}; ${close}`,
      3.2 + late,
    );
    if (ssreflect) {
      add(`elim: ${name} => //= *; rewrite ?IH //`, 3 + late);
      add(`by elim: ${name} => //= *; congruence`, 3 + late);
    }
  });
  add(`intros; simpl in *; subst; ${close}`, 2.4);
  add(`intros; ${BREAK_HYPOTHESES}; simpl in *; subst; ${close}`, 2.8);
  add(`intros; ${SPLIT_MATCHES}; simpl in *; subst; ${close}`, 2.9);
  for (const name of caseTargets(view)) add(`destruct ${name}; simpl in *; intros; subst; ${close}`, 2.8);
  for (const name of caseTargets(view).slice(0, 3))
    add(`inversion ${name}; subst; simpl in *; ${close}`, 3.3);
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
