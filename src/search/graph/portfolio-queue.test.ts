import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Configuration } from './portfolio.ts';
import { PortfolioQueue } from './portfolio-queue.ts';
import { ProofGraph, type GoalNode } from './proof-graph.ts';

function configuration(name: string, caution: number, weight: number): Configuration {
  return { name, offsets: {}, caution, weight };
}

function nodeOf(conclusion: string, cost = 0): GoalNode {
  const { root } = new ProofGraph([{ id: '1', hypotheses: [], conclusion }]);
  root.cost = cost;
  return root;
}

it('gives each configuration work in proportion to its weight', () => {
  const waiting = new PortfolioQueue([configuration('one', 1, 1), configuration('three', 1, 3)]);
  const taken = { one: 0, three: 0 };
  for (let turn = 0; turn < 40; turn += 1) {
    waiting.push(nodeOf(`P ${turn}`), 0);
    const next = waiting.pop(() => true);
    if (next === undefined) throw new Error('A goal waits.');
    next.queue.spend(1);
    taken[next.queue.configuration.name === 'one' ? 'one' : 'three'] += 1;
  }
  expect(taken).toEqual({ one: 10, three: 30 });
});

it('counts the way behind by the caution of the configuration', () => {
  const [near, far] = [nodeOf('near', 1), nodeOf('far', 4)];
  const first = (caution: number): GoalNode | undefined => {
    const waiting = new PortfolioQueue([configuration('only', caution, 1)]);
    waiting.push(far, 1);
    waiting.push(near, 2);
    return waiting.pop(() => true)?.goal.node;
  };
  expect([first(1), first(0)]).toEqual([near, far]);
});

it('drops goals that are not wanted any more', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { maxLength: 20 }), (wanted) => {
      const waiting = new PortfolioQueue([configuration('only', 1, 1)]);
      const nodes = wanted.map((_, index) => nodeOf(`P ${index}`));
      for (const node of nodes) waiting.push(node, 0);
      const keep = new Set(nodes.filter((_, index) => wanted[index]));
      const taken: GoalNode[] = [];
      for (let next = waiting.pop((node) => keep.has(node)); next !== undefined;) {
        taken.push(next.goal.node);
        next = waiting.pop((node) => keep.has(node));
      }
      expect(taken).toEqual([...keep]);
    }),
  );
});
