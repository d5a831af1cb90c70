/** Moves through a drawn tree by keys. Pure. */
import type { DrawnProof } from '../../../../src/drawing/drawn-proof.ts';
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

/**
 * The node at which a walk stands behind a sentence: the one that the sentence was run on; behind one that was run on none,
 * like a bullet, the goal in focus there; at the end of the proof the last. -1 where there is none.
 */
export function nodeOfSentence({ nodes, sentences }: Walked, sentence: number): number {
  const own = nodes.findIndex((one) => one.sentence === sentence);
  if (own >= 0) return own;
  const [focused] = sentences[sentence]?.goals ?? [];
  // What is run on it next; the same goal may have stood elsewhere before.
  const next = nodes
    .flatMap((one, place) =>
      one.goal === focused && (one.sentence ?? Infinity) > sentence ? [{ place, at: one.sentence }] : [],
    )
    .sort((one, other) => (one.at ?? Infinity) - (other.at ?? Infinity))[0];
  if (next !== undefined) return next.place;
  const before = nodes
    .flatMap(({ sentence: at }, place) => (at !== null && at < sentence ? [{ place, at }] : []))
    .sort((one, other) => other.at - one.at)[0];
  return before?.place ?? nodes.findIndex(({ goal }) => goal === focused);
}

interface Walked {
  readonly nodes: readonly Pick<DrawnProof['nodes'][number], 'goal' | 'sentence'>[];
  readonly sentences: readonly Pick<DrawnProof['sentences'][number], 'goals'>[];
}
