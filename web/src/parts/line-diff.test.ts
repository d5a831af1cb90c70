import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffOf, mergeTexts } from './line-diff.ts';

const line = fc.constantFrom('a', 'b', 'c', 'd', '');
const text = fc.array(line, { maxLength: 8 }).map((lines) => lines.join('\n'));

describe('joining two texts that come from one', () => {
  it('is the other where one changed nothing, and the change where both made the same', () => {
    fc.assert(
      fc.property(text, text, (base, changed) => {
        expect(mergeTexts(base, base, changed)).toBe(changed);
        expect(mergeTexts(base, changed, base)).toBe(changed);
        expect(mergeTexts(base, changed, changed)).toBe(changed);
      }),
    );
  });

  it('does not depend on whose is whose', () => {
    fc.assert(
      fc.property(text, text, text, (base, mine, theirs) => {
        expect(mergeTexts(base, mine, theirs)).toBe(mergeTexts(base, theirs, mine));
      }),
    );
  });

  it('keeps both changes of different lines, and refuses the same line changed twice', () => {
    expect(mergeTexts('a\nb\nc\nd', 'A\nb\nc\nd', 'a\nb\nc\nD')).toBe('A\nb\nc\nD');
    expect(mergeTexts('a\nb', 'x\nb', 'y\nb')).toBeUndefined();
    expect(mergeTexts('a\nb\nc', 'a\nc', 'a\nB\nc')).toBeUndefined();
  });
});

it('a difference has every line of both texts that is near a change, and says where lines are left out', () => {
  const before = Array.from({ length: 20 }, (_, index) => `line ${index}`).join('\n');
  const shown = diffOf(before, before.replace('line 10', 'other'), 1);
  expect(shown.map(({ kind, text: shownText }) => `${kind} ${shownText}`)).toEqual([
    'gap ⋯',
    'same line 9',
    'removed line 10',
    'added other',
    'same line 11',
    'gap ⋯',
  ]);
});
