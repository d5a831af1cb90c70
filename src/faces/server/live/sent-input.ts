/** What was sent to a route that is no operation, with its faults told as those of the operations are. */
import type { z } from 'zod';
import { parsedJson } from '../../../core/json.ts';
import { parseInput } from '../../../operations/definition/call-operation.ts';
import { utf8Body } from '../../access/utf8-body.ts';

/** @throws QuodError `invalid-input`. */
export async function sentInput<Schema extends z.ZodObject>(
  schema: Schema,
  request: { readonly arrayBuffer: () => Promise<ArrayBuffer> },
): Promise<z.output<Schema>> {
  return parseInput(schema, parsedJson(utf8Body(await request.arrayBuffer())));
}
