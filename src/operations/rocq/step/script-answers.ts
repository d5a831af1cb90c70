/** What the answers of the operations that run scripts have in common. */
import { z } from 'zod';
import { orZero } from '../../../core/entry.ts';
import { withDotHint } from '../../../provers/rocq/syntax/missing-dot.ts';
import { rangeIn, rangeSchema } from '../session/positions.ts';
import type { ScriptFailure, ScriptRun } from './run-script.ts';

export const sentenceTimeout = z
  .number()
  .positive()
  .max(600)
  .default(30)
  .describe('Seconds for each sentence; one that takes longer is stopped, and the session goes on.');

export const messageSchema = z.object({ severity: z.string(), text: z.string() });

export const errorSchema = z
  .object({
    message: z.string(),
    reason: z
      .string()
      .nullable()
      .describe('A reason code when the sentence was not refused but not judged either.'),
    ...rangeSchema.shape,
  })
  .nullable()
  .describe('The first sentence that is refused; the place is in the script that was sent.');

export function refusedSentenceText(
  script: string,
  { span, error, reason }: Pick<ScriptFailure, 'span' | 'error' | 'reason'>,
): string {
  const message = error.message.trim();
  return reason === undefined ? withDotHint(message, script, span) : message;
}

export function scriptError(script: string, failure: ScriptRun['failure']) {
  if (failure === undefined) return null;
  return {
    message: refusedSentenceText(script, failure),
    reason: failure.reason ?? null,
    ...rangeIn(script, failure.error.span ?? failure.span),
  };
}

export function messagesOf(run: ScriptRun | undefined) {
  return (run?.messages ?? []).map(({ severity, message }) => ({ severity, text: message }));
}

/** What of a script was accepted, as it was sent. */
export function prefixOf(script: string, run: ScriptRun | undefined): string {
  return script.slice(0, orZero(run?.accepted.at(-1)?.span.end));
}
