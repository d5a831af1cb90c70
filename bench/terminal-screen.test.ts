import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TerminalScreen } from './terminal-screen.ts';

function screenOf(...chunks: readonly string[]): string[] {
  const screen = new TerminalScreen();
  for (const chunk of chunks) screen.write(chunk);
  return screen.lines();
}

test('lines that are erased and written again show what was written last', () => {
  expect(screenOf('one\r\ntwo\r\n\x1b[2K\x1b[1A\x1b[2K\x1b[GTWO\r\n')).toEqual(['one', 'TWO', '']);
  expect(screenOf('abcdef\r\x1b[2Cxy\x1b[K')).toEqual(['abxy']);
  expect(screenOf('one\r\ntwo\r\nthree\x1b[2A\r\x1b[J')).toEqual(['']);
});

test('colours, modes and the hidden cursor leave no trace', () => {
  expect(screenOf('\x1b[?25l\x1b[1;32mgreen\x1b[39m\x1b[?2026h ∀\x1b[>4;2m')).toEqual(['green ∀']);
});

test('where the output is cut does not matter', () => {
  const text = 'a\r\n\x1b[?25lbc\x1b[2Kd\x1b[1A\x1b[3Gxy\r\n\x1b[31mred\x1b[39m\r\n';
  fc.assert(
    fc.property(fc.array(fc.nat(text.length)), (places) => {
      const cuts = [0, ...places.toSorted((left, right) => left - right), text.length];
      const chunks = cuts.slice(1).map((end, index) => text.slice(cuts[index], end));
      expect(screenOf(...chunks)).toEqual(screenOf(text));
    }),
  );
});
