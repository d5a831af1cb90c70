import { expect, it } from 'vitest';
import { COSTS } from './costs.ts';
import { Definitions } from '../libraries/definitions.ts';
import type { GoalView } from '../../provers/rocq/goals/goal-view.ts';
import { goal } from '../../provers/rocq/goals/testing/written-goal.ts';
import { hiddenCost, witnessTerms } from './witnesses.ts';

function texts(view: GoalView): string[] {
  return witnessTerms(view, COSTS).map(({ text }) => text);
}

it('offers objects of the type that is asked for, the newest first, before numbers', () => {
  const view = goal({ n: 'nat', b: 'bool', m: 'nat', H: 'n < m' }, 'exists k : nat, n + k = m');
  expect(texts(view).slice(0, 3)).toEqual(['m', 'n', '0']);
  expect(texts(view)).not.toContain('b');
});

it('puts objects together with what the goal or its hypotheses do with such', () => {
  const view = goal({ l: 'nat', Hl: 'c = l * b', k: 'nat', Hk: 'b = k * a' }, 'exists m, c = m * a');
  expect(texts(view)).toEqual(expect.arrayContaining(['(k * l)', '(l * k)']));
  expect(texts(view).join()).not.toContain('++');
});

it('offers parts of the goal that do not speak of what is sought', () => {
  const offered = texts(goal({ x: 'A' }, 'exists y, f y = g (h x)'));
  expect(offered).toContain('(g (h x))');
  expect(offered).not.toContain('(f y)');
});

it('knows only of what is written that it exists before it has asked', () => {
  const definitions = new Definitions();
  expect(hiddenCost(goal({}, 'exists n, n = 0').conclusion, { definitions, costs: COSTS })).toBe(0);
  expect(hiddenCost(goal({}, 'divides a b').conclusion, { definitions, costs: COSTS })).toBeUndefined();
});
