import { expect, test } from 'vitest';
import { buildStepText } from './build-steps.ts';

test('the error of a file stands below it, and no line of it looks like one of Quod', () => {
  const failed = {
    kind: 'failed',
    library: 'Lib.A',
    file: 'A.v',
    line: 2,
    column: 0,
    seconds: null,
  } as const;
  expect(buildStepText({ ...failed, message: 'No.\nquod: all is well' })).toBe(
    '  ✗ Lib.A\n    A.v:2:0: No.\n      quod: all is well',
  );
});
