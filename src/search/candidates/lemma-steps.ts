/** Steps that use a lemma in scope: apply it, rewrite with it, or feed it a hypothesis. */
import { orZero } from '../../core/entry.ts';
import { appendAll } from '../../core/lists/many.ts';
import { candidate, STEP_TIMEOUT_MS, type Candidate, type Knowledge, type Setting } from './candidate.ts';
import type { Costs } from './costs.ts';
import type { Definitions } from '../libraries/definitions.ts';
import {
  isFact,
  isPredicate,
  type GoalView,
  type HypothesisView,
} from '../../provers/rocq/goals/goal-view.ts';
import { instancesFor } from '../../retrieval/lexical/lemma-instances.ts';
import { isEquation, type LemmaView } from '../../retrieval/lexical/lemma-similarity.ts';
import { headOf, splitArrows, subterms, type Term } from '../../provers/rocq/goals/term.ts';
import { opened } from '../../provers/rocq/goals/hidden-equations.ts';
import { mayMatch, mayOccur } from '../../provers/rocq/goals/matching.ts';
import { atom, first, sequence, solve, tacticText, using, type Tactic } from './tactic.ts';

const CONSIDERED = 120;
const USED = 40;
const CHAIN_TIMEOUT_MS = 1500;

export interface RankedLemma {
  readonly lemma: LemmaView;
  /** Similarity to the goal plus the share of the neighbours that use it. */
  readonly score: number;
}

/**
 * Lemmas for a goal, best first: those whose statements share its symbols, and those that similar goals were solved
 * with.
 */
export function rankLemmas(
  view: GoalView,
  knowledge: Knowledge,
  votes: ReadonlyMap<string, number>,
): RankedLemma[] {
  const scores = new Map<LemmaView, number>();
  for (const { lemma, score } of knowledge.lemmas.similarToGoal(view, CONSIDERED)) scores.set(lemma, score);
  for (const [name, share] of votes) {
    const lemma = knowledge.lemmas.find(name);
    if (lemma !== undefined) scores.set(lemma, orZero(scores.get(lemma)) + Math.min(0.8, share * 2));
  }
  return [...scores]
    .map(([lemma, score]) => ({ lemma, score }))
    .sort((left, right) => right.score - left.score || left.lemma.order - right.lemma.order);
}

export function lemmaCandidates(
  view: GoalView,
  ranked: readonly RankedLemma[],
  setting: Setting,
): Candidate[] {
  const { definitions, costs } = setting;
  const candidates: Candidate[] = [];
  const facts = recentFacts(view);
  const shown = shownBy(view);
  let rank = 0;
  for (const { lemma, score } of ranked) {
    if (rank >= USED) break;
    const hidden = hiddenRule(lemma, definitions);
    const uses = [
      ...usesOf(lemma, shown, setting),
      ...(hidden?.(shown.goal) === true
        ? [{ tactic: atom('eapply', lemma.name), cost: costs['lemma.hidden-rule.more'] }]
        : []),
      ...hiddenUses(lemma, hidden, facts, costs),
    ];
    if (uses.length === 0) continue;
    const base = costs.lemma + Math.log(1 + rank) + (1 - Math.min(1, score)) * costs['lemma.dissimilar.more'];
    for (const use of uses)
      candidates.push(
        candidate(use.tactic, {
          cost: base + use.cost,
          timeoutMs: STEP_TIMEOUT_MS,
          ingredient: 'lemmas',
        }),
      );
    rank += 1;
  }
  return candidates;
}

/** A step with a lemma; `hypothesis` is the one that it is used in, if it is not the goal. */
interface LemmaUse {
  readonly tactic: Tactic;
  readonly cost: number;
  readonly hypothesis?: string;
}

function useIn(head: string, lemma: string, { name }: HypothesisView, cost: number): LemmaUse {
  return { tactic: atom(head, `${lemma} in ${name}`), cost, hypothesis: name };
}

const CHAINS = [3, 8];
const BEST = 4;
const PREMISED = /^(?:->|→)$/u;
const BY_PARTS = atom('by case/andP');
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
  finish: Tactic,
  setting: Setting,
): Candidate[] {
  const { costs } = setting;
  const candidates: Candidate[] = [];
  const add = (tactic: Tactic, cost: number): void => {
    const timeoutMs = CHAIN_TIMEOUT_MS;
    candidates.push(candidate(tactic, { cost, timeoutMs, ingredient: 'strategies', closing: true }));
  };
  const shown = shownBy(view);
  const once = ranked
    .slice(0, CONSIDERED_ONCE)
    .flatMap(({ lemma }, rank) =>
      usesOf(lemma, shown, { ...setting, ssreflect: false }).map((use) => ({
        ...use,
        cost: use.cost + costs['strategy.lemmas-once.use.each'] * rank,
      })),
    )
    .filter((use) => use.hypothesis === undefined)
    .sort((left, right) => left.cost - right.cost);
  for (let group = 0; group < ONCE_GROUPS; group += 1) {
    const uses = once.slice(group * ONCE_AT_A_TIME, (group + 1) * ONCE_AT_A_TIME);
    if (uses.length > 0)
      add(
        first(...uses.map(({ tactic }) => sequence(tactic, finish))),
        costs['strategy.lemmas-once'] + costs['strategy.lemmas-once.each'] * group,
      );
  }
  const equations: string[] = [];
  const inTurn: string[] = [];
  const facts: string[] = [];
  const symbols = new Set([...subterms(view.conclusion)].map(({ symbol }) => symbol));
  for (const { lemma } of ranked) {
    const { bound, conclusion, name } = lemma;
    if (isEquation(lemma)) {
      const [left, right] = conclusion.children;
      if (left === undefined || right === undefined) continue;
      // An equation that rewrites its own result would go round for ever.
      const turns = mayOccur(left, right, bound);
      const isNow = mayOccur(left, view.conclusion, bound);
      if (!turns && isNow) equations.push(name);
      // What another rewrite brings together may be rewritten then.
      if (!turns && conclusion.symbol === '=' && (isNow || speaksOnlyOf(left, symbols, bound)))
        inTurn.push(name);
    } else if (!bound.has(conclusion.symbol)) facts.push(name);
  }
  // A rewritten premise is mostly a conjunction of booleans in SSReflect.
  const ending =
    setting.ssreflect && PREMISED.test(view.conclusion.symbol) ? first(finish, BY_PARTS) : finish;
  const hypotheses = view.hypotheses
    .filter(({ name, term }) => name.startsWith('IH') && splitArrows(term).conclusion.symbol === '=')
    .map(({ name }) => name);
  const rewriteWith = (names: readonly string[], cost: number): void => {
    const steps = [...hypotheses, ...names].map((name) => atom('rewrite', name));
    add(sequence({ kind: 'rounds', times: 12, steps, tidies: false }, ending), cost);
  };
  if (inTurn.length > 1 && equations.length > 0)
    rewriteWith(inTurn.slice(0, BEST), costs['strategy.rewrite-best']);
  for (const [index, count] of CHAINS.entries()) {
    if (equations.length > orZero(CHAINS[index - 1]))
      rewriteWith(
        equations.slice(0, count),
        costs['strategy.rewrite-chain'] + index * costs['strategy.rewrite-chain.each'],
      );
    const hints = [...facts.slice(0, count), ...equations.slice(0, 2)];
    if (hints.length > 0 && facts.length > orZero(CHAINS[index - 1]))
      add(
        solve(using(index === 0 ? 'eauto' : 'eauto 7', hints)),
        costs['strategy.eauto-using'] + index * costs['strategy.eauto-using.each'],
      );
  }
  return candidates;
}

/** Whether a term says something, and all of it with symbols that are there. */
function speaksOnlyOf(term: Term, symbols: ReadonlySet<string>, bound: ReadonlySet<string>): boolean {
  return (
    !bound.has(term.symbol) &&
    [...subterms(term)].every(({ symbol }) => bound.has(symbol) || symbols.has(symbol))
  );
}

const INSTANCES = 8;
const POSED_ALONE = 4;
const POSED_TOGETHER = [4, 8];

/** What lemmas say of the goal's own terms, put before it one by one, and together before the automation. */
export function instanceCandidates(
  view: GoalView,
  { lemmas, costs }: Pick<Knowledge, 'lemmas' | 'costs'>,
  ranked: readonly RankedLemma[],
  finish: Tactic,
): Candidate[] {
  const instances = instancesFor(view, lemmas, new Map(ranked.map(({ lemma, score }) => [lemma, score])))
    .slice(0, INSTANCES)
    .map(({ lemma, arguments: given }): Tactic => {
      return { kind: 'pose', lemma, everyArgument: true, arguments: given };
    });
  const alone = instances.slice(0, POSED_ALONE).map((tactic, rank) =>
    candidate(tactic, {
      cost: costs['lemma.instance'] + costs['lemma.instance.each'] * rank,
      timeoutMs: STEP_TIMEOUT_MS,
      ingredient: 'lemmas',
    }),
  );
  const together = POSED_TOGETHER.filter(
    (_, index) => instances.length > orZero(POSED_TOGETHER[index - 1]),
  ).map((count, index) =>
    candidate(
      sequence(...instances.slice(0, count).map((tactic): Tactic => ({ kind: 'try', tactic })), finish),
      {
        cost: costs['strategy.instances'] + costs['strategy.instances.each'] * index,
        timeoutMs: CHAIN_TIMEOUT_MS,
        ingredient: 'strategies',
        closing: true,
      },
    ),
  );
  return [...alone, ...together];
}

const FORWARD = 8;
const FORWARD_CONSIDERED = 400;
const FORWARD_FACTS = 5;

/** The file's own lemmas that lead on from a fact, the newest first: what a proof by contradiction has to go by. */
export function forwardCandidates(
  view: GoalView,
  { lemmas, definitions, costs }: Pick<Knowledge, 'lemmas' | 'definitions' | 'costs'>,
): Candidate[] {
  const facts = recentFacts(view);
  const uses = new Map<string, Tactic>();
  for (const lemma of lemmas.own.slice(-FORWARD_CONSIDERED).reverse()) {
    if (uses.size >= FORWARD) break;
    const forward = [
      ...premiseUses(lemma, facts, costs),
      ...hiddenUses(lemma, hiddenRule(lemma, definitions), facts, costs),
    ];
    for (const { tactic } of forward) uses.set(tacticText(tactic), tactic);
  }
  const cost = costs[view.conclusion.symbol === 'False' ? 'lemma.forward.refuting' : 'lemma.forward'];
  return [...uses.values()].slice(0, FORWARD).map((tactic, rank) =>
    candidate(tactic, {
      cost: cost + costs['lemma.forward.each'] * rank,
      timeoutMs: STEP_TIMEOUT_MS,
      ingredient: 'lemmas',
    }),
  );
}

function premiseUses(
  { name, premises, bound }: LemmaView,
  facts: readonly HypothesisView[],
  costs: Costs,
): LemmaUse[] {
  return facts
    .filter(({ term }) =>
      premises.some((premise) => !bound.has(premise.symbol) && mayMatch(premise, term, bound)),
    )
    .map((fact) => useIn('apply', name, fact, costs['lemma.apply.in.more']));
}

function recentFacts(view: GoalView): HypothesisView[] {
  return view.hypotheses.slice(-FORWARD_FACTS).filter((hypothesis) => isFact(hypothesis, view));
}

/**
 * Of a lemma whose conclusion abbreviates a rule (`r <<= s`, `transitive r`): whether the rule's parts are spoken
 * of.
 */
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
  costs: Costs,
): LemmaUse[] {
  if (speaksOf === undefined) return [];
  return facts
    .filter(({ term }) => speaksOf(term))
    .map((fact) => useIn('eapply', name, fact, costs['lemma.hidden-rule.in.more']));
}

/** A goal, and the forms of it that a lemma may conclude: whole, without its premises, and as an equation that it hides. */
function shownBy(view: GoalView) {
  const goal = splitArrows(view.conclusion).conclusion;
  return { view, goal, forms: [...new Set([view.conclusion, goal, splitArrows(opened(goal)).conclusion])] };
}

type ShownGoal = ReturnType<typeof shownBy>;

function usesOf(lemma: LemmaView, shown: ShownGoal, { ssreflect, costs }: Setting): LemmaUse[] {
  const { view, goal, forms } = shown;
  const uses: LemmaUse[] = [];
  const { name, conclusion, premises, bound } = lemma;
  const generic = bound.has(conclusion.symbol);
  if (!generic && forms.some((term) => mayMatch(conclusion, term, bound))) {
    uses.push({ tactic: atom(ssreflect ? 'apply:' : 'apply', name), cost: costs['lemma.apply.more'] });
    uses.push({
      tactic: atom('eapply', name),
      cost: costs[
        premises.length > 0 ? 'lemma.eapply.with-premises.more' : 'lemma.eapply.without-premises.more'
      ],
    });
  } else if (conclusion.symbol === '<->' || conclusion.symbol === '↔') {
    const [left, right] = conclusion.children;
    if (left !== undefined && mayMatch(left, view.conclusion, bound))
      uses.push({ tactic: atom('apply', name), cost: costs['lemma.equivalence.more'] });
    else if (right !== undefined && mayMatch(right, view.conclusion, bound))
      uses.push({ tactic: atom('apply', name), cost: costs['lemma.equivalence.more'] });
  }
  if (isEquation(lemma)) {
    const [left, right] = conclusion.children;
    const inGoal = left !== undefined && mayOccur(left, view.conclusion, bound);
    if (inGoal) uses.push({ tactic: atom('rewrite', name), cost: costs['lemma.rewrite.more'] });
    if (right !== undefined && mayOccur(right, view.conclusion, bound))
      uses.push({
        tactic: atom('rewrite', `${ssreflect ? '-' : '<- '}${name}`),
        cost: costs['lemma.rewrite.back.more'],
      });
    if (left !== undefined)
      for (const hypothesis of view.hypotheses.slice(-5))
        if (isFact(hypothesis, view) && mayOccur(left, hypothesis.term, bound))
          uses.push(
            useIn(
              'rewrite',
              name,
              hypothesis,
              costs[inGoal ? 'lemma.rewrite.in.also-in-goal.more' : 'lemma.rewrite.in.more'],
            ),
          );
  } else if (
    conclusion.symbol !== '<->' &&
    goal.symbol !== conclusion.symbol &&
    conclusion.children.length > 0 &&
    mayOccur(conclusion, view.conclusion, bound)
  )
    // A boolean predicate in an SSReflect goal: the lemma says that it is true.
    uses.push({
      tactic: atom('rewrite', name),
      cost: costs[ssreflect ? 'lemma.rewrite.boolean.more' : 'lemma.rewrite.proposition.more'],
    });
  // A relation other than equality: worth a setoid rewrite inside a goal of the same relation.
  const [left, right] = conclusion.children;
  const relates = conclusion.children.length === 2 && left !== undefined && right !== undefined;
  if (relates && !isEquation(lemma) && goal.symbol === conclusion.symbol && mayOccur(left, goal, bound))
    uses.push({ tactic: atom('rewrite', name), cost: costs['lemma.rewrite.setoid.more'] });
  const facts = view.hypotheses.slice(-6).filter((hypothesis) => isFact(hypothesis, view));
  appendAll(uses, premiseUses(lemma, facts, costs));
  return uses;
}
