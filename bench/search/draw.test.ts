import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawingOrder, quotas, seededRandom, shuffled, stratumOf } from './draw.ts';

describe('the drawing', () => {
  it('depends on the seed and on nothing else', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string()), fc.string(), (names, seed) => {
        const backwards = [...names].reverse();
        const identity = (name: string): string => name;
        expect(drawingOrder(names, identity, seed)).toEqual(drawingOrder(backwards, identity, seed));
      }),
    );
  });

  it('is pinned: a change of the generator would silently change every reported sample', () => {
    expect(shuffled(['a', 'b', 'c', 'd', 'e', 'f'], 'quod/1')).toMatchInlineSnapshot(`
      [
        "c",
        "a",
        "d",
        "e",
        "f",
        "b",
      ]
    `);
    const random = seededRandom('quod');
    expect([random(), random()]).toMatchInlineSnapshot(`
      [
        0.9757793168537319,
        0.8349847015924752,
      ]
    `);
  });

  it('keeps every item once', () => {
    fc.assert(
      fc.property(fc.array(fc.nat()), fc.string(), (items, seed) => {
        expect(shuffled(items, seed).sort()).toEqual([...items].sort());
      }),
    );
  });

  it('gives different orders for different seeds', () => {
    const items = Array.from({ length: 30 }, (_, index) => index);
    expect(shuffled(items, 'one')).not.toEqual(shuffled(items, 'two'));
  });
});

describe('strata', () => {
  it('cover the lengths from 1 to 20', () => {
    expect([0, 1, 4, 5, 8, 9, 20, 21].map(stratumOf)).toEqual([
      undefined,
      '≤ 4',
      '≤ 4',
      '5–8',
      '5–8',
      '9–20',
      '9–20',
      undefined,
    ]);
  });

  it('share out all tasks and are all represented', () => {
    fc.assert(
      fc.property(fc.integer({ min: 3, max: 400 }), (count) => {
        const shares = Object.values(quotas(count));
        expect(shares.reduce((sum, share) => sum + share, 0)).toBe(count);
        expect(Math.min(...shares)).toBeGreaterThan(0);
      }),
    );
  });
});
