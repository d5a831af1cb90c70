import fc from 'fast-check';
import { expect, test } from 'vitest';
import { packContext, type ContextPiece } from './pack.ts';

const piece = (name: string, value: number, length: number, shorter: string | null = null): ContextPiece => ({
  ...{ section: `section ${name.slice(0, 1)}`, name, value, shorter },
  text: `${name}: ${'x'.repeat(length)}`,
});

test('the most valuable come first, and what is missing is named', () => {
  const { text, leftOut } = packContext(
    [piece('a1', 10, 2000), piece('a2', 95, 100), piece('b1', 50, 100), piece('b2', 20, 4000, 'b2 in short')],
    160,
  );
  expect(text).toMatch(/^## section a\n\na2: x+\n\n## section b\n\nb1: x+\n\nb2 in short\n\nLeft out/u);
  expect(text).toContain('- section a: 1 piece (a1)');
  expect(leftOut).toEqual([{ section: 'section a', name: 'a1' }]);
});

test('of what must be there, at least the beginning is', () => {
  const { text } = packContext([piece('def', 95, 50_000)], 1000);
  expect(text).toMatch(/def: x{500,}/u);
  expect(text).toContain('(cut)');
});

test('whatever there is, it fits, and nothing is both shown and left out', () => {
  const pieces = fc.array(
    fc.record({
      section: fc.constantFrom('one', 'two', 'three'),
      name: fc.string({ maxLength: 20 }),
      text: fc.string({ maxLength: 3000 }),
      shorter: fc.option(fc.string({ maxLength: 200 })),
      value: fc.integer({ min: 0, max: 100 }),
    }),
    { maxLength: 60 },
  );
  fc.assert(
    fc.property(pieces, fc.integer({ min: 0, max: 4000 }), (some, room) => {
      const { tokens, leftOut } = packContext(some, room);
      // The note of what is left out has its own small room.
      expect(tokens).toBeLessThanOrEqual(room + 400);
      expect(leftOut.length).toBeLessThanOrEqual(some.length);
    }),
  );
});
