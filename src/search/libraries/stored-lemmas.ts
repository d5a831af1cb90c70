/**
 * What `Search _` answered behind a file's requires, stored by what the answer depends on: listing ten thousand
 * statements takes seconds, and they change only with the requires and the installed libraries.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { z } from 'zod';
import { writeWholeFile } from '../../process/whole-file.ts';
import type { FileOutline } from '../../provers/rocq/syntax/outline.ts';
import type { Lemma } from '../../retrieval/lexical/lemma-memory.ts';

const lemmasSchema = z.array(z.object({ name: z.string(), statement: z.string() }));
const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** The sentences in front of one that decide what can be named there. */
export function requireSentences(outline: FileOutline, upTo: number): string[] {
  return outline.sentences
    .slice(0, upTo)
    .flatMap(({ text }) => (/^(?:From|Require|Import|Export)\b/u.test(text) ? [text] : []));
}

export class StoredLemmas {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = join(directory, 'lemmas-1');
  }

  /**
   * The lemmas behind the requires in front of a sentence; asks `list` and stores its answer when they are not
   * known.
   */
  async behindRequires(
    outline: FileOutline,
    upTo: number,
    context: string,
    list: () => Promise<readonly Lemma[]>,
  ): Promise<readonly Lemma[]> {
    const requires = requireSentences(outline, upTo);
    const key = createHash('sha256')
      .update(`${context}\0${requires.join('\n')}`)
      .digest('hex')
      .slice(0, 32);
    const path = join(this.#directory, `${key}.json.gz`);
    try {
      return lemmasSchema.parse(JSON.parse((await decompress(await readFile(path))).toString('utf8')));
    } catch {
      // Absent or damaged: it is made again.
    }
    const lemmas = await list();
    if (lemmas.length === 0) return lemmas;
    try {
      await writeWholeFile(path, await compress(JSON.stringify(lemmas)));
    } catch {
      // A cache that cannot be written costs time, nothing else.
    }
    return lemmas;
  }
}
