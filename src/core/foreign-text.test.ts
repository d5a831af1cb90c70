import fc from 'fast-check';
import { expect, it } from 'vitest';
import { foreignName, foreignText, inert, inertJson, misleadingCharacter } from './foreign-text.ts';

it.each([
  ['an escape sequence', '\u001b[2Jgone', '\\u{1b}[2Jgone'],
  ['a carriage return', 'bad\rgood', 'bad\\u{d}good'],
  ['a carriage return before the end of a line', 'a\r\r\nb', 'a\\u{d}\nb'],
  ['the ends of lines of other systems as ends of lines', 'a\r\n\r\nb\r\n', 'a\n\nb\n'],
  ['a turned direction', 'a\u202eb', 'a\\u{202e}b'],
  ['a C1 control', '\u009b2J', '\\u{9b}2J'],
  ['what else ends a line', 'a\u0085b\u2028c\u2029d', 'a\\u{85}b\\u{2028}c\\u{2029}d'],
  ['ordinary letters, a tab and a line feed', 'é ∀ x,\n\ty', 'é ∀ x,\n\ty'],
])('shows %s', (_, text, shown) => {
  expect(inert(text)).toBe(shown);
});

it('no line but the first begins where Quod’s lines begin', () => {
  expect(foreignText('first\naccepted\r\n  t')).toBe('first\n    accepted\n      t');
});

it('nothing acts on a terminal, whatever the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const lines = foreignText(text).split('\n');
      expect(lines.slice(1).every((line) => line.startsWith('    '))).toBe(true);
      expect(lines.every((line) => !/[^\P{Cc}\t]/u.test(line))).toBe(true);
    }),
  );
});

it.each([
  0x34f, 0x85, 0xa0, 0x115f, 0x1160, 0x17b4, 0x180b, 0x200d, 0x2028, 0x2029, 0x202e, 0x2800, 0x3164, 0xe000,
  0xfe00, 0xffa0, 0x1d173, 0xe0100, 0xd800,
])('a name shows U+%d', (code) => {
  expect(foreignName(`a${String.fromCodePoint(code)}b`)).toBe(`a\\u{${code.toString(16)}}b`);
});

it('a name keeps letters, marks, digits, symbols and blanks', () => {
  for (const name of ['Nat.add_comm', 'e\u0301 ∀x₁', '模型 🙂 α→β']) expect(foreignName(name)).toBe(name);
});

it('JSON says the same value with nothing that acts', () => {
  expect(inertJson({ said: '\u009b2J\u202e\u007f' })).toBe(String.raw`{"said":"\u009b2J\u202e\u007f"}`);
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2), (value, indent) => {
      const written = inertJson(value, indent);
      expect(JSON.parse(written)).toEqual(JSON.parse(JSON.stringify(value)));
      expect(written).not.toMatch(/[^\P{Cc}\n]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u);
    }),
  );
});

it.each([
  ['\u001b[2J', 'a control character (U+001B)'],
  ['\r', 'a control character (U+000D)'],
  ['\u0085', 'a control character (U+0085)'],
  ['\u2028', 'a character that ends a line (U+2028)'],
  ['\u2029', 'a character that ends a line (U+2029)'],
  ['\u202e', 'a character that changes the order in which text is shown'],
  ['\u200e', 'a character that changes the order in which text is shown'],
])('a text that is to be put into a file has %j told', (text, what) => {
  expect(misleadingCharacter(`a${text}b`)).toMatchObject({ what, span: { start: 1, end: 2 } });
});

it('what is shown as it is, or lays a text out, does not mislead; all that acts does', () => {
  expect(misleadingCharacter('é ∀ x,\r\n\ty')).toBeUndefined();
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const laidOut = text.replace(/[\t\n\r]/gu, '');
      expect(misleadingCharacter(laidOut) === undefined).toBe(inert(laidOut) === laidOut);
    }),
  );
});
