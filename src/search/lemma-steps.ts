/** Steps that use a lemma in scope: apply it, rewrite with it, or feed it a hypothesis. */
import { STEP_TIMEOUT_MS, type Candidate, type Knowledge } from './candidate.ts';
import { looksLikeProposition, type GoalView } from './goal-view.ts';
import { isEquation, mayMatch, mayOccur, type LemmaView } from './lemma-memory.ts';
import { splitArrows } from './term.ts';

const CONSIDERED = 120;
const USED = 40;

export function lemmaCandidates(
  view: GoalView,
  knowledge: Knowledge,
  votes: ReadonlyMap<string, number>,
): Candidate[] {
  const scores = new Map<LemmaView, number>();
  for (const { lemma, score } of knowledge.lemmas.similarToGoal(view, CONSIDERED)) scores.set(lemma, score);
  for (const [name, share] of votes) {
    const lemma = knowledge.lemmas.find(name);
    if (lemma !== undefined) scores.set(lemma, (scores.get(lemma) ?? 0) + Math.min(0.8, share * 2));
  }
  const ranked = [...scores].sort((left, right) => right[1] - left[1] || left[0].order - right[0].order);
  const candidates: Candidate[] = [];
  let rank = 0;
  for (const [lemma, score] of ranked) {
    if (rank >= USED) break;
    const uses = usesOf(lemma, view, knowledge.ssreflect);
    if (uses.length === 0) continue;
    const base = 1.8 + 1.6 * Math.log(1 + rank) * 0.6 + (1 - Math.min(1, score)) * 1.5;
    for (const use of uses)
      candidates.push({
        tactic: use.tactic,
        cost: base + use.cost,
        timeoutMs: STEP_TIMEOUT_MS,
        ingredient: 'lemmas',
      });
    rank += 1;
  }
  return candidates;
}

function usesOf(lemma: LemmaView, view: GoalView, ssreflect: boolean): { tactic: string; cost: number }[] {
  const uses: { tactic: string; cost: number }[] = [];
  const { name, conclusion, premises, bound } = lemma;
  const goal = splitArrows(view.conclusion).conclusion;
  const generic = bound.has(conclusion.symbol);
  if (!generic && (mayMatch(conclusion, view.conclusion, bound) || mayMatch(conclusion, goal, bound))) {
    uses.push({ tactic: `${ssreflect ? 'apply:' : 'apply'} ${name}`, cost: 0 });
    uses.push({ tactic: `eapply ${name}`, cost: premises.length > 0 ? 0.6 : 1.2 });
  } else if (conclusion.symbol === '<->' || conclusion.symbol === '↔') {
    const [left, right] = conclusion.children;
    if (left !== undefined && mayMatch(left, view.conclusion, bound))
      uses.push({ tactic: `apply ${name}`, cost: 0.2 });
    else if (right !== undefined && mayMatch(right, view.conclusion, bound))
      uses.push({ tactic: `apply ${name}`, cost: 0.2 });
  }
  if (isEquation(lemma)) {
    const [left, right] = conclusion.children;
    const inGoal = left !== undefined && mayOccur(left, view.conclusion, bound);
    if (inGoal) uses.push({ tactic: `rewrite ${name}`, cost: 0 });
    if (right !== undefined && mayOccur(right, view.conclusion, bound))
      uses.push({ tactic: ssreflect ? `rewrite -${name}` : `rewrite <- ${name}`, cost: 1.2 });
    if (left !== undefined)
      for (const hypothesis of view.hypotheses.slice(-5))
        if (looksLikeProposition(hypothesis.term) && mayOccur(left, hypothesis.term, bound))
          uses.push({ tactic: `rewrite ${name} in ${hypothesis.name}`, cost: inGoal ? 1.4 : 0.8 });
  } else if (
    conclusion.symbol !== '<->' &&
    goal.symbol !== conclusion.symbol &&
    conclusion.children.length > 0 &&
    mayOccur(conclusion, view.conclusion, bound)
  )
    // A boolean predicate in an SSReflect goal: the lemma says that it is true.
    uses.push({ tactic: `rewrite ${name}`, cost: ssreflect ? 0.5 : 2 });
  const lastPremise = premises.at(-1) ?? premises[0];
  if (premises.length > 0 && lastPremise !== undefined)
    for (const hypothesis of view.hypotheses.slice(-6)) {
      if (!looksLikeProposition(hypothesis.term)) continue;
      if (premises.some((premise) => !bound.has(premise.symbol) && mayMatch(premise, hypothesis.term, bound)))
        uses.push({ tactic: `apply ${name} in ${hypothesis.name}`, cost: 1.2 });
    }
  return uses;
}
