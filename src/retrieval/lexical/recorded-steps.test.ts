import { expect, it } from 'vitest';
import type { Goal, ProofState } from '../../core/proof-state.ts';
import { stepsOf } from './recorded-steps.ts';

const goal = (conclusion: string): Goal => ({ id: conclusion, hypotheses: [], conclusion });

function state(...conclusions: readonly string[]): ProofState {
  return { goals: conclusions.map(goal), unfocused: [], shelved: 0, givenUp: 0 };
}

it('tells for each step its goal, how far it was from the end of that goal, and what came next', () => {
  const steps = stepsOf(
    [
      { before: state('A /\\ B'), tactic: 'split', after: state('A', 'B'), inner: [] },
      { before: state('A', 'B'), tactic: 'auto', after: state('B'), inner: [] },
      { before: state('B'), tactic: '1: lia', after: state(), inner: [] },
    ],
    'here.v',
  );
  expect(steps.map(({ goal: at, tactic, remaining }) => [at.conclusion, tactic, remaining])).toEqual([
    ['A /\\ B', 'split', 3],
    ['A', 'auto', 1],
    ['B', 'lia', 1],
  ]);
  expect(steps.map(({ next }) => next?.tactic)).toEqual(['auto', 'lia', undefined]);
  expect(new Set(steps.map(({ origin }) => origin))).toEqual(new Set(['here.v']));
});

it('has compound tactics whole and in parts, and none that gives up', () => {
  const steps = stepsOf(
    [
      {
        before: state('P'),
        tactic: 'intros; auto',
        after: state(),
        inner: [{ goal: goal('Q'), tactic: 'auto' }],
      },
      { before: state('R'), tactic: 'admit', after: state(), inner: [] },
    ],
    'here.v',
  );
  expect(steps.map(({ goal: at, tactic }) => [at.conclusion, tactic])).toEqual([
    ['P', 'intros; auto'],
    ['P', 'intros'],
    ['Q', 'auto'],
  ]);
});
