import { Text } from '@codemirror/state';
import { signal } from '@preact/signals';
import { describe, expect, it } from 'vitest';
import { behind, isAt, whyOldAt } from './place.ts';

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

describe('whyOldAt', () => {
  const made = { backend: 'coqidetop', file_hash: null, stale: [], libraries: 'one' };
  const place = { text: textOf(TEXT), to: end('Proof.'), restsOn: made };
  const why = (text: string, cursor: number, now: Partial<typeof made> = {}): string | undefined =>
    whyOldAt(
      place,
      {
        text: signal(textOf(text)),
        cursor: signal(cursor),
        checking: signal({ restsOn: { ...made, ...now } }),
      },
      'try again',
    );

  it('is nothing at the place, with the libraries as they were', () => {
    expect(why(TEXT, end('Proof.'))).toBeUndefined();
    expect(why(`${TEXT}(* more *)`, end('rewr'))).toBeUndefined();
  });

  it('is the text above, before the cursor, before the libraries', () => {
    const others = { libraries: 'other' };
    expect(why(TEXT.replace('1 + 0', '2 + 0'), end('add_0_r.'), others)).toBe(
      'The text above has changed since: try again.',
    );
    expect(why(TEXT, end('add_0_r.'), others)).toBe('It is of another place: try again.');
    expect(why(TEXT, end('Pro'))).toBe('It is of another place: try again.');
    expect(why(TEXT, end('Proof.'), others)).toMatch(/^What it requires.*has changed since: try again\.$/u);
  });

  it('is that nobody knows, where it was not noted what it was run with', () => {
    const open = {
      text: signal(textOf(TEXT)),
      cursor: signal(place.to),
      checking: signal({ restsOn: made }),
    };
    expect(whyOldAt({ ...place, restsOn: undefined }, open, 'try again')).toMatch(/not known any more/u);
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
