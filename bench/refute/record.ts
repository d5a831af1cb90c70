/** What is kept of one statement that refute was asked about. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';

const statementSchema = z.object({
  library: z.string(),
  theorem: z.string(),
  mistake: z.string(),
  statement: z.string(),
});

export const recordSchema = z.object({
  ...statementSchema.shape,
  budget: z.number(),
  outcome: z.enum(['refuted', 'not-refuted', 'not-tried']),
  counterexample: z.string(),
  message: z.string(),
  suspects: z.array(z.string()),
  tried: z.number(),
  /** Of the search, the engine's loading included, without the gate. */
  searchSeconds: z.number(),
  seconds: z.number(),
  /** Processes that wanted to run at the same time, for each processor. */
  load: z.number(),
  at: z.string(),
  /** Of the program that was asked; the first records have none. */
  commit: z.string().optional(),
});

export type RefuteRecord = z.output<typeof recordSchema>;

export type DrawnStatement = z.output<typeof statementSchema>;

export function keyOfStatement({ library, theorem, mistake, statement }: DrawnStatement): string {
  return JSON.stringify([library, theorem, mistake, statement]);
}

/** What is kept of one statement that refute and QuickChick were asked about one after the other. */
export const besideRecordSchema = z.object({
  ...statementSchema.shape,
  budget: z.number(),
  refute: z.object({ outcome: recordSchema.shape.outcome, seconds: z.number() }),
  quickChick: z.object({
    outcome: z.enum(['refuted', 'passed', 'gave-up', 'too-slow', 'not-applicable']),
    message: z.string(),
    seconds: z.number().nullable(),
  }),
  load: z.number(),
  at: z.string(),
  commit: z.string(),
});

export type BesideRecord = z.output<typeof besideRecordSchema>;

/** Those that draw.ts has written, in its order. */
export function drawnStatements(): readonly DrawnStatement[] {
  return z
    .array(statementSchema)
    .parse(JSON.parse(readFileSync(new URL('statements.json', import.meta.url), 'utf8')));
}
