import fc from 'fast-check';
import { expect, it } from 'vitest';
import { RowCache } from './row-cache.ts';

it('makes a row once while it fits, and forgets the least recently used', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(6), { maxLength: 60 }), fc.integer({ min: 1, max: 5 }), (asked, most) => {
      const rows = new RowCache<Float32Array>(most * 8);
      // The same by a list: what was asked for last stands last.
      let known: number[] = [];
      for (const number of asked) {
        let made = false;
        const row = rows.get(number, () => {
          made = true;
          return Float32Array.of(number, number);
        });
        expect(row[0]).toBe(number);
        expect(made).toBe(!known.includes(number));
        known = [...known.filter((other) => other !== number), number].slice(-most);
        expect(rows.bytes).toBe(8 * known.length);
      }
    }),
  );
});

it('keeps a row that alone is too large until the next is asked for', () => {
  const rows = new RowCache<Uint32Array>(4);
  const large = rows.get(1, () => new Uint32Array(10));
  expect(rows.get(1, () => new Uint32Array(1))).toBe(large);
  rows.get(2, () => new Uint32Array(1));
  expect(rows.bytes).toBe(4);
  rows.delete(2);
  rows.delete(2);
  expect(rows.bytes).toBe(0);
});
