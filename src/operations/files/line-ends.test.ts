import fc from 'fast-check';
import { expect, it } from 'vitest';
import { withLineEndsOf, withNewlines } from './line-ends.ts';

it.each([
  ['a blank in one line', 'a\r\nb\nc\rd\r\n', 'a \nb\nc\nd\n', 'a \r\nb\nc\rd\r\n'],
  ['a new line', 'a\r\nb\nc\r', 'a\nnew\nb\nc\n', 'a\r\nnew\nb\nc\r'],
  ['a line that is gone', 'a\r\nb\nc\rd', 'a\nc\nd', 'a\r\nc\rd'],
  ['two places', 'a\rb\nc\r\nd\ne\r', 'A\nb\nc\nnew\nd\nE\n', 'A\rb\nc\r\nnew\nd\nE\r'],
  ['no last line end', 'a\r\nb', 'a\nb\n', 'a\r\nb\n'],
  ['everything', 'a\r\nb\r\n', '', ''],
])('lines that were not edited keep their ends: %s', (_, before, edited, after) => {
  expect(withLineEndsOf(before, edited, '\n')).toBe(after);
});

it('new lines of a file whose lines end with CRLF do, too', () => {
  expect(withLineEndsOf('a\r\nb\r\n', 'a\nnew\nb\n', '\r\n')).toBe('a\r\nnew\r\nb\r\n');
});

const lines = fc.array(fc.tuple(fc.constantFrom('', 'a', 'b', 'c'), fc.constantFrom('\n', '\r\n')), {
  maxLength: 12,
});
const joined = (all: readonly (readonly string[])[]): string => all.flat().join('');

it('what is not edited is written back as it was, and what is, is the text that was edited', () => {
  fc.assert(
    fc.property(lines, lines, lines, (before, middle, after) => {
      const text = joined([...before, ...middle, ...after]);
      expect(withLineEndsOf(text, withNewlines(text), '\n')).toBe(text);
      const edited = `${withNewlines(joined(before))}edited\n${withNewlines(joined(after))}`;
      const written = withLineEndsOf(text, edited, '\n');
      expect(withNewlines(written)).toBe(edited);
      expect(written.startsWith(joined(before))).toBe(true);
      expect(written.endsWith(joined(after))).toBe(true);
    }),
  );
});
