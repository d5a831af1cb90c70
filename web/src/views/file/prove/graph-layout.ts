/**
 * Where the goals of a search stand in its picture. A goal stands below the one that it came from and over the middle of
 * those that came from it; a goal without any has a column of its own. Plain arrays in one pass: thousands of goals are
 * placed again several times a second.
 */
import { entryAt } from '../../../../../src/core/entry.ts';
import type { GraphGoal, SearchGraph } from './search-graph.ts';

export interface PlacedGoal {
  readonly goal: GraphGoal;
  /** In columns and rows. */
  readonly x: number;
  readonly y: number;
  readonly parent: PlacedGoal | undefined;
}

export interface Layout {
  /** A goal stands before those that came from it. */
  readonly goals: readonly PlacedGoal[];
  readonly columns: number;
  readonly rows: number;
}

export const NOTHING_PLACED: Layout = { goals: [], columns: 1, rows: 1 };

interface Growing extends PlacedGoal {
  x: number;
  readonly parent: Growing | undefined;
  /** The columns of the first and the last that came from it. */
  first: number;
  last: number;
}

export function placeGoals(graph: SearchGraph): Layout {
  const root = graph.goals.get(0);
  if (root === undefined) return NOTHING_PLACED;
  const placed: Growing[] = [];
  const pending: Growing[] = [begun(root, undefined)];
  let [columns, rows] = [0, 0];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    placed.push(next);
    rows = Math.max(rows, next.y + 1);
    const { children } = next.goal;
    if (children.length === 0) {
      next.x = columns;
      columns += 1;
    }
    for (const id of children.toReversed()) {
      const goal = graph.goals.get(id);
      if (goal !== undefined) pending.push(begun(goal, next));
    }
  }
  // Backwards: whatever came from a goal was placed before the goal itself is.
  for (let index = placed.length - 1; index >= 0; index -= 1) {
    const one = entryAt(placed, index, 'placed goal');
    if (one.last >= 0) one.x = (one.first + one.last) / 2;
    if (one.parent === undefined) continue;
    one.parent.first = Math.min(one.parent.first, one.x);
    one.parent.last = Math.max(one.parent.last, one.x);
  }
  return { goals: placed, columns, rows };
}

function begun(goal: GraphGoal, parent: Growing | undefined): Growing {
  return { goal, parent, x: 0, y: parent === undefined ? 0 : parent.y + 1, first: Infinity, last: -1 };
}
