import { expect, test } from 'vitest';
import { QuodError, withRemedy } from './errors.ts';

test('an error is one line, and what another program said keeps its own', () => {
  const details = { place: { file: 'a.v' }, remedy: 'Do this.' };
  expect(String(new QuodError('does-not-compile', 'It fails.', details))).toBe('a.v: It fails. Do this.');
  const said = new QuodError('does-not-compile', 'dune fails: Error:\n- 2.0 to 2.9', details);
  expect(String(said)).toBe('a.v: dune fails: Error:\n- 2.0 to 2.9\nDo this.');
});

test('a message and what to do are one text, wherever they come from', () => {
  expect(withRemedy({ message: 'It fails.', remedy: 'Do this.' })).toBe('It fails. Do this.');
  expect(withRemedy({ message: 'It fails.' })).toBe('It fails.');
  expect(withRemedy({ message: 'It fails.', remedy: '' })).toBe('It fails.');
  expect(withRemedy({ message: 'Error:\n- 2.0', remedy: 'Do this.' })).toBe('Error:\n- 2.0\nDo this.');
});
