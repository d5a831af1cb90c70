/**
 * The AND/OR graph of a proof search. A goal node is one or more goals that must be solved together, because they share
 * existential variables; a step node is one tactic on it, whose children must all be solved. Equal goals are one node,
 * so what is solved once is solved everywhere, and what failed once is not tried again.
 */
import { QuodError } from '../../core/errors.ts';
import type { Goal } from '../../core/proof-state.ts';
import { appendAll } from '../../core/lists/many.ts';
import type { StoredStep } from '../../retrieval/lexical/step-memory.ts';
import { goalKey, viewGoal, type GoalView } from '../../provers/rocq/goals/goal-view.ts';
import type { Tactic } from '../candidates/tactic.ts';
import type { TacticTree } from '../candidates/tactic-tree.ts';

export interface StepNode {
  /** One tactic, sometimes followed by `Unshelve`. */
  readonly tactics: readonly Tactic[];
  readonly parent: GoalNode;
  /** Filled when the step is entered into the graph; empty for a step that closes its goal. */
  readonly children: GoalNode[];
}

/** How to reach a goal node from another: run the tactic, then focus on the child unless it is all that is left. */
export interface Arrival {
  readonly step: StepNode;
  /** The number of the goal to focus on, from 1, or undefined when the step's result is the node as it stands. */
  readonly focus: number | undefined;
}

export interface GoalNode {
  readonly id: number;
  readonly key: string;
  readonly goals: readonly Goal[];
  /** The first goal, on which tactics act. */
  readonly view: GoalView;
  /** How the node was reached first; undefined for the root. Replaying along arrivals leads to the node. */
  readonly arrival: Arrival | undefined;
  /** Cost of the cheapest known way from the root. */
  cost: number;
  readonly parents: StepNode[];
  /** Steps on it that left goals. */
  readonly steps: StepNode[];
  /** Earlier steps that followed on the ones that led here. */
  readonly following: StoredStep[];
  /** What became of each tactic, by text. */
  readonly tried: Map<string, TriedTactic>;
  solution: StepNode | undefined;
}

/** `slow` remembers the time that was not enough. */
export type TriedTactic =
  | { readonly kind: 'failed' }
  | { readonly kind: 'step' }
  | { readonly kind: 'slow'; readonly timeoutMs: number };

export class ProofGraph {
  readonly root: GoalNode;
  readonly #byKey = new Map<string, GoalNode>();
  #count = 0;

  readonly #sharing: boolean;

  /** Without `sharing` equal goals stay apart. */
  constructor(goals: readonly Goal[], sharing = true) {
    this.#sharing = sharing;
    this.root = this.#create(goals, undefined, 0);
  }

  /** Finds the node of these goals or makes it; `isNew` tells which. */
  nodeFor(goals: readonly Goal[], arrival: Arrival, cost: number): { node: GoalNode; isNew: boolean } {
    const { step } = arrival;
    if (step.parent.steps.at(-1) !== step) step.parent.steps.push(step);
    const known = this.#sharing ? this.#byKey.get(goalsKey(goals)) : undefined;
    if (known !== undefined) return { node: known, isNew: false };
    return { node: this.#create(goals, arrival, cost), isNew: true };
  }

  #create(goals: readonly Goal[], arrival: Arrival | undefined, cost: number): GoalNode {
    const first = goals[0];
    if (first === undefined) throw new QuodError('internal', 'A goal node needs a goal.');
    const node: GoalNode = {
      id: this.#count,
      key: goalsKey(goals),
      goals,
      view: viewGoal(first),
      arrival,
      cost,
      parents: [],
      steps: [],
      following: [],
      tried: new Map(),
      solution: undefined,
    };
    this.#count += 1;
    this.#byKey.set(node.key, node);
    return node;
  }
}

export function goalsKey(goals: readonly Goal[]): string {
  return goals.map(goalKey).join('\n\n');
}

/** Marks what follows from a step whose children are all solved; answers the steps that still wait for a child. */
export function propagateSolution(step: StepNode): StepNode[] {
  const waiting: StepNode[] = [];
  const pending = [step];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { parent } = next;
    if (parent.solution !== undefined) continue;
    if (next.children.some((child) => child.solution === undefined)) {
      waiting.push(next);
      continue;
    }
    parent.solution = next;
    appendAll(pending, parent.parents);
  }
  return waiting;
}

/** Whether solving this node could still help to solve the root. */
export function isRelevant(node: GoalNode, seen: Set<GoalNode> = new Set()): boolean {
  if (node.solution !== undefined) return false;
  if (node.arrival === undefined) return true;
  if (seen.has(node)) return false;
  seen.add(node);
  return node.parents.some((step) => isRelevant(step.parent, seen));
}

/** Whether `goals` is `node` or one of the nodes on the way to it: a step that leads there goes in a circle. */
export function isAncestorKey(node: GoalNode, key: string): boolean {
  for (let at: GoalNode | undefined = node; at !== undefined; at = at.arrival?.step.parent)
    if (at.key === key) return true;
  return false;
}

/** The solution below a solved node. Finite, because a solution is set only after those of its children. */
export function solutionOf(node: GoalNode): TacticTree {
  const step = node.solution;
  if (step === undefined) throw new QuodError('internal', 'The node has no solution.');
  return { tactics: step.tactics, children: step.children.map(solutionOf) };
}
