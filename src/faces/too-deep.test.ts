/** Terms are nested as deep as whoever writes them likes: a stack that is used up is no defect of Quod. */
import { expect, test } from 'vitest';
import { QuodError, isNestedTooDeep, tooDeep } from '../core/errors.ts';
import { asQuodError } from './error-object.ts';

const endless = (): number => 1 + endless();

function thrown(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

test('a stack that is used up is told as a reason, and nothing else is', () => {
  const error = asQuodError(thrown(endless));
  expect(error).toMatchObject({ reason: 'too-large' });
  expect(isNestedTooDeep(error)).toBe(true);
  expect(tooDeep(thrown(() => ''.padEnd(2 ** 31)))).toBeUndefined();
  expect(isNestedTooDeep(new QuodError('too-large', 'A file of a gigabyte.'))).toBe(false);
});
