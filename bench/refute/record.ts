/** What is kept of one statement that refute was asked about. */
import { z } from 'zod';

export const statementSchema = z.object({
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
