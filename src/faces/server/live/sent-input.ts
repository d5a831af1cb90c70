/** What was sent to a route that is no operation, with its faults told as those of the operations are. */
import type { z } from 'zod';
import { parseInput } from '../../../operations/definition/call-operation.ts';

/** @throws QuodError `invalid-input`. */
export async function sentInput<Schema extends z.ZodObject>(
  schema: Schema,
  request: { readonly json: () => Promise<unknown> },
): Promise<z.output<Schema>> {
  const sent = await request.json().catch(() => undefined);
  return parseInput(schema, sent);
}
