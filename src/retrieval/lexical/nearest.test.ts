import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NearestIndex } from './nearest.ts';

const vector = fc
  .array(fc.tuple(fc.nat(20), fc.double({ min: 0.1, max: 1, noNaN: true })), { maxLength: 8 })
  .map((entries) => new Map(entries));

describe('NearestIndex', () => {
  it('gives the order of the cosine computed by definition', () => {
    fc.assert(
      fc.property(fc.array(vector, { minLength: 1, maxLength: 30 }), vector, (items, query) => {
        const index = new NearestIndex<number>();
        items.forEach((item, id) => index.add(id, item));
        const weigh = (from: ReadonlyMap<number, number>): Map<number, number> =>
          new Map([...from].map(([feature, weight]) => [feature, weight * index.inverseFrequency(feature)]));
        const length = (from: ReadonlyMap<number, number>): number => Math.hypot(...from.values());
        const cosine = (item: ReadonlyMap<number, number>): number => {
          const [left, right] = [weigh(item), weigh(query)];
          let dot = 0;
          for (const [feature, weight] of left) dot += weight * (right.get(feature) ?? 0);
          return dot / (length(left) * length(right) || 1);
        };
        const found = index.nearest(query, items.length);
        expect(new Set(found.map(({ item }) => item))).toEqual(
          new Set(items.flatMap((item, id) => (cosine(item) > 0 ? [id] : []))),
        );
        for (const { item, similarity } of found)
          expect(similarity).toBeCloseTo(Math.min(1, cosine(items[item] ?? new Map())), 6);
        for (const [rank, { similarity }] of found.entries())
          expect(similarity).toBeLessThanOrEqual((found[rank - 1]?.similarity ?? 1) + 1e-9);
      }),
    );
  });

  it('gives as many as are asked for, those that would come first of all', () => {
    fc.assert(
      fc.property(fc.array(vector, { maxLength: 30 }), vector, fc.nat(12), (items, query, count) => {
        const index = new NearestIndex<number>();
        items.forEach((item, id) => index.add(id, item));
        expect(index.nearest(query, count)).toEqual(index.nearest(query, items.length).slice(0, count));
      }),
    );
  });

  it('prefers the later of equals', () => {
    const index = new NearestIndex<string>();
    index.add('first', new Map([[1, 1]]));
    index.add('second', new Map([[1, 1]]));
    expect(index.nearest(new Map([[1, 1]]), 1)[0]?.item).toBe('second');
  });
});
