/** What happens around every call of an operation: its input is parsed with messages for people, its time is limited. */
import type { z } from 'zod';
import { QuodError } from '../../core/errors.ts';
import { nearestNames } from './nearest-names.ts';
import type { OperationContext } from './operation-context.ts';

/** @throws QuodError `invalid-input` with every fault of the input, and the nearest name of an unknown parameter. */
export function parseInput(name: string, schema: z.ZodObject, value: unknown): Record<string, unknown> {
  const result = schema.safeParse(value ?? {});
  if (result.success) return result.data;
  const known = Object.keys(schema.shape);
  const faults = result.error.issues.map((issue) => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys
        .map((key) => {
          const nearest = nearestNames(key, known)[0];
          return `there is no parameter \`${key}\`${nearest === undefined ? '' : ` (did you mean \`${nearest}\`?)`}`;
        })
        .join('; ');
    }
    return `${issue.path.length === 0 ? 'the input' : `\`${issue.path.join('.')}\``}: ${issue.message}`;
  });
  throw new QuodError('invalid-input', `${name}: ${faults.join('; ')}.`, {
    remedy: `Parameters: ${known.join(', ')}.`,
  });
}

/** Runs a call whose signal is aborted when its time is over. @throws QuodError `timeout`, `interrupted`. */
export async function withTimeout<Result>(
  name: string,
  seconds: number,
  context: OperationContext,
  run: (context: OperationContext) => Promise<Result>,
): Promise<Result> {
  const clock = new AbortController();
  const timer = setTimeout(() => {
    clock.abort();
  }, seconds * 1000);
  try {
    return await run({ ...context, signal: AbortSignal.any([context.signal, clock.signal]) });
  } catch (error) {
    if (clock.signal.aborted && !context.signal.aborted && isAbort(error)) {
      throw new QuodError('timeout', `${name} was given up after ${seconds} s.`, {
        remedy: 'Ask for less, or call it with a larger `timeout`.',
        cause: error,
      });
    }
    if (context.signal.aborted && !(error instanceof QuodError)) {
      throw new QuodError('interrupted', `${name} was cancelled.`, { cause: error });
    }
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

function isAbort(error: unknown): boolean {
  if (error instanceof QuodError) return error.reason === 'interrupted' || error.reason === 'timeout';
  return error instanceof Error && error.name === 'AbortError';
}
