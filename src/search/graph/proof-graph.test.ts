import { describe, expect, it } from 'vitest';
import type { Goal } from '../../core/proof-state.ts';
import { atom } from '../candidates/tactic.ts';
import { scriptOf } from '../candidates/tactic-tree.ts';
import {
  isAncestorKey,
  isRelevant,
  goalsKey,
  ProofGraph,
  propagateSolution,
  solutionOf,
  type GoalNode,
  type StepNode,
} from './proof-graph.ts';

const goal = (conclusion: string, ...types: string[]): Goal => ({
  id: conclusion,
  hypotheses: types.map((type, index) => ({ name: `H${index}`, type })),
  conclusion,
});

function addStep(
  graph: ProofGraph,
  parent: GoalNode,
  head: string,
  ...goals: Goal[]
): { step: StepNode; children: GoalNode[] } {
  const step: StepNode = { tactics: [atom(head)], parent, children: [] };
  goals.forEach((child, index) => {
    const { node } = graph.nodeFor(
      [child],
      { step, focus: goals.length === 1 ? undefined : index + 1 },
      parent.cost + 1,
    );
    node.parents.push(step);
    step.children.push(node);
  });
  return { step, children: step.children };
}

describe('ProofGraph', () => {
  it('solves a node when all goals of one of its steps are solved', () => {
    const graph = new ProofGraph([goal('A /\\ B')]);
    const { children } = addStep(graph, graph.root, 'split', goal('A'), goal('B'));
    const [left, right] = children;
    if (left === undefined || right === undefined) throw new Error('Two goals were added.');
    expect(propagateSolution(addStep(graph, left, 'auto').step)).toHaveLength(1);
    expect(graph.root.solution).toBeUndefined();
    expect(isRelevant(left)).toBe(false);
    expect(isRelevant(right)).toBe(true);
    expect(propagateSolution(addStep(graph, right, 'lia').step)).toEqual([]);
    expect(scriptOf(solutionOf(graph.root))).toEqual({
      sentences: ['split'],
      children: [
        { sentences: ['auto'], children: [] },
        { sentences: ['lia'], children: [] },
      ],
    });
  });

  it('is one node for equal goals, whatever the order of hypotheses; without sharing it is not', () => {
    for (const sharing of [true, false]) {
      const graph = new ProofGraph([goal('A', 'X', 'Y')], sharing);
      const step: StepNode = { tactics: [atom('t')], parent: graph.root, children: [] };
      const same = graph.nodeFor(
        [
          {
            ...goal('A'),
            hypotheses: [
              { name: 'H1', type: 'Y' },
              { name: 'H0', type: 'X' },
            ],
          },
        ],
        { step, focus: undefined },
        1,
      );
      expect(same.isNew).toBe(!sharing);
    }
  });

  it('shares a solution with every parent', () => {
    const graph = new ProofGraph([goal('A')]);
    const one = addStep(graph, graph.root, 'left', goal('B')).children[0];
    const other = addStep(graph, graph.root, 'right', goal('C')).children[0];
    if (one === undefined || other === undefined) throw new Error('A goal was added.');
    const shared = addStep(graph, one, 'x', goal('D')).children[0];
    addStep(graph, other, 'y', goal('D'));
    if (shared === undefined) throw new Error('A goal was added.');
    propagateSolution(addStep(graph, shared, 'auto').step);
    expect(one.solution).toBeDefined();
    expect(other.solution).toBeDefined();
  });

  it('knows a circle', () => {
    const graph = new ProofGraph([goal('A')]);
    const child = addStep(graph, graph.root, 'symmetry', goal('B')).children[0];
    if (child === undefined) throw new Error('A goal was added.');
    expect(isAncestorKey(child, goalsKey([goal('A')]))).toBe(true);
    expect(isAncestorKey(child, goalsKey([goal('C')]))).toBe(false);
  });
});
