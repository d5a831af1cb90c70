/**
 * What `Search _` answered behind a file's requires, stored by what the answer depends on: listing ten thousand
 * statements takes seconds, and they change only with the requires and the installed libraries.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { entryAt } from '../../core/entry.ts';
import { Turn } from '../../core/concurrency/turn.ts';
import type { FileOutline } from '../../provers/rocq/syntax/outline.ts';
import { type Lemma, lemmaFeatures } from '../../retrieval/lexical/lemma-similarity.ts';
import { readPackedText, writePacked } from './packed-file.ts';

const listSchema = z.object({
  /** Features that lemmas have. */
  features: z.array(z.number()),
  lemmas: z.array(
    z.object({
      name: z.string(),
      statement: z.string(),
      /** Which of the features. */
      has: z.array(z.number()),
    }),
  ),
});

/** The sentences in front of one that decide what can be named there. */
export function requireSentences(outline: FileOutline, upTo: number): string[] {
  return outline.sentences
    .slice(0, upTo)
    .flatMap(({ text }) => (/^(?:From|Require|Import|Export)\b/u.test(text) ? [text] : []));
}

export class StoredLemmas {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = join(directory, 'lemmas-3');
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
      return read(await readPackedText(path));
    } catch {
      // Absent or damaged: it is made again.
    }
    const listed = await list();
    if (listed.length === 0) return listed;
    const lemmas = await withFeatures(listed);
    try {
      await writePacked(path, written(lemmas));
    } catch {
      // A cache that cannot be written costs time, nothing else.
    }
    return lemmas;
  }
}

type LemmaWithFeatures = Lemma & { readonly features: readonly number[] };

/** Others have their turn meanwhile. */
async function withFeatures(lemmas: readonly Lemma[]): Promise<LemmaWithFeatures[]> {
  const made: LemmaWithFeatures[] = [];
  const turn = new Turn();
  for (const lemma of lemmas) {
    made.push({ ...lemma, features: lemmaFeatures(lemma) });
    if (turn.isOver) await turn.pass();
  }
  return made;
}

function written(lemmas: readonly LemmaWithFeatures[]): string {
  const places = new Map<number, number>();
  const placeOf = (feature: number): number => {
    const place = places.get(feature) ?? places.size;
    places.set(feature, place);
    return place;
  };
  const all = lemmas.map(({ name, statement, features }) => ({
    name,
    statement,
    has: features.map(placeOf),
  }));
  return JSON.stringify({ features: [...places.keys()], lemmas: all });
}

function read(text: string): LemmaWithFeatures[] {
  const { features, lemmas } = listSchema.parse(JSON.parse(text));
  return lemmas.map(({ name, statement, has }) => ({
    ...{ name, statement },
    features: has.map((place) => entryAt(features, place, 'feature')),
  }));
}
