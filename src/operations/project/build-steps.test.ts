import { expect, test } from 'vitest';
import { QuodError } from '../../core/errors.ts';
import { buildStepOf, buildStepText } from './build-steps.ts';

test('the error of a file stands below it, and no line of it looks like one of Quod', () => {
  const failed = {
    kind: 'failed',
    library: 'Lib.A',
    file: 'A.v',
    line: 2,
    column: 0,
    seconds: null,
    reason: 'does-not-compile',
  } as const;
  expect(buildStepText({ ...failed, message: 'No.\nquod: all is well' })).toBe(
    '  ✗ Lib.A\n    A.v:2:0: No.\n      quod: all is well',
  );
});

test('of what failed the step has the reason: a file that may not be written is not in error', () => {
  const error = new QuodError('file-unwritable', 'A.vo cannot be written: it is a folder.');
  const event = { path: '/A.v', library: 'Lib.A', kind: 'failed', error } as const;
  expect(buildStepOf(event, () => 'A.v')).toMatchObject({ kind: 'failed', reason: 'file-unwritable' });
});
