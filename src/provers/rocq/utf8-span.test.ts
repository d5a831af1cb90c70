import fc from 'fast-check';
import { expect, it } from 'vitest';
import { spanOfBytes } from './utf8-span.ts';

const point = fc.constantFrom('a', 'é', '∀', '𝔸', '\n');

it('converts the bytes of any cut between characters', () => {
  fc.assert(
    fc.property(fc.array(point), fc.nat(), fc.nat(), (points, first, second) => {
      const [from = 0, to = 0] = [first, second]
        .map((cut) => cut % (points.length + 1))
        .sort((a, b) => a - b);
      const bytesTo = (count: number): number => Buffer.byteLength(points.slice(0, count).join(''));
      const unitsTo = (count: number): number => points.slice(0, count).join('').length;
      expect(spanOfBytes(points.join(''), { start: bytesTo(from), end: bytesTo(to) })).toEqual({
        start: unitsTo(from),
        end: unitsTo(to),
      });
    }),
  );
});

it('keeps places outside of the text inside', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer(), fc.integer(), (text, start, end) => {
      const span = spanOfBytes(text, { start, end });
      expect(span.start).toBeGreaterThanOrEqual(0);
      expect(Math.max(span.start, span.end)).toBeLessThanOrEqual(text.length);
    }),
  );
});
