/**
 * What a run found and later runs begin with: who asks again waits for no search. What is kept is a guess like any other. The
 * prover runs it anew and the gate judges it.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { z } from 'zod';
import { sha256 } from '../core/sha256.ts';
import { keepNewest, readPackedText, writePacked } from './libraries/packed-file.ts';
import type { ProveRequest } from './prove-request.ts';

const MOST_KEPT = 2000;

/** What is kept of one kind. */
export interface KindKept<Entry> {
  /** Below the folder of the cache. */
  readonly folder: string;
  readonly schema: z.ZodType<Entry>;
}

export class KeptBetweenRuns<Entry> {
  readonly #folder: string;
  readonly #schema: z.ZodType<Entry>;
  readonly #subject: string;

  private constructor(cacheDirectory: string, { folder, schema }: KindKept<Entry>, subject: string) {
    this.#folder = join(cacheDirectory, folder);
    this.#schema = schema;
    this.#subject = subject;
  }

  /** Kept by the file in which it was found, the prover and the seed. Undefined for a run that keeps nothing. */
  static of<Entry>(
    { cacheDirectory, prover, file, nodes, seed, costs, without = [] }: ProveRequest,
    kind: KindKept<Entry>,
  ): KeptBetweenRuns<Entry> | undefined {
    // What a run that can be repeated finds must not depend on runs before it, nor what is measured.
    const mayBeKept = nodes === undefined && costs === undefined && without.length === 0;
    if (cacheDirectory === undefined || !mayBeKept) return undefined;
    const subject = [prover.identity.version, file, String(seed)].join('\0');
    return new KeptBetweenRuns(cacheDirectory, kind, subject);
  }

  /** @param asked What it is found for, in words. */
  async find(asked: string): Promise<Entry | undefined> {
    try {
      return this.#schema.parse(JSON.parse(await readPackedText(this.#pathOf(asked))));
    } catch {
      return undefined;
    }
  }

  /** Failing to keep it is no error: it is searched again. */
  async keep(asked: string, entry: Entry): Promise<void> {
    try {
      await writePacked(this.#pathOf(asked), JSON.stringify(entry));
      await keepNewest(this.#folder, MOST_KEPT);
    } catch {
      // As said above.
    }
  }

  /** For what did not hold when it was looked at again: the next run looks for another one. */
  async forget(asked: string): Promise<void> {
    await rm(this.#pathOf(asked), { force: true }).catch(() => undefined);
  }

  #pathOf(asked: string): string {
    const key = sha256(JSON.stringify([this.#subject, asked]));
    return join(this.#folder, `${key.slice(0, 32)}.json.gz`);
  }
}
