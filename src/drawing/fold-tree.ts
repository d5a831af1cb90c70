/**
 * What of a proof is worth a box of its own. Steps that leave one goal each are one box, from the first goal to the
 * last. Where something is still open, a branch with nothing open in it is one box; in a finished proof a branch of
 * few steps is. Nothing is left out: each node of the proof is in exactly one box, in the order of the tree.
 */
import { appendAll } from '../core/lists/many.ts';
import type { DrawnProof } from './drawn-proof.ts';

/**
 * `goal`: one node. `chain`: nodes below each other, each the only child of the one before. `branch`: a whole
 * subtree.
 */
export type FoldKind = 'goal' | 'chain' | 'branch';

export interface FoldedBox {
  readonly kind: FoldKind;
  /** Places of the nodes of the proof, parents before children. The first names the box. */
  readonly nodes: readonly number[];
  /** Places of boxes. */
  readonly children: readonly number[];
  readonly parent: number | null;
  /** Whether something under it, or it, is not proved. */
  readonly isOpen: boolean;
}

export interface FoldedTree {
  readonly boxes: readonly FoldedBox[];
  readonly roots: readonly number[];
}

export interface FoldChoice {
  /** Nothing is folded. */
  readonly whole: boolean;
  /** Boxes that somebody unfolded, by their first node. */
  readonly unfolded?: ReadonlySet<number>;
}

/** Fewer steps below each other are shown as they are. */
const SHORTEST_CHAIN = 3;
/** A finished branch of a finished proof with so few steps is one box. */
const SMALL_BRANCH = 3;

export function foldTree({ nodes }: DrawnProof, { whole, unfolded = new Set() }: FoldChoice): FoldedTree {
  const weights = weightsOf(nodes);
  const isAnythingOpen = weights.some(({ open }) => open > 0);
  const boxes: {
    kind: FoldKind;
    nodes: readonly number[];
    children: number[];
    parent: number | null;
    isOpen: boolean;
  }[] = [];
  const roots: number[] = [];
  const waiting = nodes
    .flatMap(({ parent }, place) =>
      parent === null ? [{ place, parent: null as number | null, chain: false }] : [],
    )
    .toReversed();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { place, parent, chain: isInOpenedChain } = next;
    const own = weights[place] ?? { steps: 0, open: 0, size: 1 };
    const isUnfolded = whole || unfolded.has(place);
    const isBranch =
      !isUnfolded &&
      !isInOpenedChain &&
      parent !== null &&
      own.size > 1 &&
      own.open === 0 &&
      (isAnythingOpen || own.steps <= SMALL_BRANCH);
    const run = chainFrom(nodes, place);
    const isChain = !isBranch && !isUnfolded && !isInOpenedChain && run.length >= SHORTEST_CHAIN;
    const members = isBranch
      ? Array.from({ length: own.size }, (_, index) => place + index)
      : isChain
        ? run
        : [place];
    const box = boxes.push({
      kind: isBranch ? 'branch' : isChain ? 'chain' : 'goal',
      ...{ nodes: members, children: [], parent, isOpen: own.open > 0 },
    });
    if (parent === null) roots.push(box - 1);
    else boxes[parent]?.children.push(box - 1);
    if (isBranch) continue;
    const last = members.at(-1) ?? place;
    const children = nodes[last]?.children ?? [];
    // The steps of a chain that somebody unfolded do not fold again behind its first.
    const goesOn = !isChain && children.length === 1 && (isUnfolded || isInOpenedChain);
    appendAll(
      waiting,
      children.map((child) => ({ place: child, parent: box - 1, chain: goesOn })).toReversed(),
    );
  }
  return { boxes, roots };
}

interface Weight {
  /** Nodes of the subtree on which something was run. */
  readonly steps: number;
  readonly open: number;
  readonly size: number;
}

/** Parents stand before children, so that sums are made from the end. */
function weightsOf(nodes: DrawnProof['nodes']): readonly Weight[] {
  const weights = nodes.map(({ status, tactic }) => ({
    steps: tactic === null ? 0 : 1,
    open: status === 'closed' || status === 'elsewhere' || status === 'together' ? 0 : 1,
    size: 1,
  }));
  for (let place = nodes.length - 1; place >= 0; place -= 1) {
    const parent = nodes[place]?.parent;
    const own = weights[place];
    const above = parent == null ? undefined : weights[parent];
    if (own === undefined || above === undefined) continue;
    above.steps += own.steps;
    above.open += own.open;
    above.size += own.size;
  }
  return weights;
}

/** The node and those below it, as long as each leaves one goal. */
function chainFrom(nodes: DrawnProof['nodes'], start: number): number[] {
  const run = [start];
  for (let node = nodes[start]; node?.children.length === 1;) {
    const [child] = node.children;
    if (child === undefined) break;
    run.push(child);
    node = nodes[child];
  }
  return run;
}
