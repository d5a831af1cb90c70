import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tokenEnd, significantTokens, tokenise } from './lexer.ts';
import { rocqText } from './testing/random-text.ts';

function words(text: string): string {
  return significantTokens(text)
    .map((token) => token.text)
    .join(' ');
}

describe('tokens', () => {
  it.each([
    ['rewrite -!foo.+1 /bar ?addn0 //= x.1.', 'rewrite - ! foo .+1 / bar ? addn0 //= x .1 .'],
    ['move=>[x|y]->{H}/eqP.', 'move => [ x | y ] -> { H } / eqP .'],
    ['exact {|a:=x.(f)|}.', 'exact {| a := x .( f ) |} .'],
    ['l ↦∗ v ⊢ ∀x, P', 'l ↦∗ v ⊢ ∀ x , P'],
    ['⟦x⟧:=y', '⟦ x ⟧ := y'],
    ["f' αβ₁ _x A.b.c'", "f' αβ₁ _x A.b.c'"],
    ['1.5e3 0xFf 10_000 1..2', '1.5e3 0xFf 10_000 1 .. 2'],
    ['auto... [> a | .. ]', 'auto ... [> a | .. ]'],
    ['{x|-1<y}', '{ x |- 1 < y }'],
    ['a -∗ b <=? c', 'a -∗ b <=? c'],
  ])('of %s', (text, expected) => {
    expect(words(text)).toBe(expected);
  });

  it('have kinds', () => {
    expect(tokenise('a.b 1 "c""d" (* e *)lp:{{f}}:=').map(({ kind }) => kind)).toEqual([
      ...['identifier', 'blank', 'number', 'blank', 'string', 'blank', 'comment', 'quotation', 'symbol'],
    ]);
  });

  it('give the text back, whatever it is', () => {
    fc.assert(
      fc.property(rocqText, (text) => {
        const tokens = tokenise(text);
        expect(tokens.map((token) => token.text).join('')).toBe(text);
        let place = 0;
        for (const token of tokens) {
          expect(token.start).toBe(place);
          place = tokenEnd(token);
        }
        expect(significantTokens(text)).toEqual(
          tokens.filter(({ kind }) => kind !== 'blank' && kind !== 'comment'),
        );
      }),
    );
  });
});
