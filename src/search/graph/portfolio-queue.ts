/**
 * The goals that wait, in one queue for each configuration of the portfolio. The configuration that had least of
 * its share of the work takes the next goal, so that all of them get on side by side.
 */
import type { Configuration } from './portfolio.ts';
import { PriorityQueue } from './priority-queue.ts';
import type { GoalNode } from './proof-graph.ts';

/** A goal that waits for a configuration. */
export interface WaitingGoal {
  readonly node: GoalNode;
  /** Index into the configuration's list of candidates. */
  readonly next: number;
}

export class ConfigurationQueue {
  readonly configuration: Configuration;
  readonly #queue = new PriorityQueue<WaitingGoal>();
  #spent = 0;

  constructor(configuration: Configuration) {
    this.configuration = configuration;
  }

  /** Work in proportion to the share that the configuration is to have. */
  get spent(): number {
    return this.#spent;
  }

  get size(): number {
    return this.#queue.size;
  }

  /** The priority of the goal that comes next, or infinity. */
  get nextPriority(): number {
    return this.#queue.nextPriority;
  }

  /** How soon a step of that cost on the goal is to be taken: the smaller the sooner. */
  priority(node: GoalNode, cost: number): number {
    return this.configuration.caution * node.cost + cost;
  }

  push(goal: WaitingGoal, cost: number): void {
    this.#queue.push(goal, this.priority(goal.node, cost));
  }

  pop(): WaitingGoal | undefined {
    return this.#queue.pop();
  }

  clear(): void {
    this.#queue.clear();
  }

  spend(effort: number): void {
    this.#spent += effort / this.configuration.weight;
  }
}

export class PortfolioQueue {
  readonly #queues: readonly ConfigurationQueue[];

  constructor(configurations: readonly Configuration[]) {
    this.#queues = configurations.map((configuration) => new ConfigurationQueue(configuration));
  }

  /** Lets a goal wait for every configuration; `cost` is a guess at its first step's. */
  push(node: GoalNode, cost: number): void {
    for (const queue of this.#queues) queue.push({ node, next: 0 }, cost);
  }

  /** The next goal that is still wanted, and whose turn it is; those that are not are dropped. */
  pop(isWanted: (node: GoalNode) => boolean): { queue: ConfigurationQueue; goal: WaitingGoal } | undefined {
    const queues = this.#queues
      .filter(({ size }) => size > 0)
      .sort((left, right) => left.spent - right.spent);
    for (const queue of queues)
      for (let goal = queue.pop(); goal !== undefined; goal = queue.pop())
        if (isWanted(goal.node)) return { queue, goal };
    return undefined;
  }

  clear(): void {
    for (const queue of this.#queues) queue.clear();
  }
}
