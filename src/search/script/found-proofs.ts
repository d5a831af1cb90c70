/**
 * Proofs that the search found, as it found them, kept between runs: who asks again, to have it written or in the other
 * style, waits for no search. What is kept is a guess like any other: it is written out anew, the prover runs it and the
 * gate judges it.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { sha256 } from '../../core/sha256.ts';
import type { ScriptTree } from '../../provers/rocq/syntax/script-tree.ts';
import { keepNewest, readPackedText, writePacked } from '../libraries/packed-file.ts';

/** Below the folder of the cache. */
export const FOUND_PROOFS = 'found-1';
const MOST_KEPT = 2000;

const treeSchema: z.ZodType<ScriptTree> = z.object({
  sentences: z.array(z.string()),
  get children() {
    return z.array(treeSchema);
  },
});

const entrySchema = z.object({ found: treeSchema });

export class FoundProofs {
  readonly #folder: string;
  readonly #subject: string;

  /** @param subject In which file, by which prover and from which seed they were found. */
  constructor(cacheDirectory: string, subject: string) {
    this.#folder = join(cacheDirectory, FOUND_PROOFS);
    this.#subject = subject;
  }

  /** @param asked What it proves, in words. */
  async find(asked: string): Promise<ScriptTree | undefined> {
    try {
      return entrySchema.parse(JSON.parse(await readPackedText(this.#pathOf(asked)))).found;
    } catch {
      return undefined;
    }
  }

  /** Failing to keep it is no error: it is searched again. */
  async keep(asked: string, found: ScriptTree): Promise<void> {
    try {
      await writePacked(this.#pathOf(asked), JSON.stringify({ found }));
      await keepNewest(this.#folder, MOST_KEPT);
    } catch {
      // As said above.
    }
  }

  /** For what the gate rejected: the next run looks for another one. */
  async forget(asked: string): Promise<void> {
    await rm(this.#pathOf(asked), { force: true }).catch(() => undefined);
  }

  #pathOf(asked: string): string {
    const key = sha256(JSON.stringify([this.#subject, asked]));
    return join(this.#folder, `${key.slice(0, 32)}.json.gz`);
  }
}
