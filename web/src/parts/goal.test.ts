/** Hypotheses are joined as Rocq prints them, and no mark of a change is lost by it. */
import { expect, it } from 'vitest';
import { joinedHypotheses } from './goal.tsx';

const hypothesis = (name: string, type: string, body: string | null = null) => ({ name, type, body });
const lines = (...[goal, before]: Parameters<typeof joinedHypotheses>) =>
  joinedHypotheses(goal, before).map(({ names, type, isNew }) => [names.join(' '), type, isNew]);

it('those of one type that follow each other are one line', () => {
  const hypotheses = [
    ...[hypothesis('x', 'nat'), hypothesis('y', 'nat'), hypothesis('b', 'bool'), hypothesis('z', 'nat')],
    ...[hypothesis('s', 'nat', '1'), hypothesis('t', 'nat')],
  ];
  expect(lines({ hypotheses, conclusion: 'True' }, undefined)).toEqual([
    ['x y', 'nat', false],
    ['b', 'bool', false],
    ['z', 'nat', false],
    ['s', 'nat', false],
    ['t', 'nat', false],
  ]);
});

it('what is new stands apart from what was there', () => {
  const before = { hypotheses: [hypothesis('x', 'nat')], conclusion: 'True' };
  const goal = { hypotheses: [hypothesis('x', 'nat'), hypothesis('y', 'nat')], conclusion: 'True' };
  expect(lines(goal, before)).toEqual([
    ['x', 'nat', false],
    ['y', 'nat', true],
  ]);
});
