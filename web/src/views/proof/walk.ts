/** Moves through a drawn tree by keys. Pure. */
import type { FoldedTree } from '../../../../src/drawing/fold-tree.ts';

export type Step = 'up' | 'down' | 'left' | 'right' | 'first' | 'last';

/** The box that a key leads to from `place`; `place` itself where there is none that way. */
export function stepFrom({ boxes, roots }: FoldedTree, place: number, step: Step): number {
  const box = boxes[place];
  if (box === undefined) return 0;
  const siblings = box.parent === null ? roots : (boxes[box.parent]?.children ?? [place]);
  const at = siblings.indexOf(place);
  switch (step) {
    case 'up':
      return box.parent ?? place;
    case 'down':
      return box.children[0] ?? place;
    case 'left':
      return siblings[at - 1] ?? place;
    case 'right':
      return siblings[at + 1] ?? place;
    case 'first':
      return 0;
    case 'last':
      return boxes.length - 1;
  }
}

/** How deep a box stands, from 1, as screen readers count. */
export function levelOf({ boxes }: FoldedTree, place: number): number {
  let level = 1;
  for (let parent = boxes[place]?.parent; parent != null; parent = boxes[parent]?.parent) level += 1;
  return level;
}

/** The box that holds a node of the proof. */
export function boxOfNode({ boxes }: FoldedTree, node: number): number {
  return boxes.findIndex(({ nodes }) => nodes.includes(node));
}
