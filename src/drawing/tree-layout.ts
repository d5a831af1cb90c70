/**
 * Places boxes of a forest so that children stand below their parents in order, no two boxes touch, and a parent
 * stands in the middle above its first and last child. After Reingold and Tilford ("Tidier drawings of trees",
 * 1981): each subtree is pushed against the contour of those on its left. Contours are kept from the deepest level
 * up and merged along the shallower of the two, which makes it linear in the number of boxes, and nothing recurs,
 * so that depth is no limit.
 */
import { entryAt, orZero } from '../core/entry.ts';

export interface Box {
  readonly width: number;
  readonly height: number;
  /** Places of boxes, in order. */
  readonly children: readonly number[];
}

export interface LayoutGaps {
  /** Between neighbours on a level. */
  readonly across: number;
  /** Between a level and the next. */
  readonly down: number;
}

export interface PlacedBox {
  /** Of the left upper corner. */
  readonly x: number;
  readonly y: number;
}

export interface Layout {
  readonly places: readonly PlacedBox[];
  readonly width: number;
  readonly height: number;
}

/** The edges of a subtree by level, deepest first, counted from the middle of its root. */
interface Contour {
  readonly left: Edge;
  readonly right: Edge;
}

interface Edge {
  readonly values: number[];
  /** To be added to each value. */
  readonly offset: number;
}

/** @param boxes Each box is the child of one at most. @param roots In order. */
export function layoutForest(boxes: readonly Box[], roots: readonly number[], gaps: LayoutGaps): Layout {
  const levels = levelsOf(boxes, roots);
  const contours = new Map<number, Contour>();
  /** Of a box's middle from that of its parent. */
  const shifts = new Map<number, number>();
  for (const place of levels.order.toReversed()) {
    const box = boxes[place];
    if (box === undefined) continue;
    const merged = besideEachOther(box.children, contours, shifts, gaps.across);
    contours.set(place, withParent(merged, box.width / 2));
  }
  besideEachOther(roots, contours, shifts, gaps.across);
  return placed(boxes, roots, { levels, shifts, down: gaps.down });
}

interface Levels {
  /** Parents before children. */
  readonly order: readonly number[];
  readonly levelOf: ReadonlyMap<number, number>;
  /** The height of the highest box of each level. */
  readonly heights: readonly number[];
}

function levelsOf(boxes: readonly Box[], roots: readonly number[]): Levels {
  const levelOf = new Map(roots.map((root): [number, number] => [root, 0]));
  const order = [...roots];
  const heights: number[] = [];
  // The list grows while it is walked.
  for (const place of order) {
    const box = boxes[place];
    const level = levelOf.get(place);
    if (box === undefined || level === undefined) continue;
    heights[level] = Math.max(orZero(heights[level]), box.height);
    for (const child of box.children) {
      levelOf.set(child, level + 1);
      order.push(child);
    }
  }
  return { order, levelOf, heights };
}

interface Siblings {
  readonly contour: Contour;
  /** Half way between the middles of the first and the last. */
  readonly middle: number;
}

/** Pushes subtrees together, in order, and notes where the middle of each comes to stand. */
function besideEachOther(
  children: readonly number[],
  contours: Map<number, Contour>,
  shifts: Map<number, number>,
  gap: number,
): Siblings | undefined {
  let all: Contour | undefined;
  let last = 0;
  for (const child of children) {
    const own = contours.get(child);
    if (own === undefined) continue;
    contours.delete(child);
    last = all === undefined ? 0 : distance(all.right, own.left) + gap;
    shifts.set(child, last);
    all = all === undefined ? own : merged(all, own, last);
  }
  if (all === undefined) return undefined;
  const middle = last / 2;
  for (const child of children) shifts.set(child, orZero(shifts.get(child)) - middle);
  return { contour: all, middle };
}

/** How far the second must go to the right so that it does not overlap the first. */
function distance(right: Edge, left: Edge): number {
  let most = -Infinity;
  const common = Math.min(right.values.length, left.values.length);
  for (let level = 0; level < common; level += 1) {
    const edge = orZero(right.values.at(-1 - level)) + right.offset;
    const other = orZero(left.values.at(-1 - level)) + left.offset;
    most = Math.max(most, edge - other);
  }
  return most;
}

function merged(first: Contour, second: Contour, shift: number): Contour {
  const moved = (edge: Edge): Edge => ({ values: edge.values, offset: edge.offset + shift });
  return {
    left: overlaid(moved(second.left), first.left),
    right: overlaid(first.right, moved(second.right)),
  };
}

/** The upper edge where it reaches, the other one below. The values of both are used up. */
function overlaid(below: Edge, upper: Edge): Edge {
  const { values, offset } = below;
  if (upper.values.length >= values.length) return upper;
  const from = values.length - upper.values.length;
  for (const [index, value] of upper.values.entries()) values[from + index] = value + upper.offset - offset;
  return below;
}

function withParent(children: Siblings | undefined, half: number): Contour {
  if (children === undefined)
    return { left: { values: [-half], offset: 0 }, right: { values: [half], offset: 0 } };
  const above = (edge: Edge, value: number): Edge => {
    const offset = edge.offset - children.middle;
    edge.values.push(value - offset);
    return { values: edge.values, offset };
  };
  return { left: above(children.contour.left, -half), right: above(children.contour.right, half) };
}

function placed(
  boxes: readonly Box[],
  roots: readonly number[],
  { levels, shifts, down }: { levels: Levels; shifts: ReadonlyMap<number, number>; down: number },
): Layout {
  const tops: number[] = [];
  let height = 0;
  for (const [level, own] of levels.heights.entries()) {
    tops[level] = height;
    height += own + (level === levels.heights.length - 1 ? 0 : down);
  }
  const middles = new Map(roots.map((root) => [root, orZero(shifts.get(root))] as const));
  for (const place of levels.order) {
    const middle = orZero(middles.get(place));
    for (const child of boxes[place]?.children ?? []) middles.set(child, middle + orZero(shifts.get(child)));
  }
  let left = Infinity;
  let right = -Infinity;
  for (const place of levels.order) {
    const half = entryAt(boxes, place, 'box').width / 2;
    const middle = orZero(middles.get(place));
    left = Math.min(left, middle - half);
    right = Math.max(right, middle + half);
  }
  if (levels.order.length === 0) return { places: boxes.map(() => ({ x: 0, y: 0 })), width: 0, height: 0 };
  return {
    places: boxes.map(({ width }, place) => ({
      x: (middles.get(place) ?? left) - width / 2 - left,
      y: entryAt(tops, orZero(levels.levelOf.get(place)), 'top'),
    })),
    width: right - left,
    height,
  };
}
