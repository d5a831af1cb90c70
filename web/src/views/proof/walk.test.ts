import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { FoldedTree } from '../../../../src/drawing/fold-tree.ts';
import { boxOfNode, levelOf, nodeOfSentence, stepFrom, type Step } from './walk.ts';

const tree: fc.Arbitrary<FoldedTree> = fc
  .array(fc.nat(1000), { minLength: 1, maxLength: 40 })
  .map((choices) => {
    const parents = choices.map((choice, place) =>
      place === 0 || choice % (place + 1) === place ? null : choice % (place + 1),
    );
    return {
      boxes: parents.map((parent, place) => ({
        ...{ kind: 'goal' as const, nodes: [place], parent, isOpen: false },
        children: parents.flatMap((one, child) => (one === place ? [child] : [])),
      })),
      roots: parents.flatMap((parent, place) => (parent === null ? [place] : [])),
    };
  });

const step = fc.constantFrom<Step>('up', 'down', 'left', 'right', 'first', 'last');

it('every step ends at a box of the tree; down and up, right and left undo each other', () => {
  fc.assert(
    fc.property(tree, fc.array(step, { maxLength: 60 }), (folded, steps) => {
      let place = 0;
      for (const one of steps) {
        place = stepFrom(folded, place, one);
        expect(folded.boxes[place]).toBeDefined();
        const below = stepFrom(folded, place, 'down');
        if (below !== place) {
          expect(stepFrom(folded, below, 'up')).toBe(place);
          expect(levelOf(folded, below)).toBe(levelOf(folded, place) + 1);
        }
        const beside = stepFrom(folded, place, 'right');
        if (beside !== place) expect(stepFrom(folded, beside, 'left')).toBe(place);
      }
    }),
  );
});

it('finds the box of a node, also inside a folded one', () => {
  const box = { kind: 'chain' as const, nodes: [0, 1, 2], children: [], parent: null, isOpen: false };
  expect(boxOfNode({ boxes: [box], roots: [0] }, 2)).toBe(0);
  expect(boxOfNode({ boxes: [box], roots: [0] }, 7)).toBe(-1);
});

it('behind each sentence stands the box of the goal that it was run on, or that is in focus there', () => {
  // Proof. split. - (goal 1) exact I. - (goal 2) exact I. Qed. Both goals are of one text.
  const sentences = [[0], [1, 1], [1], [], [1], [], []].map((goals) => ({ goals }));
  const nodes = [
    { goal: 0, sentence: 1 },
    { goal: 1, sentence: 3 },
    { goal: 1, sentence: 5 },
  ];
  const walk = sentences.map((_, sentence) => nodeOfSentence({ nodes, sentences }, sentence));
  expect(walk).toEqual([0, 0, 1, 1, 2, 2, 2]);
  // Of a goal that nothing was run on, it stands there too.
  const left = [nodes[0], nodes[1], { goal: 1, sentence: null }].filter((one) => one !== undefined);
  expect(nodeOfSentence({ nodes: left, sentences }, 4)).toBe(2);
});
