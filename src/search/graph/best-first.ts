/**
 * Best-first search over real proof states: an AND/OR graph of goals, lazily ordered candidates, a portfolio of
 * configurations that share the graph, and one prover session a worker. Anytime; with a budget of nodes instead of
 * time nothing depends on the clock: the limits of single steps are then those of steady-session.ts.
 */
import type { Goal, ProofState } from '../../core/proof-state.ts';
import type { ProverSession, StateId, StepResult } from '../../core/prover.ts';
import type { ReasonCode } from '../../core/reason.ts';
import type { Candidate, Ingredient, Knowledge } from '../candidates/candidate.ts';
import { CandidateSource } from '../candidates/candidate-source.ts';
import type { Definitions } from '../candidates/definitions.ts';
import { existentials, termSize } from '../../provers/rocq/goals/goal-view.ts';
import type { LemmaMemory } from '../../retrieval/lexical/lemma-memory.ts';
import { ALONE, PORTFOLIO, type Configuration } from '../candidates/portfolio.ts';
import { PriorityQueue } from './priority-queue.ts';
import {
  isAncestorKey,
  isRelevant,
  keyOf,
  ProofGraph,
  propagateSolution,
  solutionOf,
  type GoalNode,
  type StepNode,
} from './proof-graph.ts';
import { isGuarded, mayRecur } from '../candidates/recursion.ts';
import { finisher, rollOut } from '../candidates/strategies.ts';
import type { ScriptTree } from '../../provers/rocq/syntax/script-tree.ts';
import { written } from '../../provers/rocq/syntax/sentences.ts';

/** A session that stands at the hole. */
export interface SearchWorker {
  readonly session: ProverSession;
  /** The state in which the goals of the hole are in focus. */
  readonly root: StateId;
}

export interface SearchOptions {
  readonly deadline: number | undefined;
  readonly nodes: number | undefined;
  readonly seed: number;
  readonly without: ReadonlySet<Ingredient>;
  /** Hypotheses that stand for the theorem itself (see recursion.ts). */
  readonly recursive: ReadonlySet<string>;
  readonly signal: AbortSignal;
  readonly onProgress: (nodes: number, bestGoalCount: number) => void;
}

export type SearchResult =
  | { readonly kind: 'found'; readonly script: ScriptTree; readonly nodes: number }
  | {
      readonly kind: 'not-found';
      readonly reason: ReasonCode;
      readonly message: string;
      readonly nodes: number;
      readonly bestGoalCount: number;
    };

interface Entry {
  readonly node: GoalNode;
  /** Index into the configuration's list of candidates. */
  readonly next: number;
}

interface Lane {
  readonly configuration: Configuration;
  readonly queue: PriorityQueue<Entry>;
  spent: number;
}

const BATCH = 10;
const MINIMUM_BATCH = 3;
const SLACK = 0.8;
/** A step that ran out of time is put back once with this much more time and cost. */
const SECOND_CHANCE = { factor: 8, cost: 3 };
const REPLAY_TIMEOUT_MS = 20_000;
const QUICK_TIMEOUT_MS = 500;
/** Added to the cost of a goal for each sibling that has to be solved too. */
const SIBLING_COST = 0.7;
const USES_INDUCTION_HYPOTHESIS = /^(?:rewrite|e?apply)\b[^;]*\bIH/u;
const INDUCTION_HYPOTHESIS_BONUS = 1.5;
/** An unfolded recursive function can seldom be worked with. */
const BARE_FIXPOINT = /\bfix\s/u;
const BARE_FIXPOINT_COST = 3;
const ROLL_OUT_SHARE = 0.35;
const ROLL_OUT_TIMEOUT_MS = 400;

export class BestFirstSearch {
  readonly #workers: readonly SearchWorker[];
  readonly #source: CandidateSource;
  readonly #definitions: Definitions;
  readonly #lemmas: LemmaMemory;
  readonly #pace: number;
  readonly #options: SearchOptions;
  readonly #graph: ProofGraph;
  readonly #shelvedAtRoot: number;
  readonly #givenUpAtRoot: number;
  readonly #lanes: Lane[];
  readonly #states: Map<SearchWorker, Map<number, StateId>>;
  readonly #hopeless = new Set<GoalNode>();
  readonly #queued = new Set<GoalNode>();
  readonly #started = performance.now();
  #nodes = 0;
  #rolledOut = 0;
  #bestGoalCount: number;
  #failure: { reason: ReasonCode; message: string } | undefined;

  constructor(
    workers: readonly SearchWorker[],
    proof: ProofState,
    knowledge: Knowledge,
    options: SearchOptions,
  ) {
    this.#workers = workers;
    this.#definitions = knowledge.definitions;
    this.#lemmas = knowledge.lemmas;
    this.#pace = knowledge.pace;
    this.#source = new CandidateSource(knowledge, {
      without: options.without,
      seed: options.seed,
      learns: options.nodes === undefined,
    });
    this.#options = options;
    this.#graph = new ProofGraph(proof.goals, !options.without.has('sharing'));
    this.#shelvedAtRoot = proof.shelved;
    this.#givenUpAtRoot = proof.givenUp;
    this.#bestGoalCount = proof.goals.length;
    const configurations = options.without.has('portfolio') ? ALONE : PORTFOLIO;
    this.#lanes = configurations.map((configuration) => ({
      configuration,
      queue: new PriorityQueue(),
      spent: 0,
    }));
    this.#states = new Map(workers.map((worker) => [worker, new Map([[this.#graph.root.id, worker.root]])]));
  }

  get #deterministic(): boolean {
    return this.#options.nodes !== undefined;
  }

  async run(): Promise<SearchResult> {
    const { root } = this.#graph;
    const first = this.#workers[0];
    if (first !== undefined && root.goals.length === 1)
      await this.#closeQuickly(first, root, first.root, undefined);
    this.#enqueue(root);
    await Promise.all(this.#workers.map((worker) => this.#work(worker)));
    if (root.solution !== undefined) return { kind: 'found', script: solutionOf(root), nodes: this.#nodes };
    const { reason, message } = this.#failure ??
      this.#stopReason() ?? {
        reason: 'search-exhausted' as const,
        message: 'Everything that the search knows was tried.',
      };
    return { kind: 'not-found', reason, message, nodes: this.#nodes, bestGoalCount: this.#bestGoalCount };
  }

  #stopReason(): { reason: ReasonCode; message: string } | undefined {
    const { signal, deadline, nodes } = this.#options;
    if (signal.aborted) return { reason: 'interrupted', message: 'The search was interrupted.' };
    if (deadline !== undefined && performance.now() >= deadline)
      return { reason: 'budget-exhausted', message: 'No proof was found in the time given.' };
    if (nodes !== undefined && this.#nodes >= nodes)
      return { reason: 'budget-exhausted', message: 'No proof was found within the number of nodes given.' };
    return undefined;
  }

  #over(): boolean {
    return (
      this.#graph.root.solution !== undefined ||
      this.#failure !== undefined ||
      this.#stopReason() !== undefined
    );
  }

  #busy = 0;

  async #work(worker: SearchWorker): Promise<void> {
    while (!this.#over()) {
      if (this.#source.renew()) this.#beginAgain();
      const next = this.#pop();
      if (next === undefined) {
        // Another worker may still bring new goals, and the libraries more to try on those there are.
        if (this.#busy === 0 && !this.#lemmas.growing) return;
        await new Promise((resolve) => setTimeout(resolve, 5));
        continue;
      }
      this.#busy += 1;
      const started = performance.now();
      const before = this.#nodes;
      try {
        await this.#expand(worker, next.lane, next.entry);
      } finally {
        this.#busy -= 1;
        const effort = this.#deterministic ? this.#nodes - before + 1 : performance.now() - started;
        next.lane.spent += effort / next.lane.configuration.weight;
        this.#options.onProgress(this.#nodes, this.#bestGoalCount);
      }
    }
  }

  #pop(): { lane: Lane; entry: Entry } | undefined {
    const lanes = this.#lanes
      .filter((lane) => lane.queue.size > 0)
      .sort((left, right) => left.spent - right.spent);
    for (const lane of lanes) {
      for (let entry = lane.queue.pop(); entry !== undefined; entry = lane.queue.pop())
        if (!this.#hopeless.has(entry.node) && isRelevant(entry.node)) return { lane, entry };
    }
    return undefined;
  }

  async #expand(worker: SearchWorker, lane: Lane, entry: Entry): Promise<void> {
    const { node } = entry;
    const state = await this.#reach(worker, node);
    if (state === undefined) {
      this.#hopeless.add(node);
      return;
    }
    if (entry.next === 0) await this.#definitions.learn(worker.session, state, node.view);
    const order = this.#source.orderFor(lane.configuration, node);
    let next = entry.next;
    for (let tries = 0; next < order.length && tries < BATCH; next += 1) {
      const candidate = order[next];
      if (candidate === undefined) break;
      if (tries >= MINIMUM_BATCH && this.#priority(lane, node, candidate) > lane.queue.nextPriority + SLACK)
        break;
      if (!mayTry(node, candidate)) continue;
      if (this.#source.putsOff(node, candidate, performance.now() - this.#started)) continue;
      tries += 1;
      await this.#try(worker, node, state, candidate);
      if (node.solution !== undefined || this.#over() || !isRelevant(node)) return;
    }
    const following = order[next];
    if (following !== undefined) lane.queue.push({ node, next }, this.#priority(lane, node, following));
  }

  #priority(lane: Lane, node: GoalNode, candidate: Candidate): number {
    return lane.configuration.caution * node.cost + candidate.cost;
  }

  #enqueue(node: GoalNode): void {
    this.#queued.add(node);
    // Candidates are made when the node is first expanded: most never are.
    for (const lane of this.#lanes)
      lane.queue.push({ node, next: 0 }, lane.configuration.caution * node.cost + difficulty(node));
  }

  /** Looks at every goal anew, since more is known now; what was tried is not tried again. */
  #beginAgain(): void {
    for (const { queue } of this.#lanes) queue.clear();
    for (const node of this.#queued) this.#enqueue(node);
  }

  async #try(worker: SearchWorker, node: GoalNode, state: StateId, candidate: Candidate): Promise<void> {
    const { tactic } = candidate;
    node.tried.set(bare(tactic), { kind: 'failed' });
    const timeoutMs = this.#limit(candidate.timeoutMs);
    const result = await worker.session.run(state, written(sentenceFor(node, tactic)), {
      timeoutMs,
      withGoals: true,
      signal: this.#options.signal,
    });
    this.#nodes += 1;
    this.#source.note(candidate, result.status === 'done', result.elapsedMs);
    if (result.status === 'unknown') {
      if (result.reason === 'timeout') this.#giveSecondChance(node, candidate);
      else if (
        result.reason !== 'memory-exceeded' &&
        result.reason !== 'interrupted' &&
        result.reason !== 'prover-crashed'
      )
        this.#failure = { reason: result.reason, message: result.message };
      return;
    }
    if (result.status === 'failed' || !result.proof) return;
    if (!(await this.#isGuarded(worker, node, result.state))) return;
    await this.#enter(worker, node, candidate, [tactic], result.state, result.proof);
  }

  async #isGuarded({ session }: SearchWorker, node: GoalNode, state: StateId): Promise<boolean> {
    const { recursive, signal } = this.#options;
    return !mayRecur(node.view, recursive) || (await isGuarded(session, state, signal));
  }

  #limit(timeoutMs: number): number {
    // The session of a run that can be repeated has limits of its own.
    if (this.#deterministic) return timeoutMs;
    const { deadline } = this.#options;
    const limit = timeoutMs * this.#pace;
    return deadline === undefined ? limit : Math.max(20, Math.min(limit, deadline - performance.now()));
  }

  #giveSecondChance(node: GoalNode, candidate: Candidate): void {
    node.tried.set(bare(candidate.tactic), { kind: 'slow', timeoutMs: candidate.timeoutMs });
    if (candidate.closing === true || candidate.timeoutMs > 2000) return;
    this.#source.postpone(node, {
      ...candidate,
      timeoutMs: candidate.timeoutMs * SECOND_CHANCE.factor,
      cost: candidate.cost + SECOND_CHANCE.cost,
    });
  }

  /** Puts a step that succeeded into the graph and tries to close at once what it leaves. */
  async #enter(
    worker: SearchWorker,
    node: GoalNode,
    candidate: Candidate,
    sentences: readonly string[],
    state: StateId,
    proof: ProofState,
  ): Promise<void> {
    if (proof.givenUp > this.#givenUpAtRoot) return;
    if (proof.goals.length === 0 && proof.shelved > this.#shelvedAtRoot) {
      if (sentences.at(-1) === 'Unshelve') return;
      const result = await worker.session.run(state, written('Unshelve.'), {
        timeoutMs: this.#limit(2000),
        withGoals: true,
      });
      if (result.status === 'done' && result.proof && result.proof.goals.length > 0)
        await this.#enter(worker, node, candidate, [...sentences, 'Unshelve'], result.state, result.proof);
      return;
    }
    const components = independent(proof.goals);
    if (components.some((goals) => isAncestorKey(node, keyOf(goals)))) return;
    const total = proof.goals.length + proof.unfocused.reduce((sum, count) => sum + count, 0);
    this.#bestGoalCount = Math.min(this.#bestGoalCount, total);
    const step: StepNode = { sentences, parent: node, children: [] };
    const created: { child: GoalNode; focus: number | undefined }[] = [];
    const childCost = node.cost + stepCost(node, candidate, proof.goals);
    components.forEach((goals, index) => {
      const focus = components.length === 1 ? undefined : index + 1;
      const { node: child, isNew } = this.#graph.nodeFor(goals, { step, focus }, childCost);
      child.parents.push(step);
      step.children.push(child);
      if (index === 0 && candidate.source?.next !== undefined) child.following.push(candidate.source.next);
      if (isNew) {
        created.push({ child, focus });
        if (focus === undefined) this.#states.get(worker)?.set(child.id, state);
      } else if (childCost < child.cost - 0.5) {
        child.cost = childCost;
        this.#queued.delete(child);
      }
    });
    node.tried.set(bare(sentences[0] ?? ''), { kind: 'step' });
    this.#solved(step);
    for (const { child, focus } of created) {
      if (this.#over() || !isRelevant(node)) return;
      if (child.goals.length > 1) continue;
      await this.#closeQuickly(worker, child, state, focus);
      await this.#rollOut(worker, child, state, focus);
    }
    this.#proceed(step);
  }

  /** Of the goals that a step left, the hardest goes first: when it cannot be solved, the others need not be. */
  #proceed(step: StepNode): void {
    const open = step.children.filter((child) => child.solution === undefined);
    const [hardest] = open.sort((left, right) => difficulty(right) - difficulty(left) || left.id - right.id);
    if (hardest === undefined || this.#queued.has(hardest)) return;
    hardest.cost += SIBLING_COST * (open.length - 1);
    this.#enqueue(hardest);
  }

  #solved(step: StepNode): void {
    for (const waiting of propagateSolution(step)) if (waiting !== step) this.#proceed(waiting);
  }

  /** One attempt with all the cheap automation at once, where the goal stands among its siblings. */
  async #closeQuickly(
    worker: SearchWorker,
    node: GoalNode,
    state: StateId,
    focus: number | undefined,
  ): Promise<void> {
    if (this.#options.without.has('automation')) return;
    const closers = this.#source.finishers(node.view, 'quick').slice(0, 4);
    if (closers.length === 0) return;
    const tactic = `solve [${closers.join(' | ')}]`;
    const result = await this.#tryToClose(worker, node, state, focus, tactic, QUICK_TIMEOUT_MS);
    if (result.status === 'failed') for (const closer of closers) node.tried.set(closer, { kind: 'failed' });
  }

  /**
   * Simplifies a new goal to the end, as one would in the head, and sees whether that closes it. This looks a few steps
   * ahead where expanding the node would come much later; it gets a share of the time, not more.
   */
  async #rollOut(
    worker: SearchWorker,
    node: GoalNode,
    state: StateId,
    focus: number | undefined,
  ): Promise<void> {
    if (node.solution !== undefined || this.#options.without.has('strategies')) return;
    const total = this.#deterministic ? this.#nodes : performance.now() - this.#started;
    if (this.#rolledOut > ROLL_OUT_SHARE * total) return;
    const tactic = rollOut(finisher(this.#source.finishers(node.view, 'quick')));
    if (node.tried.has(tactic)) return;
    node.tried.set(tactic, { kind: 'failed' });
    const result = await this.#tryToClose(worker, node, state, focus, tactic, ROLL_OUT_TIMEOUT_MS);
    this.#rolledOut += this.#deterministic ? 1 : result.elapsedMs;
  }

  /** Runs a tactic that closes a goal or fails, where the goal stands among its siblings; notes what it solved. */
  async #tryToClose(
    worker: SearchWorker,
    node: GoalNode,
    state: StateId,
    focus: number | undefined,
    tactic: string,
    timeoutMs: number,
  ): Promise<StepResult> {
    const result = await worker.session.run(
      state,
      written(`${focus === undefined ? '' : `${focus}: `}(${tactic}).`),
      {
        timeoutMs: this.#limit(timeoutMs),
        withGoals: true,
        signal: this.#options.signal,
      },
    );
    this.#nodes += 1;
    if (result.status !== 'done' || !result.proof) return result;
    const { shelved, givenUp } = result.proof;
    if (shelved > this.#shelvedAtRoot || givenUp > this.#givenUpAtRoot) return result;
    if (!(await this.#isGuarded(worker, node, result.state))) return result;
    this.#solved({ sentences: [tactic], parent: node, children: [] });
    return result;
  }

  /** The state of a node in a worker's session, replaying its way from the nearest known state. */
  async #reach(worker: SearchWorker, node: GoalNode): Promise<StateId | undefined> {
    const states = this.#states.get(worker);
    const known = states?.get(node.id);
    if (known !== undefined) return known;
    const { arrival } = node;
    if (states === undefined || arrival === undefined) return undefined;
    let state = await this.#reach(worker, arrival.step.parent);
    if (state === undefined) return undefined;
    const sentences = arrival.step.sentences.map((text) => sentenceFor(arrival.step.parent, text));
    if (arrival.focus !== undefined) sentences.push(`${arrival.focus}: {`);
    for (const sentence of sentences) {
      const result = await worker.session.run(state, written(sentence), {
        timeoutMs: REPLAY_TIMEOUT_MS,
        signal: this.#options.signal,
      });
      if (result.status !== 'done') return undefined;
      state = result.state;
    }
    states.set(node.id, state);
    return state;
  }
}

function sentenceFor(node: GoalNode, tactic: string): string {
  return tactic === 'Unshelve' || node.goals.length === 1 ? `${tactic}.` : `1: ${tactic}.`;
}

function mayTry(node: GoalNode, candidate: Candidate): boolean {
  const tried = node.tried.get(bare(candidate.tactic));
  if (tried === undefined) return true;
  return tried.kind === 'slow' && tried.timeoutMs < candidate.timeoutMs;
}

/** `solve [t]` fares as `t` does: a closer that fails under one name is not tried under the other. */
function bare(tactic: string): string {
  const inner = /^solve \[([^|[\]]*)\]$/u.exec(tactic)?.[1];
  return inner ?? tactic;
}

/** What a step that succeeded adds to the cost of the goals it left, now that these are known. */
function stepCost(node: GoalNode, { tactic, cost }: Candidate, left: readonly Goal[]): number {
  // The goal for which the induction was made.
  if (USES_INDUCTION_HYPOTHESIS.test(tactic)) return Math.max(0, cost - INDUCTION_HYPOTHESIS_BONUS);
  const exposed =
    BARE_FIXPOINT.test(left[0]?.conclusion ?? '') && !BARE_FIXPOINT.test(node.view.goal.conclusion);
  return exposed ? cost + BARE_FIXPOINT_COST : cost;
}

/** Goals that share existential variables stay together; when none do, each is on its own. */
function independent(goals: readonly Goal[]): Goal[][] {
  if (goals.length === 0) return [];
  const owner = new Map<string, number>();
  for (const [index, goal] of goals.entries())
    for (const name of existentials(goal)) {
      const other = owner.get(name);
      if (other !== undefined && other !== index) return [[...goals]];
      owner.set(name, index);
    }
  return goals.map((goal) => [goal]);
}

/** A first guess at what the first step on a goal costs, before its candidates are made. */
function difficulty(node: GoalNode): number {
  return 0.15 * Math.log2(1 + termSize(node.view.conclusion)) + 0.3 * (node.goals.length - 1);
}
