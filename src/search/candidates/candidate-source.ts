/** All that is worth trying on a goal, made once a goal, and its order by each way of weighing them. */
import { appendAll } from '../../core/lists/many.ts';
import { accumulatorCandidates } from './accumulator-conjectures.ts';
import { booleanCandidates } from './boolean-steps.ts';
import { beginsWithInduction } from './authored-tactic.ts';
import { automationBehind, automationCandidates, automationFor, INTUITION_LIA } from './automation.ts';
import { AutomationRecord } from './automation-record.ts';
import type { StoredStep } from '../../retrieval/lexical/step-memory.ts';
import type { Candidate, Ingredient, Knowledge } from './candidate.ts';
import type { GoalView } from '../../provers/rocq/goals/goal-view.ts';
import { splitArrows } from '../../provers/rocq/goals/term.ts';
import {
  forwardCandidates,
  instanceCandidates,
  lemmaCandidates,
  lemmaChainCandidates,
  rankLemmas,
  rewritingEquations,
  ruleNames,
} from './lemma-steps.ts';
import { functionCandidates } from './function-cases.ts';
import { groundCandidates, lawsOf, normalFormCandidates } from './ground-equations.ts';
import { generalisingCandidates, keepingCandidates } from './generalising.ts';
import { mutualCandidates } from './mutual-induction.ts';
import { followingCandidates, reuseCandidates } from './reuse.ts';
import { computedCandidates } from './computed-witnesses.ts';
import { comparisonCandidates, knownComparisons, readAny, splitAny } from './comparisons.ts';
import { caseEnding, derivationEnding, finisher, strategyCandidates } from './compound-steps.ts';
import { EQUIVALENCE, structuralCandidates } from './goal-shape-steps.ts';
import { solve, tacticText, type Tactic } from './tactic.ts';

/** A goal as the search meets it. */
export interface SearchedGoal {
  readonly view: GoalView;
  /** Earlier steps that followed on the ones that led here. */
  readonly following: readonly StoredStep[];
}

/** What one order of candidates takes up, with a cost added to each of that kind; absent means never. */
export interface Weighing {
  readonly offsets: Readonly<Partial<Record<Ingredient, number>>>;
}

export interface CandidateSourceOptions {
  readonly without: ReadonlySet<Ingredient>;
  readonly seed: number;
  /** Whether what was measured may change the order: not in a run that can be repeated. */
  readonly learns: boolean;
}

const FACT_USERS = new Set(['lia', 'lra', 'nia', 'nra', 'eauto', 'congruence']);
const LOGIC = 'intuition congruence';
const FINISHERS = 5;
/** What takes less is not worth putting off. */
const NOTEWORTHY_MS = 250;
/** A closer that takes longer than this on the average is too dear to be tried in every case of a strategy. */
const SLOW_FINISHER_MS = 60;

/** A candidate with what breaks ties by seed, which takes longer to compute than all else of its order. */
interface Unordered {
  readonly candidate: Candidate;
  readonly tie: number;
}

export class CandidateSource {
  readonly #knowledge: Knowledge;
  readonly #options: CandidateSourceOptions;
  readonly #record = new AutomationRecord();
  readonly #all = new Map<SearchedGoal, readonly Unordered[]>();
  readonly #orders = new Map<Weighing, Map<SearchedGoal, Candidate[]>>();
  /** How many there were when the candidates were made. */
  #lemmas: number;

  constructor(knowledge: Knowledge, options: CandidateSourceOptions) {
    this.#knowledge = knowledge;
    this.#options = options;
    this.#lemmas = knowledge.lemmas.size;
  }

  /**
   * Forgets the candidates that were made before the lemmas of the libraries had been listed; whether there were
   * any.
   */
  renew(): boolean {
    const { size } = this.#knowledge.lemmas;
    if (size === this.#lemmas) return false;
    this.#lemmas = size;
    this.#all.clear();
    this.#orders.clear();
    return true;
  }

  /** The candidates of a node in the order of one weighing, the cheapest first. */
  orderFor(weighing: Weighing, node: SearchedGoal): readonly Candidate[] {
    let orders = this.#orders.get(weighing);
    if (orders === undefined) this.#orders.set(weighing, (orders = new Map<SearchedGoal, Candidate[]>()));
    const known = orders.get(node);
    if (known !== undefined) return known;
    let all = this.#all.get(node);
    if (all === undefined) this.#all.set(node, (all = this.#make(node)));
    const { offsets } = weighing;
    const { learns } = this.#options;
    const order = all
      .flatMap(({ candidate, tie }) => {
        const offset = offsets[candidate.ingredient];
        if (offset === undefined) return [];
        const fared = learns && candidate.closing === true ? this.#record.adjustment(candidate.tactic) : 0;
        return [{ ...candidate, cost: candidate.cost + offset + fared + tie }];
      })
      .sort((left, right) => left.cost - right.cost);
    orders.set(node, order);
    return order;
  }

  /** Puts a candidate that ran out of time at the end of the orders that have it. */
  postpone(node: SearchedGoal, candidate: Candidate): void {
    for (const [weighing, orders] of this.#orders)
      if (weighing.offsets[candidate.ingredient] !== undefined) orders.get(node)?.push(candidate);
  }

  /** Puts off, once, what has wasted its part of the time so far; answers whether it did. */
  putsOff(node: SearchedGoal, candidate: Candidate, searchedMs: number): boolean {
    const { tactic, cost, timeoutMs, closing, late } = candidate;
    if (!this.#options.learns || closing !== true || late === true || timeoutMs < NOTEWORTHY_MS) return false;
    if (this.#record.mayTake(tactic, timeoutMs * this.#knowledge.pace, searchedMs)) return false;
    this.postpone(node, {
      ...candidate,
      cost: cost + this.#knowledge.costs['candidate.put-off.more'],
      late: true,
    });
    return true;
  }

  note(candidate: Candidate, solved: boolean, elapsedMs: number): void {
    if (candidate.closing === true) this.#record.note(candidate.tactic, solved, elapsedMs);
  }

  /** The cheap automation for a goal: `quick` to try on every goal, otherwise also what ends a strategy. */
  finishers(view: GoalView, use: 'quick' | 'last'): Tactic[] {
    const { automation, costs } = this.#knowledge;
    const cheap = automation.filter(
      ({ cost, dear }) => cost <= costs['automation.finisher.limit'] && (use === 'last' || dear !== true),
    );
    const tactics = (use === 'last' ? automationBehind : automationFor)(view, cheap).map(
      ({ tactic }) => tactic,
    );
    const { learns } = this.#options;
    // With laws at hand it does not end by itself.
    const endless = use === 'quick' && lawsOf(view).length > 1 ? 'congruence' : undefined;
    const quick = tactics.filter(
      (tactic) =>
        tacticText(tactic) !== endless &&
        (!learns || this.#record.averageMs(solve(tactic)) < SLOW_FINISHER_MS * this.#knowledge.pace),
    );
    return distinct(quick).slice(0, FINISHERS);
  }

  /** Case distinctions on comparisons of numbers that strategies make, and what they read of known answers. */
  get splits(): readonly Tactic[] {
    const known = knownComparisons(this.#knowledge.lemmas);
    const reading = readAny(known);
    return [...known.map(splitAny), ...(reading === undefined ? [] : [reading])];
  }

  /** Automation that gets further when it is given facts. */
  #factUsers(view: GoalView): Tactic[] {
    const solvers = this.#knowledge.automation.filter(({ tactic }) => FACT_USERS.has(tacticText(tactic)));
    return distinct([
      ...automationFor(view, solvers).map(({ tactic }) => tactic),
      ...this.finishers(view, 'quick'),
    ]);
  }

  /** What is equivalent to something else is seldom so at once: the closers of a strategy then take it apart. */
  #logic(view: GoalView): readonly Tactic[] {
    if (!EQUIVALENCE.has(splitArrows(view.conclusion).conclusion.symbol)) return [];
    return this.#knowledge.automation
      .map(({ tactic }) => tactic)
      .filter((tactic) => tacticText(tactic) === LOGIC);
  }

  #make(node: SearchedGoal): Unordered[] {
    const { without } = this.#options;
    const { view } = node;
    const knowledge = this.#knowledge;
    const candidates: Candidate[] = [];
    const reuse = reuseCandidates(view, knowledge, without);
    if (!without.has('reuse'))
      appendAll(candidates, [
        ...followingCandidates(node.following, view, knowledge, without),
        ...reuse.candidates,
      ]);
    const votes = without.has('reuse') ? new Map<string, number>() : reuse.lemmaVotes;
    const ranked = without.has('lemmas') ? [] : rankLemmas(view, knowledge, votes);
    appendAll(candidates, lemmaCandidates(view, ranked, knowledge));
    if (!without.has('lemmas')) {
      appendAll(candidates, forwardCandidates(view, knowledge));
      const finish = finisher(this.#factUsers(view));
      appendAll(candidates, instanceCandidates(view, knowledge, ranked, finish));
    }
    if (!without.has('automation'))
      appendAll(candidates, automationCandidates(view, knowledge.automation, knowledge.costs));
    if (!without.has('structure'))
      appendAll(candidates, [
        ...structuralCandidates(view, knowledge),
        ...booleanCandidates(view, knowledge),
        ...comparisonCandidates(view, knowledge),
      ]);
    const aboutFunctions = functionCandidates(view, knowledge);
    appendAll(
      candidates,
      aboutFunctions.filter(({ ingredient }) => !without.has(ingredient)),
    );
    if (!without.has('conjectures')) {
      const quick = finisher(this.finishers(view, 'quick'));
      appendAll(candidates, accumulatorCandidates(view, quick, knowledge));
      appendAll(candidates, generalisingCandidates(view, quick, knowledge));
    }
    if (!without.has('strategies')) {
      const finish = finisher([...this.finishers(view, 'last'), ...this.#logic(view)]);
      const quick = finisher(this.finishers(view, 'quick'));
      const arithmetic = automationFor(view, knowledge.automation).find(
        ({ tactic }) => tactic === INTUITION_LIA,
      )?.tactic;
      const ends = {
        quick,
        last: finish,
        splits: this.splits,
        ...(arithmetic !== undefined && { arithmetic }),
      };
      const equations = rewritingEquations(view, ranked);
      const rules = ruleNames(view, ranked);
      appendAll(candidates, strategyCandidates(view, { ...ends, equations, rules }, knowledge));
      appendAll(candidates, mutualCandidates(view, caseEnding({ ...ends, equations }), knowledge));
      if (!without.has('conjectures'))
        appendAll(candidates, keepingCandidates(view, derivationEnding({ ...ends, equations }), knowledge));
      appendAll(candidates, lemmaChainCandidates(view, ranked, quick, knowledge));
      appendAll(candidates, groundCandidates(view, knowledge));
      const nearest = ranked.map(({ lemma }) => lemma);
      appendAll(candidates, normalFormCandidates(view, nearest, quick, knowledge));
      appendAll(candidates, computedCandidates(view, finish, knowledge));
    }
    const nested =
      knowledge.costs['induction.nested.each'] *
      view.hypotheses.filter(({ name }) => name.startsWith('IH')).length;
    const cheapest = new Map<string, Candidate>();
    for (const made of candidates) {
      const candidate =
        nested > 0 && beginsWithInduction(made.tactic) ? { ...made, cost: made.cost + nested } : made;
      const key = `${candidate.timeoutMs > 1000 ? 'long ' : ''}${candidate.text}`;
      const known = cheapest.get(key);
      if (known === undefined || known.cost > candidate.cost) cheapest.set(key, candidate);
    }
    const { seed } = this.#options;
    return [...cheapest.values()].map((candidate) => ({ candidate, tie: jitter(candidate.text, seed) }));
  }
}

/** Without those that are written alike. */
function distinct(tactics: readonly Tactic[]): Tactic[] {
  const byText = new Map<string, Tactic>();
  for (const tactic of tactics) {
    const text = tacticText(tactic);
    if (!byText.has(text)) byText.set(text, tactic);
  }
  return [...byText.values()];
}

/** Breaks ties by seed: in [0, 0.05). */
function jitter(text: string, seed: number): number {
  let hash = (seed ^ 0x9e3779b9) >>> 0;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return (hash / 0x1_0000_0000) * 0.05;
}
