/** The graph of the search for one theorem as it was told so far. */
import { orZero } from '../../../../../src/core/entry.ts';
import type { JobDetail } from '../../../server/job-details.ts';

export interface GraphGoal {
  readonly id: number;
  readonly parent: number | null;
  /** Steps from the root. */
  readonly depth: number;
  readonly tactic: string;
  readonly ingredient: string;
  readonly goals: number;
  readonly conclusion: string;
  state: 'open' | 'solved' | 'dead';
  /** The tactic that solved it, with the goals that this left. */
  solution: { readonly tactic: string; readonly children: readonly number[] } | undefined;
  readonly children: number[];
  /** The goals that each tactic left here, in their order. */
  readonly steps: Map<string, readonly number[]>;
  solvedChildren: number;
}

export interface SearchGraph {
  readonly goals: Map<number, GraphGoal>;
  /** How often each ingredient was tried, how often that worked, and how many solved goals came of it. */
  readonly ingredients: Map<string, { tried: number; worked: number }>;
  /** The theorem of which it is. */
  readonly theorem: string;
  open: number;
  solved: number;
  dead: number;
}

export function emptyGraph(theorem: string): SearchGraph {
  return {
    goals: new Map(),
    ingredients: new Map(),
    theorem,
    open: 0,
    solved: 0,
    dead: 0,
  };
}

export function addNews(graph: SearchGraph, news: JobDetail): void {
  switch (news['kind']) {
    case 'goal': {
      const id = numberOf(news['id']);
      // The root comes once more when the search begins again with other settings.
      if (news['parent'] === null) {
        graph.goals.clear();
        Object.assign(graph, { open: 0, solved: 0, dead: 0 });
      }
      const parent = news['parent'] === null ? null : numberOf(news['parent']);
      const from = parent === null ? undefined : graph.goals.get(parent);
      graph.goals.set(id, {
        id,
        parent,
        depth: from === undefined ? 0 : from.depth + 1,
        tactic: textOf(news['tactic']),
        ingredient: textOf(news['ingredient']),
        goals: numberOf(news['goals']),
        conclusion: textOf(news['conclusion']),
        state: 'open',
        solution: undefined,
        children: [],
        steps: new Map(),
        solvedChildren: 0,
      });
      from?.children.push(id);
      graph.open += 1;
      return;
    }
    case 'step': {
      graph.goals.get(numberOf(news['id']))?.steps.set(textOf(news['tactic']), numbersOf(news['children']));
      return;
    }
    case 'solved': {
      const goal = graph.goals.get(numberOf(news['id']));
      if (goal === undefined || goal.state === 'solved') return;
      if (goal.state === 'open') graph.open -= 1;
      else graph.dead -= 1;
      graph.solved += 1;
      goal.state = 'solved';
      const parent = goal.parent === null ? undefined : graph.goals.get(goal.parent);
      if (parent !== undefined) parent.solvedChildren += 1;
      goal.solution = { tactic: textOf(news['tactic']), children: numbersOf(news['children']) };
      return;
    }
    case 'dead': {
      const goal = graph.goals.get(numberOf(news['id']));
      if (goal?.state !== 'open') return;
      goal.state = 'dead';
      graph.open -= 1;
      graph.dead += 1;
      return;
    }
    case 'tried': {
      const name = textOf(news['ingredient']);
      const known = graph.ingredients.get(name) ?? { tried: 0, worked: 0 };
      known.tried += 1;
      if (news['worked'] === true) known.worked += 1;
      graph.ingredients.set(name, known);
      return;
    }
    default:
  }
}

/** The goals between the root and a goal, which is the last; each has the tactic that led to it. */
export function goalsTo(graph: SearchGraph, id: number): GraphGoal[] {
  const way: GraphGoal[] = [];
  for (
    let goal = graph.goals.get(id);
    goal !== undefined && goal.parent !== null;
    goal = graph.goals.get(goal.parent)
  )
    way.push(goal);
  return way.reverse();
}

/** The goal from which the least is left: the deepest that is open on a way of which most was solved. */
export function bestOpen(graph: SearchGraph): GraphGoal | undefined {
  let best: GraphGoal | undefined;
  let bestScore = -Infinity;
  for (const goal of graph.goals.values()) {
    if (goal.state !== 'open') continue;
    const solved = goal.parent === null ? 0 : orZero(graph.goals.get(goal.parent)?.solvedChildren);
    const score = solved * 2 - goal.conclusion.length / 100 - goal.depth * 0.1;
    if (score > bestScore) [best, bestScore] = [goal, score];
  }
  return best;
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function numbersOf(value: unknown): number[] {
  return Array.isArray(value) ? value.map(numberOf) : [];
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : -1;
}
