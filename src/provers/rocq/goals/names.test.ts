import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { freshHypothesis, freshName, PLAIN_NAME, tacticWords } from './names.ts';

const NAME = fc.stringMatching(/^[a-z][a-z0-9']{0,4}$/u);

describe('freshName', () => {
  it('is a plain name like the base that is not taken', () => {
    fc.assert(
      fc.property(NAME, fc.uniqueArray(NAME), (base, taken) => {
        const fresh = freshName(base, new Set(taken));
        expect(taken).not.toContain(fresh);
        expect(fresh).toMatch(PLAIN_NAME);
        expect(fresh.startsWith(base.replace(/\d+$/u, ''))).toBe(true);
      }),
    );
  });

  it('counts on from nought', () => {
    expect(freshName('x7', new Set(['x0', 'x2']))).toBe('x1');
    expect([freshHypothesis(new Set(), 0), freshHypothesis(new Set(['H']), 0)]).toEqual(['H', 'H0']);
  });
});

it('finds each word where it stands', () => {
  fc.assert(
    fc.property(
      fc.array(NAME, { maxLength: 8 }),
      fc.constantFrom(' ', '; ', ' (* no *) ', ' "no" '),
      (names, gap) => {
        const text = names.join(gap);
        const words = tacticWords(text);
        expect(words.map((word) => word.text)).toEqual(names);
        for (const word of words) expect(text.slice(word.start, word.end)).toBe(word.text);
      },
    ),
  );
});
