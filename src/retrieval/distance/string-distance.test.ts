import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { slowStringDistance } from '../testing/slow-distance.ts';
import { SortedStrings, StringDistance } from './string-distance.ts';

const strings = new StringDistance();

function distance(one: string, other: string): number {
  return strings.between(strings.encode(one), strings.encode(other));
}

/** Few letters, so that strings have much in common; characters beyond 16 bits; lengths around the words of 32 bits. */
const text = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'b', 'c', ' ', '∀', '𝔸'), maxLength: 20 }),
  fc.string({ unit: fc.constantFrom('a', 'b', ';', '→'), minLength: 28, maxLength: 130 }),
);

describe('StringDistance', () => {
  it('is what the definition says, for any two strings', () => {
    fc.assert(
      fc.property(text, text, (one, other) => {
        expect(distance(one, other)).toBe(slowStringDistance(one, other));
      }),
      { numRuns: 2000 },
    );
  });

  it('is what the definition says for strings that differ by a few edits', () => {
    fc.assert(
      fc.property(text, fc.nat(), fc.nat(), fc.string({ maxLength: 5 }), (one, from, cut, piece) => {
        const place = from % (one.length + 1);
        const other = one.slice(0, place) + piece + one.slice(place + (cut % 7));
        expect(distance(one, other)).toBe(slowStringDistance(one, other));
      }),
      { numRuns: 2000 },
    );
  });

  it('computes the same to many strings at once, whichever of them are wanted', () => {
    fc.assert(
      fc.property(
        text,
        fc.array(text, { maxLength: 12 }),
        fc.array(fc.boolean()),
        (pattern, texts, wanted) => {
          const beginnings = texts.flatMap((one) => [one, `${one}a`, one.slice(0, 3)]);
          const many = new SortedStrings(beginnings.map((one) => strings.encode(one)));
          const distances = new Uint32Array(beginnings.length).fill(9999);
          strings.toMany(strings.encode(pattern), many, (number) => wanted[number] === true, distances);
          const expected = beginnings.map((one, at) =>
            wanted[at] === true ? slowStringDistance(pattern, one) : 9999,
          );
          expect([...distances]).toEqual(expected);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('is a metric', () => {
    fc.assert(
      fc.property(text, text, text, (one, other, third) => {
        expect(distance(one, other)).toBe(distance(other, one));
        expect(distance(one, other) === 0).toBe(one === other);
        expect(distance(one, third)).toBeLessThanOrEqual(distance(one, other) + distance(other, third));
      }),
      { numRuns: 1000 },
    );
  });

  it('counts characters, not halves of them', () => {
    expect(distance('𝔸', '𝔹')).toBe(1);
    expect(distance('x 𝔸', 'x ')).toBe(1);
  });
});
