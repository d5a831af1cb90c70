/**
 * Side paths: what a sentence of a proof does when its parts are run one at a time, from the state where the proof
 * stands. They are paid from a budget, and nothing of them stays.
 */
import type { Goal } from '../core/proof-state.ts';
import type { ProverSession, StateId } from '../core/prover.ts';
import { asSentence } from '../provers/rocq/syntax/sentences.ts';
import { newNode, type ProofNode } from './proof-tree.ts';
import type { SideBudget } from './side-budget.ts';
import { chainOf, tacticFor } from './tactic-chain.ts';

/** Where a side path begins: a state and the goals in focus there. */
export interface Place {
  readonly state: StateId;
  readonly goals: readonly Goal[];
}

/** A tactic run on each of some goals alone. */
export interface SplitSentence {
  readonly final: readonly Goal[];
  readonly steps: readonly {
    readonly target: Goal;
    /** Ids of goals in `final`. */
    readonly children: readonly string[];
    readonly elapsedMs: number;
  }[];
}

/** A chain run step by step on the first goal. */
export interface Expansion {
  /** Stands for that goal; its step is the chain's first. */
  readonly root: ProofNode;
  /** In the end: what the chain leaves of the goal. */
  nodes: ProofNode[];
  readonly made: readonly { readonly node: ProofNode; readonly children: ProofNode[] }[];
}

interface RunningExpansion extends Expansion {
  state: StateId;
  goals: readonly Goal[];
  readonly made: { readonly node: ProofNode; readonly children: ProofNode[] }[];
}

/** The parts of a sentence run by themselves have no counterpart in the sentence. */
class CannotSplit extends Error {}

const STEP_TIMEOUT_MS = 5000;
const LEAST_TIMEOUT_MS = 50;

export class SidePaths {
  readonly #session: ProverSession;
  readonly #budget: SideBudget;
  readonly #signal: AbortSignal;
  readonly #explicit: boolean;

  /** `explicit`: goals are also asked for with everything written out. */
  constructor(session: ProverSession, budget: SideBudget, signal: AbortSignal, explicit: boolean) {
    this.#session = session;
    this.#budget = budget;
    this.#signal = signal;
    this.#explicit = explicit;
  }

  /** Runs a tactic on each of the goals alone, from the last to the first, so that their places hold. */
  async eachByItself(
    start: Place,
    indices: readonly number[],
    tactic: string,
  ): Promise<SplitSentence | undefined> {
    if (this.#budget.left <= 0) return undefined;
    let { state, goals } = start;
    const steps: SplitSentence['steps'][number][] = [];
    try {
      for (const index of indices.toReversed()) {
        const target = goals[index];
        if (target === undefined) return undefined;
        const ran = await this.#step(state, `${index + 1}: ${tactic}.`);
        const kids = replaced(goals, index, ran.goals);
        steps.unshift({ target, children: kids.map(({ id }) => id), elapsedMs: ran.elapsedMs });
        ({ state, goals } = ran);
      }
    } catch (error) {
      if (error instanceof CannotSplit) return undefined;
      throw error;
    }
    return { final: goals, steps };
  }

  /** A step on a side path. @throws CannotSplit when it is refused. */
  async #step(state: StateId, sentence: string): Promise<Place & { readonly elapsedMs: number }> {
    const started = performance.now();
    const result = await this.#session.run(state, asSentence(sentence), {
      timeoutMs: Math.min(STEP_TIMEOUT_MS, Math.max(LEAST_TIMEOUT_MS, this.#budget.left)),
      signal: this.#signal,
      withGoals: true,
      expected: true,
    });
    this.#budget.spend(performance.now() - started);
    if (result.status !== 'done' || !result.proof) throw new CannotSplit();
    return { state: result.state, goals: result.proof.goals, elapsedMs: result.elapsedMs };
  }

  /** The goals in focus with everything written out, by their ids; none unless they are wanted and there is time. */
  async explicitGoals(state: StateId): Promise<ReadonlyMap<string, Goal>> {
    if (!this.#explicit || this.#budget.left <= 0) return new Map();
    const started = performance.now();
    const proof = await this.#session.explicitGoals?.(state);
    this.#budget.spend(performance.now() - started);
    return new Map(proof?.goals.map((goal) => [goal.id, goal]));
  }

  /**
   * Runs a chain on the first goal step by step; undefined for a tactic that is none, `kept` for a chain that cannot be
   * taken apart. `depth` is that of the goal.
   */
  async expand(start: Place, depth: number, tactic: string): Promise<Expansion | 'kept' | undefined> {
    const [target, ...others] = start.goals;
    if (target === undefined || chainOf(tactic) === undefined) return undefined;
    if (this.#budget.left <= 0) return 'kept';
    const root = newNode(target, 'chain', depth);
    const nodes = [root, ...others.map((goal) => newNode(goal, 'chain', 0))];
    const expansion: RunningExpansion = { root, ...start, nodes, made: [] };
    try {
      const count = await this.#takeApart(expansion, 0, tactic);
      expansion.nodes.splice(count);
      return expansion;
    } catch (error) {
      if (error instanceof CannotSplit) return 'kept';
      throw error;
    }
  }

  /** Runs a tactic, step by step if it is a chain, on the goal at a place; the number of goals there afterwards. */
  async #takeApart(expansion: RunningExpansion, place: number, tactic: string): Promise<number> {
    const chain = chainOf(tactic);
    if (chain === undefined) return await this.#atomicStep(expansion, place, tactic);
    let count = 1;
    for (const step of chain.steps) {
      const before = count;
      for (let index = before - 1; index >= 0; index -= 1) {
        const own = tacticFor(chain, step, index, before);
        if (own === null) throw new CannotSplit();
        if (own !== undefined) count += (await this.#takeApart(expansion, place + index, own)) - 1;
      }
    }
    return count;
  }

  async #atomicStep(expansion: RunningExpansion, place: number, tactic: string): Promise<number> {
    const node = expansion.nodes[place];
    if (node === undefined) throw new CannotSplit();
    if (node.goal.id !== expansion.root.goal.id)
      node.explicit = (await this.explicitGoals(expansion.state)).get(node.goal.id);
    const selector = place === 0 ? '' : `${place + 1}: `;
    const ran = await this.#step(expansion.state, `${selector}${tactic}.`);
    const kids = replaced(expansion.goals, place, ran.goals);
    expansion.state = ran.state;
    expansion.goals = ran.goals;
    if (kids.length === 1 && kids[0]?.id === node.goal.id) return 1;
    const children = kids.map((goal) => newNode(goal, 'chain', node.depth + 1));
    node.step = { tactic, children, elapsedMs: ran.elapsedMs };
    expansion.made.push({ node, children });
    expansion.nodes = [...expansion.nodes.slice(0, place), ...children, ...expansion.nodes.slice(place + 1)];
    return children.length;
  }
}

/** What stands in the place of one goal now. @throws CannotSplit when other goals have changed too. */
function replaced(before: readonly Goal[], place: number, after: readonly Goal[]): readonly Goal[] {
  const behind = before.length - place - 1;
  const end = after.length - behind;
  const same =
    end >= place &&
    before.slice(0, place).every(({ id }, at) => after[at]?.id === id) &&
    before.slice(place + 1).every(({ id }, at) => after[end + at]?.id === id);
  if (!same) throw new CannotSplit();
  return after.slice(place, end);
}
