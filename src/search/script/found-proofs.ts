/**
 * How proofs are kept between runs: as the search found them, so that they can be written out anew in whatever style, and as
 * they were shown in each style that was asked for. Who was shown a proof gets the same one when it is written.
 */
import { z } from 'zod';
import type { ScriptTree } from '../../provers/rocq/syntax/script-tree.ts';

const treeSchema: z.ZodType<ScriptTree> = z.object({
  sentences: z.array(z.string()),
  get children() {
    return z.array(treeSchema);
  },
});

const shownSchema = z.object({ written: treeSchema, unnamed: treeSchema });

/** `shown` is by style; an entry of an older Quod has none. */
export const FOUND_PROOFS = {
  folder: 'found-1',
  schema: z.object({ found: treeSchema, shown: z.record(z.string(), shownSchema).optional() }),
};

export type KeptProof = z.output<typeof FOUND_PROOFS.schema>;
