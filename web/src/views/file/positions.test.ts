import { Text } from '@codemirror/state';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { offsetOf, placeOf } from './positions.ts';

it('places in code points and offsets in UTF-16 go back and forth', () => {
  const unit = fc.constantFrom('a', '∀', '𝔸', '\n', ' ');
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 30 }), fc.nat(30), (units, count) => {
      const text = Text.of(units.join('').split('\n'));
      const offset = units.slice(0, count).join('').length;
      expect(offsetOf(text, placeOf(text, offset))).toBe(offset);
    }),
  );
});

it('a place behind the end of a line or of the text is its end', () => {
  const text = Text.of(['ab', 'c']);
  expect(offsetOf(text, { line: 1, column: 9 })).toBe(2);
  expect(offsetOf(text, { line: 9, column: 0 })).toBe(4);
});
