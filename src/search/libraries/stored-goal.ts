import { z } from 'zod';
import type { Goal } from '../../core/proof-state.ts';

/** A goal as JSON in the cache. */
export const storedGoalSchema: z.ZodType<Goal> = z.object({
  id: z.string(),
  hypotheses: z.array(z.object({ name: z.string(), type: z.string(), body: z.string().exactOptional() })),
  conclusion: z.string(),
});
