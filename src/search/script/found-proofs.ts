/** How proofs are kept between runs: as the search found them, so that they are written out anew in whatever style. */
import { z } from 'zod';
import type { ScriptTree } from '../../provers/rocq/syntax/script-tree.ts';

const treeSchema: z.ZodType<ScriptTree> = z.object({
  sentences: z.array(z.string()),
  get children() {
    return z.array(treeSchema);
  },
});

export const FOUND_PROOFS = { folder: 'found-1', schema: z.object({ found: treeSchema }) };
