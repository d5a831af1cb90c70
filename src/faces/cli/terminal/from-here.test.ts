import { join } from 'node:path';
import { expect, test } from 'vitest';
import { QuodError } from '../../../core/errors.ts';
import { fromHere } from './from-here.ts';
import { errorLine } from './print-error.ts';

test('a file below the current folder is named by its way from there', () => {
  const here = process.cwd();
  expect(fromHere(join(here, 'a', 'b.v'))).toBe(join('a', 'b.v'));
  for (const other of ['b.v', '../b.v', here, join(here, '..', 'b.v')]) expect(fromHere(other)).toBe(other);
});

test('so it is in the line of an error', () => {
  const error = new QuodError('unsupported', 'No.', { place: { file: join(process.cwd(), 'a.lean') } });
  expect(errorLine(error)).toBe('quod: a.lean: No. [unsupported]');
});
