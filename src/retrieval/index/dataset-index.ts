/** The proofs of a data set as a vector index, so that what is like a goal is found among all of them at once. */
import { resolve } from 'node:path';
import { z } from 'zod';
import type { Goal } from '../../core/proof-state.ts';
import type { Dataset, SourceRecord } from '../../mining/dataset.ts';
import type { Item } from '../../mining/item.ts';
import type { Encoder } from '../model/encoder.ts';
import { buildEmbeddedIndex, openEmbeddedIndex } from './embedded-index.ts';
import { buildPostgresIndex, openPostgresIndex } from './postgres-index.ts';
import type { VectorIndex, VectorIndexBuilder } from './vector-index.ts';

/** What a neighbour is: where it stands, what it says and how it was proved. */
export const indexedProofSchema = z.object({
  name: z.string(),
  library: z.string(),
  file: z.string(),
  line: z.int(),
  statement: z.string(),
  proof: z.string(),
});

export type IndexedProof = z.infer<typeof indexedProofSchema>;

/** Whether a place is the URL of a PostgreSQL; all other places are folders. */
export const isUrl = (place: string): boolean => /^postgres(?:ql)?:\/\//u.test(place);

/** A place as it may be shown: a URL without its password. */
export function shownPlace(place: string): string {
  if (!isUrl(place)) return place;
  return place.replace(/(:\/\/[^:@/?]*):[^/?]*@/u, '$1:***@').replace(/([?&]password=)[^&]*/giu, '$1***');
}

/** @param place A folder, or the URL of a PostgreSQL. @throws QuodError when there is none, or of another model. */
export function openProofIndex(place: string, model: string): Promise<VectorIndex> {
  return isUrl(place)
    ? openPostgresIndex({ url: place, model })
    : openEmbeddedIndex({ folder: resolve(place), model });
}

export interface IndexingRequest {
  readonly dataset: Dataset;
  readonly encoder: Pick<Encoder, 'card' | 'encode'>;
  /** A folder, or the URL of a PostgreSQL. */
  readonly place: string;
  readonly signal?: AbortSignal;
  readonly onSource?: (record: SourceRecord, added: boolean) => void;
}

/**
 * Adds every source of a data set that the index does not have. A source is added whole or not at all, so a build
 * that was stopped goes on where it was. @returns How many vectors the index has.
 * @throws QuodError `invalid-input` when the index has another version of a source.
 */
export async function indexDataset(request: IndexingRequest): Promise<number> {
  const { dataset, encoder, place, signal } = request;
  const model = encoder.card.model_sha256;
  const builder: VectorIndexBuilder = isUrl(place)
    ? await buildPostgresIndex({ url: place, model })
    : await buildEmbeddedIndex({ folder: resolve(place), model });
  try {
    for (const library of await dataset.libraries()) {
      signal?.throwIfAborted();
      const record = await dataset.record(library);
      if (record === undefined) continue;
      const source = { name: library, hash: record.itemsHash };
      const known = builder.has(source);
      if (!known) {
        const items = await dataset.items(record);
        const vectors = await encoder.encode(items.map(goalOf), signal);
        const entries = items.map((item, at) => ({
          vector: vectors[at] ?? new Float32Array(),
          item: indexed(item),
        }));
        await builder.add(source, entries);
      }
      request.onSource?.(record, !known);
    }
    await builder.finish();
    return builder.size;
  } finally {
    await builder.close();
  }
}

function goalOf({ hypotheses, goal }: Item): Goal {
  return {
    id: '',
    hypotheses: hypotheses.map(({ name, type, body }) => ({
      name,
      type,
      ...(body !== undefined && { body }),
    })),
    conclusion: goal,
  };
}

function indexed({ name, library, file, line, statement, proof }: Item): IndexedProof {
  return { name, library, file, line, statement, proof };
}
