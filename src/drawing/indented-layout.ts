/**
 * Places boxes of a forest below each other, as a file tree does: where a box has several children, these stand a step
 * to the right of it. For panes that are too narrow to have two boxes beside each other.
 */
import { entryAt, orZero } from '../core/entry.ts';
import { appendAll } from '../core/lists/many.ts';
import type { Layout, PlacedBox } from './tree-layout.ts';

interface Indentation {
  /** How far children stand to the right of what has several. */
  readonly step: number;
  /** No box begins further to the right, however deep it is. */
  readonly most: number;
}

/** Where each box begins. @param children Of each box, in order. */
export function indentationsOf(
  children: readonly (readonly number[])[],
  roots: readonly number[],
  { step, most }: Indentation,
): readonly number[] {
  const indentations = children.map(() => 0);
  for (const place of topDown(children, roots)) {
    const below = children[place] ?? [];
    const own = orZero(indentations[place]);
    for (const child of below) indentations[child] = Math.min(most, own + (below.length > 1 ? step : 0));
  }
  return indentations;
}

/** @param gap Between a box and the one below it. */
export function layoutIndented(
  boxes: readonly { readonly width: number; readonly height: number; readonly children: readonly number[] }[],
  roots: readonly number[],
  { indentations, gap }: { readonly indentations: readonly number[]; readonly gap: number },
): Layout {
  const places: PlacedBox[] = boxes.map(() => ({ x: 0, y: 0 }));
  let [width, bottom] = [0, 0];
  const order = topDown(
    boxes.map(({ children }) => children),
    roots,
  );
  for (const [index, place] of order.entries()) {
    const box = entryAt(boxes, place, 'box');
    const x = orZero(indentations[place]);
    const y = index === 0 ? 0 : bottom + gap;
    places[place] = { x, y };
    width = Math.max(width, x + box.width);
    bottom = y + box.height;
  }
  return { places, width, height: bottom };
}

/** Each box before what is below it, and that before the next box beside it. Nothing recurs: depth is no limit. */
function topDown(children: readonly (readonly number[])[], roots: readonly number[]): readonly number[] {
  const order: number[] = [];
  const waiting = roots.toReversed();
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    order.push(place);
    appendAll(waiting, (children[place] ?? []).toReversed());
  }
  return order;
}
