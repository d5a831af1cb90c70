/** What is taken from a search has every goal in it, at its place. */
import { expect, test } from 'vitest';
import { partialScript } from './partial-script.ts';
import { addNews, emptyGraph } from './search-graph.ts';
import type { SearchGraph } from './search-graph.ts';

function graphOf(...news: Readonly<Record<string, unknown>>[]): SearchGraph {
  const graph = emptyGraph('t');
  for (const one of news) addNews(graph, one);
  return graph;
}

const goal = (id: number, parent: number | null, tactic = '', goals = 1) => ({
  ...{ kind: 'goal', id, parent, tactic, goals, conclusion: `goal ${id}` },
});
const step = (id: number, tactic: string, ...children: number[]) => ({ kind: 'step', id, tactic, children });
const solved = (id: number, tactic: string, ...children: number[]) => ({
  ...{ kind: 'solved', id, tactic, children },
});

/** `split` leaves 2 and 3; of 3, `split` leaves 4 (solved), 5 and, once more, 2. */
const SPLIT = [
  ...[goal(0, null), goal(1, 0, 'intros'), step(0, 'intros', 1)],
  ...[goal(2, 1, 'split'), goal(3, 1, 'split'), step(1, 'split', 2, 3)],
  ...[goal(4, 3, 'repeat split'), goal(5, 3, 'repeat split'), step(3, 'repeat split', 4, 5, 2)],
  ...[goal(6, 4, 'left'), step(4, 'left', 6), solved(6, 'auto'), solved(4, 'left', 6)],
];

test('goals beside the way keep their place: what was solved with its proof, what is open as an admit', () => {
  const { text, chosenAt, open } = partialScript(graphOf(...SPLIT), 5, '  ');
  expect(text).toBe(
    [
      ...['  intros.', '  split.', '  - admit.', '  - repeat split.'],
      ...['    + left.', '      auto.', '    + admit.', '    + admit.'],
    ].join('\n'),
  );
  expect(text.slice(chosenAt)).toBe('admit.\n    + admit.');
  expect(open).toBe(3);
});

test('the way ends at the goal, whatever was tried behind it', () => {
  const graph = graphOf(...SPLIT);
  expect(partialScript(graph, 3, '').text).toBe('intros.\nsplit.\n- admit.\n- admit.');
  expect(partialScript(graph, 2, '').chosenAt).toBe('intros.\nsplit.\n- '.length);
});

test('goals that must be solved together are admitted together', () => {
  const graph = graphOf(goal(0, null), goal(1, 0, 'eexists', 2), step(0, 'eexists', 1));
  expect(partialScript(graph, 1, '')).toMatchObject({ text: 'eexists.\nall: admit.', open: 2 });
});

test('a goal that was solved is written with its proof', () => {
  const { text, open } = partialScript(graphOf(...SPLIT), 4, '');
  expect(text).toContain('  + left.\n    auto.');
  expect(open).toBe(3);
});
