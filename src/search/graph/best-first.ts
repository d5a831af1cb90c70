/**
 * Best-first search over real proof states: an AND/OR graph of goals, lazily ordered candidates, a portfolio of
 * configurations that share the graph, and one prover session a worker. Anytime; with a budget of nodes instead of
 * time nothing depends on the clock: the limits of single steps are then those of steady-session.ts.
 */
import type { Goal, ProofState } from '../../core/proof-state.ts';
import type { StateId } from '../../core/prover.ts';
import type { LemmaMemory } from '../../retrieval/lexical/lemma-similarity.ts';
import { attemptKey } from '../candidates/authored-tactic.ts';
import type { Candidate, Knowledge } from '../candidates/candidate.ts';
import { CandidateSource } from '../candidates/candidate-source.ts';
import type { Costs } from '../candidates/costs.ts';
import type { Definitions } from '../libraries/definitions.ts';
import { ALONE, PORTFOLIO } from './portfolio.ts';
import { PortfolioQueue, type ConfigurationQueue, type WaitingGoal } from './portfolio-queue.ts';
import type { Tactic } from '../candidates/tactic.ts';
import type { TacticTree } from '../candidates/tactic-tree.ts';
import { asSentence } from '../../provers/rocq/syntax/sentences.ts';
import { adviceFor } from './advised-goals.ts';
import { bestState } from './best-state.ts';
import { difficulty, stepCost } from './goal-cost.ts';
import { GraphWatch } from './graph-watch.ts';
import { independentGoals } from './independent-goals.ts';
import { isGuardedStep } from '../candidates/recursion.ts';
import { LookAhead } from './look-ahead.ts';
import { isUnshelve, NodeStates, sentenceFor, UNSHELVE } from './node-states.ts';
import {
  isAncestorKey,
  isRelevant,
  goalsKey,
  ProofGraph,
  propagateSolution,
  solutionOf,
  type GoalNode,
  type StepNode,
} from './proof-graph.ts';
import { SearchLimits } from './search-limits.ts';
import type { SearchOptions, SearchResult, SearchWorker, StopReason } from './search-options.ts';

const BATCH = 10;
const MINIMUM_BATCH = 3;
const SLACK = 0.8;
/** A step that ran out of time is put back once with this much more time. */
const SECOND_CHANCE_FACTOR = 8;

/** A step that was run on a goal, with what it left. */
interface RunStep {
  readonly node: GoalNode;
  readonly tactics: readonly Tactic[];
  readonly state: StateId;
  readonly proof: ProofState;
}

export class BestFirstSearch {
  readonly #workers: readonly SearchWorker[];
  readonly #source: CandidateSource;
  readonly #definitions: Definitions;
  readonly #lemmas: LemmaMemory;
  readonly #limits: SearchLimits;
  readonly #costs: Costs;
  readonly #options: SearchOptions;
  readonly #graph: ProofGraph;
  readonly #atRoot: ProofState;
  readonly #waiting: PortfolioQueue;
  readonly #states: NodeStates;
  readonly #watch: GraphWatch;
  readonly #lookAhead: LookAhead;
  readonly #hopeless = new Set<GoalNode>();
  readonly #queued = new Set<GoalNode>();
  readonly #started = performance.now();
  /** Aborted when a worker finds that the search is over. */
  readonly #ended = new AbortController();
  /** Workers that have a goal in hand. */
  #busy = 0;
  #bestGoalCount: number;
  #failure: StopReason | undefined;

  constructor(
    workers: readonly SearchWorker[],
    proof: ProofState,
    knowledge: Knowledge,
    options: SearchOptions,
  ) {
    this.#workers = workers;
    this.#definitions = knowledge.definitions;
    this.#lemmas = knowledge.lemmas;
    this.#limits = new SearchLimits(options, knowledge.pace);
    this.#costs = knowledge.costs;
    this.#source = new CandidateSource(knowledge, {
      without: options.without,
      seed: options.seed,
      learns: options.nodes === undefined,
    });
    this.#options = options;
    this.#graph = new ProofGraph(proof.goals, !options.without.has('sharing'));
    this.#atRoot = proof;
    this.#bestGoalCount = proof.goals.length;
    this.#waiting = new PortfolioQueue(options.without.has('portfolio') ? ALONE : PORTFOLIO);
    this.#states = new NodeStates(workers, this.#graph.root, {
      ...{ limits: this.#limits, signal: options.signal },
    });
    this.#watch = new GraphWatch(options.onGraph);
    this.#watch.goal(this.#graph.root, null);
    this.#lookAhead = new LookAhead({
      ...{ source: this.#source, limits: this.#limits, options, watch: this.#watch, atRoot: proof },
      solved: (step) => {
        this.#solved(step);
      },
    });
  }

  async run(): Promise<SearchResult<TacticTree>> {
    const { root } = this.#graph;
    const first = this.#workers[0];
    if (first !== undefined && root.goals.length === 1)
      await this.#lookAhead.closeQuickly(first, { node: root, state: first.root, focus: undefined });
    this.#enqueue(root);
    await Promise.all(this.#workers.map((worker) => this.#work(worker)));
    if (root.solution !== undefined)
      return { kind: 'found', script: solutionOf(root), nodes: this.#limits.nodes };
    const { reason, message } = this.#failure ??
      this.#limits.stopReason() ?? {
        reason: 'search-exhausted' as const,
        message: 'Everything that the search knows was tried.',
      };
    const { restates, withoutIdle } = adviceFor(root.goals);
    const stateBut = (isFalse: (goal: Goal) => boolean): readonly Goal[] =>
      bestState(root, this.#costs, { isFalse, restates });
    const best = stateBut(() => false);
    const behindRoot = (goals: readonly Goal[]): readonly Goal[] => (goals === root.goals ? [] : goals);
    return {
      ...{ kind: 'not-found', reason, message, nodes: this.#limits.nodes },
      bestGoalCount: best.length,
      bestGoals: behindRoot(best),
      bestGoalsBut: (isFalse) => behindRoot(stateBut(isFalse)),
      advised: (goal) => (restates(goal) ? undefined : withoutIdle(goal)),
    };
  }

  #over(): boolean {
    return (
      this.#graph.root.solution !== undefined ||
      this.#failure !== undefined ||
      this.#limits.stopReason() !== undefined
    );
  }

  async #work(worker: SearchWorker): Promise<void> {
    for (;;) {
      if (this.#over()) {
        this.#ended.abort();
        return;
      }
      const { interlude } = this.#options;
      if (interlude?.isDue(this.#limits.nodes) === true) {
        const ended = await interlude.run(this.#ended.signal);
        this.#failure ??= ended;
        continue;
      }
      if (this.#source.renew()) this.#beginAgain();
      const next = this.#waiting.pop((node) => !this.#hopeless.has(node) && isRelevant(node));
      if (next === undefined) {
        // Another worker may still bring new goals, and the libraries more to try on those there are.
        if (this.#busy === 0 && !this.#lemmas.growing) return;
        await new Promise((resolve) => setTimeout(resolve, 5));
        continue;
      }
      this.#busy += 1;
      const started = performance.now();
      const before = this.#limits.nodes;
      try {
        await this.#expand(worker, next.queue, next.goal);
      } finally {
        this.#busy -= 1;
        const effort = this.#limits.isDeterministic
          ? this.#limits.nodes - before + 1
          : performance.now() - started;
        next.queue.spend(effort);
        this.#options.onProgress(this.#limits.nodes, this.#bestGoalCount);
      }
    }
  }

  async #expand(worker: SearchWorker, queue: ConfigurationQueue, goal: WaitingGoal): Promise<void> {
    const { node } = goal;
    const state = await this.#states.reach(worker, node);
    if (state === undefined) {
      this.#hopeless.add(node);
      this.#watch.dead(node);
      return;
    }
    if (this.#over()) return;
    if (goal.next === 0) await this.#definitions.learn(worker.session, state, node.view);
    const order = this.#source.orderFor(queue.configuration, node);
    let next = goal.next;
    for (let tries = 0; next < order.length && tries < BATCH; next += 1) {
      const candidate = order[next];
      if (candidate === undefined) break;
      const isLate = queue.priority(node, candidate.cost) > queue.nextPriority + SLACK;
      if (tries >= MINIMUM_BATCH && isLate) break;
      if (!mayTry(node, candidate)) continue;
      if (this.#source.putsOff(node, candidate, performance.now() - this.#started)) continue;
      tries += 1;
      await this.#try(worker, node, state, candidate);
      if (node.solution !== undefined || this.#over() || !isRelevant(node)) return;
    }
    const following = order[next];
    if (following !== undefined) queue.push({ node, next }, following.cost);
  }

  #enqueue(node: GoalNode): void {
    this.#queued.add(node);
    // Candidates are made when the node is first expanded: most never are.
    this.#waiting.push(node, difficulty(node, this.#costs));
  }

  /** Looks at every goal anew, since more is known now; what was tried is not tried again. */
  #beginAgain(): void {
    this.#waiting.clear();
    for (const node of this.#queued) this.#enqueue(node);
  }

  async #try(worker: SearchWorker, node: GoalNode, state: StateId, candidate: Candidate): Promise<void> {
    const { tactic, text } = candidate;
    node.tried.set(attemptKey(tactic, text), { kind: 'failed' });
    const timeoutMs = this.#limits.forStep(candidate.timeoutMs);
    const result = await worker.session.run(state, asSentence(sentenceFor(node, tactic)), {
      timeoutMs,
      withGoals: true,
      signal: this.#options.signal,
    });
    this.#limits.nodes += 1;
    this.#source.note(candidate, result.status === 'done', result.elapsedMs);
    this.#watch.tried(node, candidate.ingredient, result.status === 'done');
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
    if (!(await isGuardedStep(worker.session, node.view, result.state, this.#options))) return;
    await this.#enter(worker, candidate, {
      node,
      tactics: [tactic],
      state: result.state,
      proof: result.proof,
    });
  }

  #giveSecondChance(node: GoalNode, candidate: Candidate): void {
    node.tried.set(attemptKey(candidate.tactic, candidate.text), {
      kind: 'slow',
      timeoutMs: candidate.timeoutMs,
    });
    if (candidate.closing === true || candidate.timeoutMs > 2000) return;
    this.#source.postpone(node, {
      ...candidate,
      timeoutMs: candidate.timeoutMs * SECOND_CHANCE_FACTOR,
      cost: candidate.cost + this.#costs['candidate.second-chance.more'],
    });
  }

  /** Puts a step that succeeded into the graph and tries to close at once what it leaves. */
  async #enter(
    worker: SearchWorker,
    candidate: Candidate,
    { node, tactics, state, proof }: RunStep,
  ): Promise<void> {
    if (proof.givenUp > this.#atRoot.givenUp) return;
    if (proof.goals.length === 0 && proof.shelved > this.#atRoot.shelved) {
      if (tactics.some(isUnshelve)) return;
      const result = await worker.session.run(state, asSentence(sentenceFor(node, UNSHELVE)), {
        timeoutMs: this.#limits.forStep(2000),
        withGoals: true,
      });
      if (result.status === 'done' && result.proof && result.proof.goals.length > 0)
        await this.#enter(worker, candidate, {
          node,
          tactics: [...tactics, UNSHELVE],
          state: result.state,
          proof: result.proof,
        });
      return;
    }
    const components = independentGoals(proof.goals);
    if (components.some((goals) => isAncestorKey(node, goalsKey(goals)))) return;
    const total = proof.goals.length + proof.unfocused.reduce((sum, count) => sum + count, 0);
    this.#bestGoalCount = Math.min(this.#bestGoalCount, total);
    const step: StepNode = { tactics, parent: node, children: [] };
    const created: { child: GoalNode; focus: number | undefined }[] = [];
    const childCost = node.cost + stepCost(node, candidate, proof.goals, this.#costs);
    components.forEach((goals, index) => {
      const focus = components.length === 1 ? undefined : index + 1;
      const { node: child, isNew } = this.#graph.nodeFor(goals, { step, focus }, childCost);
      child.parents.push(step);
      step.children.push(child);
      if (index === 0 && candidate.source?.next !== undefined) child.following.push(candidate.source.next);
      if (isNew) {
        this.#watch.goal(child, { tactics, ingredient: candidate.ingredient });
        created.push({ child, focus });
        if (focus === undefined) this.#states.note(worker, child, state);
      } else if (childCost < child.cost - this.#costs['goal.cheaper-way.least']) {
        child.cost = childCost;
        this.#queued.delete(child);
      }
    });
    node.tried.set(attemptKey(candidate.tactic, candidate.text), { kind: 'step' });
    this.#watch.step(step);
    this.#solved(step);
    for (const { child, focus } of created) {
      if (this.#over() || !isRelevant(node)) return;
      if (child.goals.length > 1) continue;
      await this.#lookAhead.closeQuickly(worker, { node: child, state, focus });
      await this.#lookAhead.rollOut(worker, { node: child, state, focus });
    }
    this.#proceed(step);
  }

  /** Of the goals that a step left, the hardest goes first: when it cannot be solved, the others need not be. */
  #proceed(step: StepNode): void {
    const open = step.children.filter((child) => child.solution === undefined);
    const [hardest] = open.sort(
      (left, right) => difficulty(right, this.#costs) - difficulty(left, this.#costs) || left.id - right.id,
    );
    if (hardest === undefined || this.#queued.has(hardest)) return;
    hardest.cost += this.#costs['goal.sibling.each'] * (open.length - 1);
    this.#enqueue(hardest);
  }

  #solved(step: StepNode): void {
    const waits = propagateSolution(step);
    this.#watch.solvedFrom(step);
    for (const waiting of waits) if (waiting !== step) this.#proceed(waiting);
  }
}

function mayTry(node: GoalNode, candidate: Candidate): boolean {
  const tried = node.tried.get(attemptKey(candidate.tactic, candidate.text));
  if (tried === undefined) return true;
  return tried.kind === 'slow' && tried.timeoutMs < candidate.timeoutMs;
}
