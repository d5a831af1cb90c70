import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryHeap, arbitraryScript } from '../testing/random-script.ts';
import { readQuoteBody, holTokens } from './lexer.ts';

const shown = (text: string): readonly string[] =>
  holTokens(text)
    .filter(({ kind }) => kind !== 'space')
    .map(({ kind, span }) => `${kind} ${text.slice(span.start, span.end)}`);

describe('the lexer of scripts', () => {
  it('loses nothing, whatever the text is', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          arbitraryHeap,
          fc.string({ unit: 'grapheme' }),
          arbitraryScript.map(({ text }) => text),
        ),
        (text) => {
          const tokens = holTokens(text);
          expect(tokens.map(({ span }) => text.slice(span.start, span.end)).join('')).toBe(text);
          expect(tokens.every(({ span }) => span.end > span.start)).toBe(true);
        },
      ),
      { numRuns: 3000 },
    );
  });

  it('knows words, symbols, numbers, strings and characters of ML', () => {
    expect(shown('val x\' = Q.store_thm ~12 0wx1F 1.5e~3 #"a" #"\\"" "a\\"b" \'a >>~- \\\\ op o')).toEqual([
      'word val',
      "word x'",
      'symbol =',
      'word Q.store_thm',
      'number ~12',
      'number 0wx1F',
      'number 1.5e~3',
      'character #"a"',
      'character #"\\""',
      'string "a\\"b"',
      "type-variable 'a",
      'symbol >>~-',
      'symbol \\\\',
      'word op',
      'word o',
    ]);
  });

  it('nests comments and lets strings have gaps', () => {
    expect(shown('(* a (* b *) " *) "one\\\n   \\two" x')).toEqual([
      'comment (* a (* b *) " *)',
      'string "one\\\n   \\two"',
      'word x',
    ]);
  });

  it('reads quotations of all forms, with code in them', () => {
    const text = '`a` ``b`` “c ‘d’ "”"” ‘e ^(f ")" (* ) *) `g`) ^h’';
    const quotations = holTokens(text).filter(({ kind }) => kind === 'quotation');
    expect(quotations.map(({ span }) => text.slice(span.start, span.end))).toEqual([
      '`a`',
      '``b``',
      '“c ‘d’ "”"”',
      '‘e ^(f ")" (* ) *) `g`) ^h’',
    ]);
    expect(quotations.at(-1)?.antiquotations?.map(({ start, end }) => text.slice(start, end))).toEqual([
      '(f ")" (* ) *) `g`)',
      'h',
    ]);
  });

  it('ends a quotation at its mark in a comment too, and at a keyword in column zero', () => {
    const [first] = holTokens('`a (* b` *)');
    expect(first?.span).toEqual({ start: 0, end: 8 });
    const [open] = holTokens('`a\nEnd');
    expect(open).toMatchObject({ closed: false, span: { start: 0, end: 3 } });
    expect(readQuoteBody('x\nProofs', 0, 8, [])).toMatchObject({ end: 2, terminator: 'Proof' });
    expect(readQuoteBody('x Proof\n "\nProof"\nQED', 0, 21, []).terminator).toBeUndefined();
  });

  it('says what is never closed', () => {
    for (const text of ['(* a', '"b', '`c', '“d', '#"e']) expect(holTokens(text).at(-1)?.closed).toBe(false);
  });
});
