/** Boxes below each other: none touches another, each stands below its parent, and none begins too far to the right. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { orZero } from '../core/entry.ts';
import { indentationsOf, layoutIndented } from './indented-layout.ts';

/** A forest by the parent of each box, which stands before it; -1 for a root. */
const forests = fc
  .array(
    fc.record({
      above: fc.nat(),
      width: fc.integer({ min: 40, max: 200 }),
      height: fc.integer({ min: 20, max: 90 }),
    }),
    {
      minLength: 1,
      maxLength: 40,
    },
  )
  .map((drawn) => {
    const parents = drawn.map(({ above }, place) => (above % (place + 1)) - 1);
    const boxes = drawn.map(({ width, height }, place) => ({
      ...{ width, height },
      children: parents.flatMap((parent, child) => (parent === place ? [child] : [])),
    }));
    return { parents, boxes, roots: parents.flatMap((parent, place) => (parent === -1 ? [place] : [])) };
  });

test('no box touches another, and each stands below its parent and not left of it', () => {
  fc.assert(
    fc.property(forests, ({ parents, boxes, roots }) => {
      const most = 60;
      const indentations = indentationsOf(
        boxes.map(({ children }) => children),
        roots,
        { step: 14, most },
      );
      const { places, width, height } = layoutIndented(boxes, roots, { indentations, gap: 10 });
      const rows = places
        .map(({ x, y }, place) => ({ place, x, y, bottom: y + orZero(boxes[place]?.height) }))
        .toSorted((one, other) => one.y - other.y);
      for (const [index, { place, x, y, bottom }] of rows.entries()) {
        const above = rows[index - 1];
        if (above !== undefined) expect(y).toBeGreaterThanOrEqual(above.bottom + 10);
        expect(x).toBeLessThanOrEqual(most);
        expect(x + orZero(boxes[place]?.width)).toBeLessThanOrEqual(width);
        expect(bottom).toBeLessThanOrEqual(height);
        const parent = places[parents[place] ?? -1];
        if (parent === undefined) continue;
        expect(y).toBeGreaterThan(parent.y);
        expect(x).toBeGreaterThanOrEqual(parent.x);
      }
    }),
  );
});

test('what follows alone stands under what it follows; of several each is a step to the right', () => {
  //   0 → 1 → { 2, 3 → 4 }
  const children = [[1], [2, 3], [], [4], []];
  expect(indentationsOf(children, [0], { step: 14, most: 60 })).toEqual([0, 0, 14, 14, 14]);
});

test('a proof of ten thousand steps is no deeper than the page', () => {
  const children = Array.from({ length: 20_000 }, (_, place) =>
    place % 2 === 0 ? [place + 1, place + 2] : [],
  );
  children[19_998] = [];
  const indentations = indentationsOf(children, [0], { step: 14, most: 60 });
  expect(Math.max(...indentations)).toBe(60);
});
