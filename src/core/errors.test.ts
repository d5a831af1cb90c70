import { expect, test } from 'vitest';
import { QuodError } from './errors.ts';

test('an error is one line, and what another program said keeps its own', () => {
  const details = { place: { file: 'a.v' }, remedy: 'Do this.' };
  expect(String(new QuodError('does-not-compile', 'It fails.', details))).toBe('a.v: It fails. Do this.');
  const said = new QuodError('does-not-compile', 'dune fails: Error:\n- 2.0 to 2.9', details);
  expect(String(said)).toBe('a.v: dune fails: Error:\n- 2.0 to 2.9\nDo this.');
});
