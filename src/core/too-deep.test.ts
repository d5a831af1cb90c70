import { expect, test } from 'vitest';
import { QuodError } from './errors.ts';
import { isTooDeep, tooDeep } from './too-deep.ts';

const endless = (): number => 1 + endless();

function thrown(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

test('a stack that is used up is told as a reason, and nothing else is', () => {
  const error = tooDeep(thrown(endless));
  expect(error).toMatchObject({ reason: 'too-large' });
  expect(isTooDeep(error)).toBe(true);
  expect(tooDeep(thrown(() => ''.padEnd(2 ** 31)))).toBeUndefined();
  expect(isTooDeep(new QuodError('too-large', 'A file of a gigabyte.'))).toBe(false);
});
