/**
 * Tries to close a new goal at once, before it waits for its turn: with the cheap automation, and by simplifying it to
 * the end as one would in the head. This looks a few steps ahead where expanding the goal would come much later; it
 * gets a share of the time, not more.
 */
import type { ProofState } from '../../core/proof-state.ts';
import type { StateId, StepResult } from '../../core/prover.ts';
import type { CandidateSource } from '../candidates/candidate-source.ts';
import { finisher, rollOut } from '../candidates/compound-steps.ts';
import { isGuardedStep } from '../candidates/recursion.ts';
import { solve, tacticText, type Tactic } from '../candidates/tactic.ts';
import { asSentence } from '../../provers/rocq/syntax/sentences.ts';
import type { GraphWatch } from './graph-watch.ts';
import type { GoalNode, StepNode } from './proof-graph.ts';
import type { SearchLimits } from './search-limits.ts';
import type { SearchOptions, SearchWorker } from './search-options.ts';

const QUICK_TIMEOUT_MS = 500;
const ROLL_OUT_SHARE = 0.35;
const ROLL_OUT_TIMEOUT_MS = 400;

/** A goal in the state that a step left, where others may stand beside it. */
export interface AmongSiblings {
  readonly node: GoalNode;
  readonly state: StateId;
  /** Its number, from 1; undefined when it stands alone. */
  readonly focus: number | undefined;
}

export class LookAhead {
  readonly #source: CandidateSource;
  readonly #limits: SearchLimits;
  readonly #options: SearchOptions;
  readonly #watch: GraphWatch;
  readonly #atRoot: ProofState;
  /** Told of a step that closes a goal. */
  readonly #solved: (step: StepNode) => void;
  readonly #started = performance.now();
  #rolledOut = 0;

  constructor(of: {
    readonly source: CandidateSource;
    readonly limits: SearchLimits;
    readonly options: SearchOptions;
    readonly watch: GraphWatch;
    readonly atRoot: ProofState;
    readonly solved: (step: StepNode) => void;
  }) {
    this.#source = of.source;
    this.#limits = of.limits;
    this.#options = of.options;
    this.#watch = of.watch;
    this.#atRoot = of.atRoot;
    this.#solved = of.solved;
  }

  /** One attempt with all the cheap automation at once, where the goal stands among its siblings. */
  async closeQuickly(worker: SearchWorker, among: AmongSiblings): Promise<void> {
    const { node } = among;
    if (this.#options.without.has('automation')) return;
    const closers = this.#source.finishers(node.view, 'quick').slice(0, 4);
    if (closers.length === 0) return;
    const result = await this.#tryToClose(worker, among, solve(...closers), QUICK_TIMEOUT_MS);
    if (result.status === 'failed')
      for (const closer of closers) node.tried.set(tacticText(closer), { kind: 'failed' });
  }

  /** Simplifies a new goal to the end and sees whether that closes it. */
  async rollOut(worker: SearchWorker, among: AmongSiblings): Promise<void> {
    const { node } = among;
    if (node.solution !== undefined || this.#options.without.has('strategies')) return;
    const total = this.#limits.isDeterministic ? this.#limits.nodes : performance.now() - this.#started;
    if (this.#rolledOut > ROLL_OUT_SHARE * total) return;
    const tactic = rollOut(finisher(this.#source.finishers(node.view, 'quick')), this.#source.splits);
    const key = tacticText(tactic);
    if (node.tried.has(key)) return;
    node.tried.set(key, { kind: 'failed' });
    const result = await this.#tryToClose(worker, among, tactic, ROLL_OUT_TIMEOUT_MS);
    this.#rolledOut += this.#limits.isDeterministic ? 1 : result.elapsedMs;
  }

  /** Runs a tactic that closes a goal or fails, where the goal stands among its siblings; notes what it solved. */
  async #tryToClose(
    worker: SearchWorker,
    { node, state, focus }: AmongSiblings,
    tactic: Tactic,
    timeoutMs: number,
  ): Promise<StepResult> {
    const result = await worker.session.run(
      state,
      asSentence(`${focus === undefined ? '' : `${focus}: `}(${tacticText(tactic)}).`),
      {
        timeoutMs: this.#limits.forStep(timeoutMs),
        withGoals: true,
        signal: this.#options.signal,
      },
    );
    this.#limits.nodes += 1;
    this.#watch.tried(node, 'automation', result.status === 'done');
    if (result.status !== 'done' || !result.proof) return result;
    const { shelved, givenUp } = result.proof;
    if (shelved > this.#atRoot.shelved || givenUp > this.#atRoot.givenUp) return result;
    if (!(await isGuardedStep(worker.session, node.view, result.state, this.#options))) return result;
    this.#solved({ tactics: [tactic], parent: node, children: [] });
    return result;
  }
}
