import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fstarLikeText } from '../testing/random-text.ts';
import { isTrivia, stringValue, type Token, fstarTokens } from './lexer.ts';

function code(text: string, dialect?: 'modern' | '2019'): readonly string[] {
  return fstarTokens(text, dialect)
    .filter((token) => !isTrivia(token))
    .map(({ text: own }) => own);
}

function only(text: string): Token {
  const [token, ...others] = fstarTokens(text);
  if (token === undefined || others.length > 0) throw new Error(`${text} is ${others.length + 1} tokens`);
  return token;
}

it('gives back every text, whatever it is, with the places of its tokens', () => {
  fc.assert(
    fc.property(fstarLikeText, fc.constantFrom('modern', '2019'), (text, dialect) => {
      const tokens = fstarTokens(text, dialect);
      expect(tokens.map(({ text: own }) => own).join('')).toBe(text);
      for (const { start, text: own } of tokens) expect(text.startsWith(own, start)).toBe(true);
      expect(tokens.every(({ text: own }) => own.length > 0)).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

describe('comments', () => {
  it.each([
    ['(* a (* b *) c *) x', ['x']],
    ['(* "*) x', ['x']],
    ['(*) y *) x', ['x']],
    ['(**) x', ['x']],
    ['(** doc *) x', ['x']],
    ['// a (* b\nx', ['x']],
    ['// a\rx', ['x']],
    ['// a\u2028x', ['x']],
    ['// IN F*: x', ['x']],
    ['a (* never ends', ['a']],
    ['(* a (* b *) x', []],
    ['"(*" x "*)"', ['"(*"', 'x', '"*)"']],
    ["'\"' x '\"'", ["'\"'", 'x', "'\"'"]],
  ])('%j leaves %j', (text, left) => {
    expect(code(text)).toEqual(left);
  });

  it('begin in the middle of an operator today and not in 2019', () => {
    expect(code('a +// b\nc')).toEqual(['a', '+', 'c']);
    expect(code('a +// b\nc', '2019')).toEqual(['a', '+//', 'b', 'c']);
  });

  it('say when they do not end', () => {
    expect(fstarTokens('x (* y').at(-1)).toMatchObject({ kind: 'comment', unfinished: true });
    expect(fstarTokens('"abc').at(-1)).toMatchObject({ kind: 'string', unfinished: true });
  });
});

describe('quotes', () => {
  it.each([
    ["'a'", 'character'],
    ["'a'B", 'character'],
    ["'''", 'character'],
    ["'\\x41'", 'character'],
    ["'\n'", 'character'],
    ["'a", 'type-variable'],
    ["'a'b", 'type-variable'],
    ["'Abc", 'type-variable'],
    ['``a name``', 'identifier'],
    ['"a\\"b"', 'string'],
    ['"a\\\\"', 'string'],
    ['"bytes"B', 'string'],
    ['"a\nb"', 'string'],
    ['```pulse fn f () { admit() } ```', 'blob'],
  ])('%j is a %s', (text, kind) => {
    expect(only(text).kind).toBe(kind);
  });

  it('are texts with their escapes read', () => {
    expect(stringValue(only('"a\\n\\x41\\u00e9\\"\\\n   b"'))).toBe('a\nAé"b');
  });
});

describe('names', () => {
  it.each([
    ["x'", 'identifier'],
    ['_', 'identifier'],
    ['λ', 'identifier'],
    ['Cons', 'constructor'],
    ['let!', 'identifier'],
    ['0x1FuL', 'number'],
    ['1.5R', 'number'],
    ['#push-options', 'pragma'],
    ['∧', 'operator'],
    ['==>', 'operator'],
  ])('%j is a %s', (text, kind) => {
    expect(only(text).kind).toBe(kind);
  });

  it('are cut at a comment that begins in them', () => {
    expect(code('let// a\nx')).toEqual(['let', 'x']);
    expect(code('List.Tot.map f')).toEqual(['List', '.', 'Tot', '.', 'map', 'f']);
  });
});
