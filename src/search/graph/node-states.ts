/** The states of goal nodes in the sessions of the workers: noted where a step was run, replayed where it was not. */
import type { StateId } from '../../core/prover.ts';
import { atom, tacticText, type Tactic } from '../candidates/tactic.ts';
import { asSentence } from '../../provers/rocq/syntax/sentences.ts';
import type { GoalNode } from './proof-graph.ts';
import type { SearchLimits } from './search-limits.ts';
import type { SearchWorker } from './search-options.ts';

const REPLAY_TIMEOUT_MS = 20_000;

/** Brings goals back that a step put on the shelf; it stands for all goals, not the first. */
export const UNSHELVE = atom('Unshelve');

export function isUnshelve(tactic: Tactic): boolean {
  return tacticText(tactic) === tacticText(UNSHELVE);
}

export class NodeStates {
  readonly #states: Map<SearchWorker, Map<number, StateId>>;
  readonly #limits: SearchLimits;
  readonly #signal: AbortSignal;

  constructor(
    workers: readonly SearchWorker[],
    root: GoalNode,
    { limits, signal }: { readonly limits: SearchLimits; readonly signal: AbortSignal },
  ) {
    this.#states = new Map(workers.map((worker) => [worker, new Map([[root.id, worker.root]])]));
    this.#limits = limits;
    this.#signal = signal;
  }

  note(worker: SearchWorker, node: GoalNode, state: StateId): void {
    this.#states.get(worker)?.set(node.id, state);
  }

  /** The state of a node in a worker's session, replaying its way from the nearest known state. */
  async reach(worker: SearchWorker, node: GoalNode): Promise<StateId | undefined> {
    const states = this.#states.get(worker);
    const known = states?.get(node.id);
    if (known !== undefined) return known;
    const { arrival } = node;
    if (states === undefined || arrival === undefined) return undefined;
    let state = await this.reach(worker, arrival.step.parent);
    if (state === undefined) return undefined;
    const sentences = arrival.step.tactics.map((tactic) => sentenceFor(arrival.step.parent, tactic));
    if (arrival.focus !== undefined) sentences.push(`${arrival.focus}: {`);
    for (const sentence of sentences) {
      const result = await worker.session.run(state, asSentence(sentence), {
        timeoutMs: this.#limits.forStep(REPLAY_TIMEOUT_MS),
        signal: this.#signal,
        expected: true,
      });
      if (result.status !== 'done') return undefined;
      state = result.state;
    }
    states.set(node.id, state);
    return state;
  }
}

/** The sentence that runs a tactic on the first goal of a node. */
export function sentenceFor(node: GoalNode, tactic: Tactic): string {
  const text = tacticText(tactic);
  return isUnshelve(tactic) || node.goals.length === 1 ? `${text}.` : `1: ${text}.`;
}
