/**
 * What a search knows of a proof, as a script: the way to one goal, with the proofs of what was solved beside it. Every goal
 * that is open stands in it as an `admit`, so that none is lost and the prover takes all of it.
 */
import { orNothing } from '../../../../../src/core/entry.ts';
import { goalsTo } from './search-graph.ts';
import type { GraphGoal, SearchGraph } from './search-graph.ts';

export interface PartialScript {
  readonly text: string;
  /** Where in it the goal stands that was chosen. */
  readonly chosenAt: number;
  /** How many goals are open in it. */
  readonly open: number;
}

interface Written {
  readonly lines: readonly string[];
  readonly open: number;
}

/** The place of the chosen goal, until its offset is known. */
const CHOSEN = '\0';

const BULLETS = '-+*';

/** @param margin What stands before each line. */
export function partialScript(graph: SearchGraph, chosen: number, margin: string): PartialScript {
  const way = goalsTo(graph, chosen);
  /** On the way, until it was reached: a goal that comes again is as open there. */
  let reached = false;
  const write = (goal: GraphGoal | undefined, depth: number): Written => {
    if (goal === undefined) return OPEN;
    if (goal.id === chosen && !reached) {
      reached = true;
      const own = goal.solution === undefined ? admitted(goal) : solved(goal, depth);
      return { ...own, lines: own.lines.map((line, index) => (index === 0 ? CHOSEN + line : line)) };
    }
    const next = reached ? undefined : way.find(({ parent }) => parent === goal.id);
    if (next !== undefined) return step(next.tactic, goal.steps.get(next.tactic) ?? [next.id], depth);
    return goal.solution === undefined ? admitted(goal) : solved(goal, depth);
  };
  const solved = ({ solution }: GraphGoal, depth: number): Written =>
    solution === undefined ? OPEN : step(solution.tactic, solution.children, depth);
  const step = (tactic: string, children: readonly number[], depth: number): Written => {
    const branches = children.map((id) =>
      write(graph.goals.get(id), children.length === 1 ? depth : depth + 1),
    );
    const open = branches.reduce((sum, branch) => sum + branch.open, 0);
    if (branches.length === 1)
      return { lines: [`${tactic}.`, ...branches.flatMap(({ lines }) => lines)], open };
    const bullet = orNothing(BULLETS[depth % BULLETS.length]).repeat(1 + Math.floor(depth / BULLETS.length));
    const below = branches.flatMap(({ lines }) =>
      lines.map((line, index) => (index === 0 ? `${bullet} ` : ' '.repeat(bullet.length + 1)) + line),
    );
    return { lines: [`${tactic}.`, ...below], open };
  };
  const { lines, open } = write(graph.goals.get(0), 0);
  const text = lines.map((line) => margin + line).join('\n');
  return { text: text.replace(CHOSEN, ''), chosenAt: text.indexOf(CHOSEN), open };
}

const OPEN: Written = { lines: ['admit.'], open: 1 };

function admitted({ goals }: GraphGoal): Written {
  // Goals that share what is not known yet are one here, and several to the prover.
  return goals > 1 ? { lines: ['all: admit.'], open: goals } : OPEN;
}
