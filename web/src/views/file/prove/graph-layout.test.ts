/** The picture of a search is one that can be read: whatever the search tells, goals stand apart and in order. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { placeGoals } from './graph-layout.ts';
import { addNews, emptyGraph } from './search-graph.ts';

it('places each goal once, below its parent, within what came from it, and no two at one place', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(), { maxLength: 300 }), (parents) => {
      const graph = emptyGraph('t');
      addNews(graph, { kind: 'goal', id: 0, parent: null });
      parents.forEach((number, index) =>
        addNews(graph, { kind: 'goal', id: index + 1, parent: number % (index + 1) }),
      );
      const { goals, columns, rows } = placeGoals(graph);
      expect(goals.map(({ goal }) => goal.id).toSorted((one, other) => one - other)).toEqual(
        [...graph.goals.keys()].toSorted((one, other) => one - other),
      );
      expect(new Set(goals.map(({ x, y }) => `${x} ${y}`)).size).toBe(goals.length);
      for (const { goal, x, y, parent } of goals) {
        expect(x >= 0 && x < columns && y < rows).toBe(true);
        expect(parent?.goal.id ?? null).toBe(goal.parent);
        if (parent !== undefined) expect(y).toBe(parent.y + 1);
        const below = goals.filter((other) => other.parent?.goal === goal).map((other) => other.x);
        if (below.length > 0) expect(x).toBe((Math.min(...below) + Math.max(...below)) / 2);
      }
    }),
  );
});

it('an empty search has nothing to place', () => {
  expect(placeGoals(emptyGraph('t')).goals).toEqual([]);
});
