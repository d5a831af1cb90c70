import { Text } from '@codemirror/state';
import { describe, expect, it } from 'vitest';
import { behind, isAt } from './place.ts';

const TEXT = 'Lemma a : 1 + 0 = 1.\nProof.\n  rewrite Nat.add_0_r. (* so *)\n  auto.\n';

function textOf(text: string): Text {
  return Text.of(text.split('\n'));
}

function end(of: string): number {
  return TEXT.indexOf(of) + of.length;
}

describe('isAt', () => {
  const place = { text: textOf(TEXT), to: end('Proof.') };

  it.each([
    ['behind the sentence', end('Proof.'), true],
    ['in the next one', end('rewr'), true],
    ['behind the dot of a name', end('Nat.'), true],
    ['behind the next one', end('add_0_r.'), false],
    ['before it', end('Pro'), false],
  ])('a cursor %s', (_, cursor, expected) => {
    expect(isAt(place, textOf(TEXT), cursor)).toBe(expected);
  });

  it('what is changed behind it does not matter, what is changed before it does', () => {
    const cursor = end('Proof.');
    expect(isAt(place, textOf(`${TEXT}(* more *)`), cursor)).toBe(true);
    expect(isAt(place, textOf(TEXT.replace('1 + 0', '2 + 0')), cursor)).toBe(false);
  });
});

describe('behind', () => {
  it('is the cursor between sentences, and the end of the sentence before where it is in one', () => {
    const text = textOf(TEXT);
    const place = { text, to: end('add_0_r.') };
    expect(behind(place, text, end('(* so *)\n  '))).toBe(end('(* so *)\n  '));
    expect(behind(place, text, end('  au'))).toBe(place.to);
    expect(behind(place, text, end('(* s'))).toBe(place.to);
  });
});
