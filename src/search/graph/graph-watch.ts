/** What somebody who watches a search is told while its graph grows. Watching changes nothing of the search. */
import { orNothing } from '../../core/entry.ts';
import { appendAll } from '../../core/lists/many.ts';
import type { Ingredient } from '../candidates/candidate.ts';
import { tacticText, type Tactic } from '../candidates/tactic.ts';
import type { GoalNode, StepNode } from './proof-graph.ts';

export type GraphNews =
  /** Goals that were not in the graph before. `parent`: null at the root. */
  | {
      readonly kind: 'goal';
      readonly id: number;
      readonly parent: number | null;
      /** What led here from the parent; empty at the root. */
      readonly tactic: string;
      readonly ingredient: Ingredient | null;
      /** How many goals must be solved together. */
      readonly goals: number;
      /** The conclusion of the first, cut where it is long. */
      readonly conclusion: string;
    }
  /** A tactic that leaves goals, in their order; some may have been in the graph before. */
  | {
      readonly kind: 'step';
      readonly id: number;
      readonly tactic: string;
      readonly children: readonly number[];
    }
  | {
      readonly kind: 'solved';
      readonly id: number;
      readonly tactic: string;
      /** The goals that the tactic leaves, all of them solved. */
      readonly children: readonly number[];
    }
  /** The goal cannot be reached or worked on any more. */
  | { readonly kind: 'dead'; readonly id: number }
  | {
      readonly kind: 'tried';
      readonly id: number;
      readonly ingredient: Ingredient;
      readonly worked: boolean;
    };

const LONGEST_CONCLUSION = 300;

export class GraphWatch {
  readonly #tell: ((news: GraphNews) => void) | undefined;
  readonly #solved = new Set<GoalNode>();

  constructor(tell: ((news: GraphNews) => void) | undefined) {
    this.#tell = tell;
  }

  goal(
    node: GoalNode,
    from: { readonly tactics: readonly Tactic[]; readonly ingredient: Ingredient } | null,
  ): void {
    const conclusion = orNothing(node.goals[0]?.conclusion);
    this.#tell?.({
      kind: 'goal',
      id: node.id,
      parent: node.arrival?.step.parent.id ?? null,
      tactic: from === null ? '' : textOf(from.tactics),
      ingredient: from?.ingredient ?? null,
      goals: node.goals.length,
      conclusion:
        conclusion.length > LONGEST_CONCLUSION ? `${conclusion.slice(0, LONGEST_CONCLUSION)}…` : conclusion,
    });
  }

  /** To be told when the goals that it leaves were. */
  step({ parent, tactics, children }: StepNode): void {
    if (children.length === 0) return;
    this.#tell?.({
      kind: 'step',
      id: parent.id,
      tactic: textOf(tactics),
      children: children.map(({ id }) => id),
    });
  }

  tried(node: GoalNode, ingredient: Ingredient, worked: boolean): void {
    this.#tell?.({ kind: 'tried', id: node.id, ingredient, worked });
  }

  dead(node: GoalNode): void {
    this.#tell?.({ kind: 'dead', id: node.id });
  }

  /** Tells of every goal that is solved since a step was. */
  solvedFrom(step: StepNode): void {
    if (this.#tell === undefined) return;
    const pending = [step.parent];
    for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
      const { solution } = node;
      if (solution === undefined || this.#solved.has(node)) continue;
      this.#solved.add(node);
      const children = solution.children.map(({ id }) => id);
      this.#tell({ kind: 'solved', id: node.id, tactic: textOf(solution.tactics), children });
      appendAll(
        pending,
        node.parents.map(({ parent }) => parent),
      );
    }
  }
}

function textOf(tactics: readonly Tactic[]): string {
  return tactics.map(tacticText).join('. ');
}
