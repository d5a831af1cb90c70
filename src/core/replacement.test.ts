import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { offsetAfter, offsetBefore, replaced, type Replacement } from './replacement.ts';

/** A text in pieces, some of which are replaced. */
const pieces = fc.array(
  fc.record({ text: fc.string(), instead: fc.option(fc.string(), { nil: undefined }) }),
  { maxLength: 8 },
);

describe('replacements', () => {
  it('change what they span and nothing else, and say where everything else went', () => {
    fc.assert(
      fc.property(pieces, (parts) => {
        const replacements: Replacement[] = [];
        const kept: { text: string; before: number; after: number }[] = [];
        let before = '';
        let after = '';
        for (const { text, instead } of parts) {
          if (instead === undefined) kept.push({ text, before: before.length, after: after.length });
          else
            replacements.push({
              span: { start: before.length, end: before.length + text.length },
              text: instead,
            });
          before += text;
          after += instead ?? text;
        }
        expect(replaced(before, replacements.toReversed())).toBe(after);
        for (const piece of kept)
          if (piece.text !== '') {
            expect(offsetAfter(piece.before, replacements)).toBe(piece.after);
            expect(offsetBefore(piece.after, replacements.toReversed())).toBe(piece.before);
          }
      }),
    );
  });
});
