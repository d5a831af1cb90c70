/**
 * Terms are nested as deep as whoever writes them likes, and what walks them by recursion has a stack. What is too deep
 * for that is no defect: it is told of the one theorem or step that was worked on, and the rest goes on.
 */
import { QuodError } from './errors.ts';

/** The error of a stack that is used up, as one with a reason; undefined for any other. */
export function tooDeep(error: unknown): QuodError | undefined {
  if (!(error instanceof RangeError) || !error.message.includes('call stack')) return undefined;
  return new QuodError('too-large', 'Something in it is nested too deep to be worked on.', { cause: error });
}

/** Whether it is, said by whatever border. */
export function isTooDeep(error: unknown): error is QuodError {
  return error instanceof QuodError && error.reason === 'too-large' && tooDeep(error.cause) !== undefined;
}
