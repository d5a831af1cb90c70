/** Steps that use a lemma in scope: apply it, rewrite with it, or feed it a hypothesis. */
import { STEP_TIMEOUT_MS, type Candidate, type Knowledge } from './candidate.ts';
import type { Definitions } from './definitions.ts';
import {
  isFact,
  isPredicate,
  type GoalView,
  type HypothesisView,
} from '../../provers/rocq/goals/goal-view.ts';
import { instancesFor } from './lemma-instances.ts';
import { isEquation, type LemmaMemory, type LemmaView } from '../../retrieval/lexical/lemma-memory.ts';
import { headOf, splitArrows, subterms, type Term } from '../../provers/rocq/goals/term.ts';
import { mayMatch, mayOccur } from '../../provers/rocq/goals/matching.ts';

const CONSIDERED = 120;
const USED = 40;
const CHAIN_TIMEOUT_MS = 1500;

export interface RankedLemma {
  readonly lemma: LemmaView;
  /** Similarity to the goal plus the share of the neighbours that use it. */
  readonly score: number;
}

/** Lemmas for a goal, best first: those whose statements share its symbols, and those that similar goals were solved with. */
export function rankLemmas(
  view: GoalView,
  knowledge: Knowledge,
  votes: ReadonlyMap<string, number>,
): RankedLemma[] {
  const scores = new Map<LemmaView, number>();
  for (const { lemma, score } of knowledge.lemmas.similarToGoal(view, CONSIDERED)) scores.set(lemma, score);
  for (const [name, share] of votes) {
    const lemma = knowledge.lemmas.find(name);
    if (lemma !== undefined) scores.set(lemma, (scores.get(lemma) ?? 0) + Math.min(0.8, share * 2));
  }
  return [...scores]
    .map(([lemma, score]) => ({ lemma, score }))
    .sort((left, right) => right.score - left.score || left.lemma.order - right.lemma.order);
}

export function lemmaCandidates(
  view: GoalView,
  ranked: readonly RankedLemma[],
  definitions: Definitions,
  ssreflect: boolean,
): Candidate[] {
  const candidates: Candidate[] = [];
  const goal = splitArrows(view.conclusion).conclusion;
  const facts = recentFacts(view);
  let rank = 0;
  for (const { lemma, score } of ranked) {
    if (rank >= USED) break;
    const hidden = hiddenRule(lemma, definitions);
    const uses = [
      ...usesOf(lemma, view, ssreflect),
      ...(hidden?.(goal) === true ? [{ tactic: `eapply ${lemma.name}`, cost: 0.3 }] : []),
      ...hiddenUses(lemma, hidden, facts),
    ];
    if (uses.length === 0) continue;
    const base = 1.8 + Math.log(1 + rank) + (1 - Math.min(1, score)) * 1.5;
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

const CHAINS = [3, 8];
const CONSIDERED_ONCE = 24;
const ONCE_AT_A_TIME = 8;
const ONCE_GROUPS = 2;

const REWRITING = 5;

/** Equations about the goal's symbols that can be rewritten with to the end, whether or not they apply already. */
export function rewritingEquations(view: GoalView, ranked: readonly RankedLemma[]): string[] {
  const symbols = new Set([...subterms(view.conclusion)].map(({ symbol }) => symbol));
  return ranked
    .filter(({ lemma }) => {
      const [left, right] = lemma.conclusion.children;
      if (lemma.conclusion.symbol !== '=' || left === undefined || right === undefined) return false;
      // `l = l ++ []` applies to every list.
      if (lemma.bound.has(left.symbol)) return false;
      return symbols.has(left.symbol) && lemma.premises.length === 0 && !mayOccur(left, right, lemma.bound);
    })
    .slice(0, REWRITING)
    .map(({ lemma }) => lemma.name);
}

const RULES = 5;

/** What concludes something that the goal speaks of and is not an equation: hints for proof search. */
export function ruleNames(view: GoalView, ranked: readonly RankedLemma[]): string[] {
  const symbols = new Set([...subterms(view.conclusion)].map(({ symbol }) => symbol));
  return ranked
    .filter(({ lemma }) => isPredicate(lemma.conclusion) && symbols.has(headOf(lemma.conclusion)))
    .slice(0, RULES)
    .map(({ lemma }) => lemma.name);
}

/** Steps that use several lemmas at once: rewriting with all of them to the end, proof search with them as hints. */
export function lemmaChainCandidates(
  view: GoalView,
  ranked: readonly RankedLemma[],
  finish: string,
): Candidate[] {
  const candidates: Candidate[] = [];
  const add = (tactic: string, cost: number): void => {
    candidates.push({ tactic, cost, timeoutMs: CHAIN_TIMEOUT_MS, ingredient: 'strategies', closing: true });
  };
  const once = ranked
    .slice(0, CONSIDERED_ONCE)
    .flatMap(({ lemma }, rank) =>
      usesOf(lemma, view, false).map((use) => ({ ...use, cost: use.cost + 0.1 * rank })),
    )
    .filter(({ tactic }) => !/ in \S+$/u.test(tactic))
    .sort((left, right) => left.cost - right.cost);
  for (let group = 0; group < ONCE_GROUPS; group += 1) {
    const uses = once.slice(group * ONCE_AT_A_TIME, (group + 1) * ONCE_AT_A_TIME);
    if (uses.length > 0)
      add(`first [${uses.map(({ tactic }) => `${tactic}; ${finish}`).join(' | ')}]`, 1.5 + group);
  }
  const equations: string[] = [];
  const facts: string[] = [];
  for (const { lemma } of ranked) {
    const { bound, conclusion, name } = lemma;
    if (isEquation(lemma)) {
      const [left, right] = conclusion.children;
      if (left === undefined || right === undefined) continue;
      // An equation that rewrites its own result would go round for ever.
      const turns = mayOccur(left, right, bound);
      if (!turns && mayOccur(left, view.conclusion, bound)) equations.push(name);
    } else if (!bound.has(conclusion.symbol)) facts.push(name);
  }
  const hypotheses = view.hypotheses
    .filter(({ name, term }) => name.startsWith('IH') && splitArrows(term).conclusion.symbol === '=')
    .map(({ name }) => name);
  for (const [index, count] of CHAINS.entries()) {
    if (equations.length > (CHAINS[index - 1] ?? 0)) {
      const alternatives = [...hypotheses, ...equations.slice(0, count)].map((name) => `rewrite ${name}`);
      add(`do 12 try first [${alternatives.join(' | ')}]; ${finish}`, 3 + index * 0.8);
    }
    const hints = [...facts.slice(0, count), ...equations.slice(0, 2)];
    if (hints.length > 0 && facts.length > (CHAINS[index - 1] ?? 0))
      add(`solve [eauto ${index === 0 ? '' : '7 '}using ${hints.join(', ')}]`, 2.6 + index * 0.8);
  }
  return candidates;
}

const INSTANCES = 8;
const POSED_ALONE = 4;
const POSED_TOGETHER = [4, 8];

/** What lemmas say of the goal's own terms, put before it one by one, and together before the automation. */
export function instanceCandidates(
  view: GoalView,
  lemmas: LemmaMemory,
  ranked: readonly RankedLemma[],
  finish: string,
): Candidate[] {
  const instances = instancesFor(view, lemmas, new Map(ranked.map(({ lemma, score }) => [lemma, score])))
    .slice(0, INSTANCES)
    .map((instance) => `pose proof (${instance})`);
  const alone: Candidate[] = instances.slice(0, POSED_ALONE).map((tactic, rank) => ({
    tactic,
    cost: 3.8 + 0.3 * rank,
    timeoutMs: STEP_TIMEOUT_MS,
    ingredient: 'lemmas',
  }));
  const together: Candidate[] = POSED_TOGETHER.filter(
    (_, index) => instances.length > (POSED_TOGETHER[index - 1] ?? 0),
  ).map((count, index) => ({
    tactic: `${instances
      .slice(0, count)
      .map((tactic) => `try ${tactic}`)
      .join('; ')}; ${finish}`,
    cost: 2.3 + 0.8 * index,
    timeoutMs: CHAIN_TIMEOUT_MS,
    ingredient: 'strategies',
    closing: true,
  }));
  return [...alone, ...together];
}

const FORWARD = 8;
const FORWARD_CONSIDERED = 400;
const FORWARD_FACTS = 5;

/** The file's own lemmas that lead on from a fact, the newest first: what a proof by contradiction has to go by. */
export function forwardCandidates(
  view: GoalView,
  { lemmas, definitions }: Pick<Knowledge, 'lemmas' | 'definitions'>,
): Candidate[] {
  const facts = recentFacts(view);
  const uses: string[] = [];
  for (const lemma of lemmas.own.slice(-FORWARD_CONSIDERED).reverse()) {
    if (uses.length >= FORWARD) break;
    const forward = [
      ...premiseUses(lemma, facts),
      ...hiddenUses(lemma, hiddenRule(lemma, definitions), facts),
    ];
    uses.push(...forward.map(({ tactic }) => tactic));
  }
  const cost = view.conclusion.symbol === 'False' ? 2.0 : 2.8;
  return [...new Set(uses)].slice(0, FORWARD).map((tactic, rank) => ({
    tactic,
    cost: cost + 0.2 * rank,
    timeoutMs: STEP_TIMEOUT_MS,
    ingredient: 'lemmas',
  }));
}

function premiseUses(
  { name, premises, bound }: LemmaView,
  facts: readonly HypothesisView[],
): { tactic: string; cost: number }[] {
  return facts
    .filter(({ term }) =>
      premises.some((premise) => !bound.has(premise.symbol) && mayMatch(premise, term, bound)),
    )
    .map((fact) => ({ tactic: `apply ${name} in ${fact.name}`, cost: 1.2 }));
}

function recentFacts(view: GoalView): HypothesisView[] {
  return view.hypotheses.slice(-FORWARD_FACTS).filter((hypothesis) => isFact(hypothesis, view));
}

/** Of a lemma whose conclusion abbreviates a rule (`r <<= s`, `transitive r`): whether the rule's parts are spoken of. */
function hiddenRule(
  { conclusion }: LemmaView,
  definitions: Definitions,
): ((term: Term) => boolean) | undefined {
  const head = headOf(conclusion);
  const definition = definitions.find(head);
  if (definition?.kind !== 'own' || definition.content !== 'logic' || definition.existential)
    return undefined;
  const parts = new Set([...subterms(conclusion)].map(({ symbol }) => symbol));
  return (term) => headOf(term) !== head && parts.has(headOf(term));
}

function hiddenUses(
  { name }: LemmaView,
  speaksOf: ((term: Term) => boolean) | undefined,
  facts: readonly HypothesisView[],
): { tactic: string; cost: number }[] {
  if (speaksOf === undefined) return [];
  return facts
    .filter(({ term }) => speaksOf(term))
    .map((fact) => ({ tactic: `eapply ${name} in ${fact.name}`, cost: 0.6 }));
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
        if (isFact(hypothesis, view) && mayOccur(left, hypothesis.term, bound))
          uses.push({ tactic: `rewrite ${name} in ${hypothesis.name}`, cost: inGoal ? 1.4 : 0.8 });
  } else if (
    conclusion.symbol !== '<->' &&
    goal.symbol !== conclusion.symbol &&
    conclusion.children.length > 0 &&
    mayOccur(conclusion, view.conclusion, bound)
  )
    // A boolean predicate in an SSReflect goal: the lemma says that it is true.
    uses.push({ tactic: `rewrite ${name}`, cost: ssreflect ? 0.5 : 2 });
  // A relation other than equality: worth a setoid rewrite inside a goal of the same relation.
  const [left, right] = conclusion.children;
  const relates = conclusion.children.length === 2 && left !== undefined && right !== undefined;
  if (relates && !isEquation(lemma) && goal.symbol === conclusion.symbol && mayOccur(left, goal, bound))
    uses.push({ tactic: `rewrite ${name}`, cost: 0.8 });
  const facts = view.hypotheses.slice(-6).filter((hypothesis) => isFact(hypothesis, view));
  uses.push(...premiseUses(lemma, facts));
  return uses;
}
