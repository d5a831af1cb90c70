/**
 * Proofs that the search found, as it found them, kept between runs: who asks for the other style gets the same proof
 * rewritten, and waits for no search. What is kept is a guess like any other: the prover runs it and the gate judges it.
 */
import { join } from 'node:path';
import { z } from 'zod';
import { sha256 } from '../../core/sha256.ts';
import type { ScriptTree } from '../../provers/rocq/syntax/script-tree.ts';
import { keepNewest, readPackedText, writePacked } from '../libraries/packed-file.ts';
import { PROOF_STYLES, type ProofStyle } from './style/file-style.ts';

const FOLDER = 'found-1';
const MOST_KEPT = 2000;

const treeSchema: z.ZodType<ScriptTree> = z.object({
  sentences: z.array(z.string()),
  get children() {
    return z.array(treeSchema);
  },
});

const entrySchema = z.object({ style: z.enum(PROOF_STYLES), found: treeSchema });

export class FoundProofs {
  readonly #folder: string;
  readonly #subject: string;

  /** @param subject In which file, by which prover they were found. */
  constructor(cacheDirectory: string, subject: string) {
    this.#folder = join(cacheDirectory, FOLDER);
    this.#subject = subject;
  }

  /** @param asked What it proves, in words. @returns what was found for it and written in another style than this one. */
  async inOtherStyle(asked: string, style: ProofStyle): Promise<ScriptTree | undefined> {
    try {
      const kept = entrySchema.parse(JSON.parse(await readPackedText(this.#pathOf(asked))));
      return kept.style === style ? undefined : kept.found;
    } catch {
      return undefined;
    }
  }

  /** Failing to keep it is no error: it is searched again. */
  async keep(asked: string, style: ProofStyle, found: ScriptTree): Promise<void> {
    try {
      await writePacked(this.#pathOf(asked), JSON.stringify({ style, found }));
      await keepNewest(this.#folder, MOST_KEPT);
    } catch {
      // As said above.
    }
  }

  #pathOf(asked: string): string {
    const key = sha256(JSON.stringify([this.#subject, asked]));
    return join(this.#folder, `${key.slice(0, 32)}.json.gz`);
  }
}
