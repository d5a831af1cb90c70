/** Which goals are told where a search found nothing. */
import { expect, it } from 'vitest';
import type { Goal } from '../../core/proof-state.ts';
import { COSTS } from '../candidates/costs.ts';
import { atom } from '../candidates/tactic.ts';
import { bestState } from './best-state.ts';
import { ProofGraph, propagateSolution, type GoalNode } from './proof-graph.ts';

const goal = (conclusion: string): Goal => ({ id: conclusion, hypotheses: [], conclusion });

type Step = readonly [
  on: string,
  tactic: readonly [head: string, argument?: string],
  left: readonly string[],
];

/** A graph in which each step is run, in this order; one that leaves nothing solves its goal. */
function told(...steps: readonly Step[]) {
  return toldBut({ areFalse: [] }, ...steps);
}

/** The same without ways through goals that are false, and not at goals that say the root over again. */
function toldBut(
  { areFalse, restate = [] }: { readonly areFalse: readonly string[]; readonly restate?: readonly string[] },
  ...steps: readonly Step[]
) {
  const graph = new ProofGraph([goal('f n = g n')]);
  const nodes = new Map<string, GoalNode>([['f n = g n', graph.root]]);
  for (const [on, [head, argument], left] of steps) {
    const parent = nodes.get(on);
    if (parent === undefined) throw new Error(`No step leads to ${on}.`);
    const step = { tactics: [atom(head, argument)], parent, children: [] as GoalNode[] };
    left.forEach((conclusion, index) => {
      const { node } = graph.nodeFor([goal(conclusion)], { step, focus: index + 1 }, parent.cost + 1);
      node.parents.push(step);
      step.children.push(node);
      nodes.set(conclusion, node);
    });
    propagateSolution(step);
  }
  const isFalse = ({ conclusion }: Goal): boolean => areFalse.includes(conclusion);
  const restates = ({ conclusion }: Goal): boolean => restate.includes(conclusion);
  return bestState(graph.root, COSTS, { isFalse, restates }).map(({ conclusion }) => conclusion);
}

const INDUCTION: Step = ['f n = g n', ['induction', 'n'], ['f 0 = g 0', 'f (S n) = g (S n)']];

it.each<[name: string, steps: readonly Step[], goals: string[]]>([
  ['both cases of an induction of which neither is solved', [], ['f 0 = g 0', 'f (S n) = g (S n)']],
  ['the case that is left', [['f 0 = g 0', ['auto'], []]], ['f (S n) = g (S n)']],
  [
    'that case as it was computed, and not what any step makes of it',
    [
      ['f 0 = g 0', ['auto'], []],
      ['f (S n) = g (S n)', ['exfalso'], ['False']],
      ['f (S n) = g (S n)', ['simpl'], ['h (f n) = k n']],
    ],
    ['h (f n) = k n'],
  ],
  [
    'what the induction hypothesis leads to, unless it makes the goal longer',
    [
      ['f 0 = g 0', ['auto'], []],
      ['f (S n) = g (S n)', ['simpl'], ['h (f n) = k n']],
      ['h (f n) = k n', ['rewrite', '<- IHn'], ['h (f (f (f n))) = k (f (f n))']],
      ['h (f n) = k n', ['rewrite', 'IHn'], ['h n = k n']],
    ],
    ['h n = k n'],
  ],
])('%s', (_, steps, goals) => {
  expect(told(INDUCTION, ...steps)).toEqual(goals);
});

it('the statement itself where no step came further', () => {
  expect(told(['f n = g n', ['symmetry'], ['g n = f n']])).toEqual(['f n = g n']);
});

it('no state that a false goal leads to, be what is behind it false or not', () => {
  const steps: Step[] = [
    INDUCTION,
    ['f 0 = g 0', ['auto'], []],
    ['f (S n) = g (S n)', ['exfalso'], ['False']],
  ];
  expect(
    toldBut({ areFalse: ['f (S n) = g (S n)'] }, ['f n = g n', ['destruct', 'n'], ['a', 'b']], ...steps),
  ).toEqual(['f n = g n']);
  expect(toldBut({ areFalse: ['False'] }, ...steps)).toEqual(['f (S n) = g (S n)']);
});

it('no state that says the root over again where another is as near', () => {
  const steps: Step[] = [
    ['f n = g n', ['split'], ['solved', 'f m = g m']],
    ['solved', ['auto'], []],
    ['f m = g m', ['unfold', 'f'], ['h m = g m']],
  ];
  expect(told(...steps)).toEqual(['f m = g m']);
  expect(toldBut({ areFalse: [], restate: ['f m = g m'] }, ...steps)).toEqual(['h m = g m']);
});
