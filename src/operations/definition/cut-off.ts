/** What an answer says of work that was stopped before its end: what was not looked at neither holds nor fails. */
import { z } from 'zod';
import { QuodError } from '../../core/errors.ts';

export const stoppedSchema = z
  .enum(['timeout', 'interrupted'])
  .nullable()
  .describe('What stopped the call before its end; null: nothing did.');

export type Stopped = z.output<typeof stoppedSchema>;

/** By what the work under this signal is stopped. */
export function stoppedBy(signal: AbortSignal): Stopped {
  if (!signal.aborted) return null;
  return signal.reason instanceof QuodError && signal.reason.reason === 'timeout' ? 'timeout' : 'interrupted';
}

/**
 * Whether what was looked at holds: what was refused does not, whatever came after. Else nothing is known of work that was
 * cut off.
 */
export function holdsSoFar({
  isRefused,
  isCutOff,
}: {
  readonly isRefused: boolean;
  readonly isCutOff: boolean;
}): boolean | undefined {
  if (isRefused) return false;
  return isCutOff ? undefined : true;
}

/** For people. */
export function stoppedText(stopped: NonNullable<Stopped>): string {
  return stopped === 'timeout' ? 'The time was over.' : 'The call was cancelled.';
}
