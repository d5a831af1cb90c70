/**
 * What retrieval keeps between calls: the encoder, opened when a learned ranker first runs, and the proofs of
 * files.
 */
import { withoutByteOrderMark } from '../../../process/foreign-folder/byte-order-mark.ts';
import { errorText, QuodError } from '../../../core/errors.ts';
import type { Goal } from '../../../core/proof-state.ts';
import { LineIndex } from '../../../core/position.ts';
import { LARGEST_WRITTEN_BYTES, readRegularFile } from '../../../process/foreign-folder/regular-file.ts';
import { outlineOf } from '../../../provers/rocq/syntax/outline.ts';
import {
  indexedProofSchema,
  openProofIndex,
  type IndexedProof,
} from '../../../retrieval/index/dataset-index.ts';
import type { VectorIndex } from '../../../retrieval/index/vector-index.ts';
import { Encoder } from '../../../retrieval/model/encoder.ts';
import { rankerModelFolder } from '../../../retrieval/model/model-format.ts';
import { VectorStore } from '../../../retrieval/model/vector-store.ts';
import { finishedStatements, type WrittenStatement } from '../../../retrieval/outline-statements.ts';
import { rankerNamed } from '../../../retrieval/rankers/catalogue.ts';
import type { Collection, Ranker, RankerName } from '../../../retrieval/rankers/ranker.ts';
import type { Service, ServiceSettings } from '../../definition/services.ts';
import { sha256 } from '../../../core/sha256.ts';

/** A statement with the line at which it stands. */
export interface PlacedStatement extends WrittenStatement {
  readonly line: number;
}

/** What is taken when nobody asks for a ranker: the first of these that can run here. */
const PREFERRED: readonly RankerName[] = ['feedback', 'jaccard-feedback'];

const FILES_KEPT = 2000;

export class RetrievalService implements Service {
  readonly #settings: ServiceSettings;
  readonly #files = new Map<
    string,
    { readonly hash: string; readonly statements: readonly PlacedStatement[] }
  >();
  #encoder: Promise<Encoder> | undefined;
  #store: Promise<VectorStore> | undefined;
  #index: Promise<VectorIndex> | undefined;

  constructor(settings: ServiceSettings) {
    this.#settings = settings;
  }

  /**
   * The ranker that was asked for, with a collection, or the first preferred one that can run, with what was passed
   * over.
   * @throws QuodError when the one that was asked for cannot run.
   */
  async collection(
    wanted: RankerName | undefined,
    statements: readonly PlacedStatement[],
    signal: AbortSignal,
  ): Promise<{ ranker: Ranker; collection: Collection; passedOver: { ranker: string; why: string }[] }> {
    const passedOver: { ranker: string; why: string }[] = [];
    const names = wanted === undefined ? PREFERRED : [wanted];
    for (const [at, name] of names.entries()) {
      const ranker = rankerNamed(name, () => this.#vectors());
      try {
        return { ranker, collection: await ranker.collection(statements, signal), passedOver };
      } catch (error) {
        if (at === names.length - 1) throw error;
        passedOver.push({ ranker: name, why: errorText(error) });
      }
    }
    throw new RangeError('There is a preferred ranker.');
  }

  /** The finished proofs of a file as it is on disk now; none when it cannot be read as text. */
  async statementsOf(path: string, name: string): Promise<readonly PlacedStatement[]> {
    const bytes = await readRegularFile(path, LARGEST_WRITTEN_BYTES).catch(() => undefined);
    if (bytes === undefined) return [];
    const hash = sha256(bytes);
    const known = this.#files.get(path);
    if (known?.hash === hash) return known.statements;
    const outline = outlineOf(withoutByteOrderMark(bytes.toString('utf8')));
    const lines = new LineIndex(outline.text);
    const statements = finishedStatements(outline, name).map((statement) => ({
      ...statement,
      line: lines.printedAt(statement.offset).line,
    }));
    if (this.#files.size >= FILES_KEPT) this.#files.clear();
    this.#files.set(path, { hash, statements });
    return statements;
  }

  /**
   * The proofs of `$QUOD_PROOF_INDEX` that are nearest to a goal by the learned ranker, best first, and how many it
   * has.
   * @throws QuodError `not-found` when there is none, and as the index and the model do.
   */
  async indexed(
    goal: Goal,
    count: number,
    signal: AbortSignal,
  ): Promise<{ readonly proofs: readonly (IndexedProof & { score: number })[]; readonly size: number }> {
    const store = await this.#vectors();
    this.#index ??= this.#openIndex(store.model);
    // An index that is built meanwhile is found by the next call.
    this.#index.catch(() => (this.#index = undefined));
    const index = await this.#index;
    const [vector] = await store.vectors([goal], signal);
    const found = vector === undefined ? [] : await index.nearest(vector, count);
    const proofs = found.map(({ item, similarity }) => ({
      ...indexedProofSchema.parse(item),
      score: similarity,
    }));
    return { proofs, size: index.size };
  }

  #openIndex(model: string): Promise<VectorIndex> {
    const place = process.env['QUOD_PROOF_INDEX'];
    if (place) return openProofIndex(place, model);
    return Promise.reject(
      new QuodError('not-found', 'There is no index of proofs.', {
        remedy:
          'Make one (`data_mine`, then `data_index_proofs` of what it wrote) and set QUOD_PROOF_INDEX to it.',
      }),
    );
  }

  async close(): Promise<void> {
    const index = await this.#index?.catch(() => undefined);
    await index?.close();
    const encoder = await this.#encoder?.catch(() => undefined);
    await encoder?.close();
  }

  #vectors(): Promise<VectorStore> {
    this.#store ??= this.#open();
    // A model that is put there meanwhile is found by the next call.
    this.#store.catch(() => (this.#store = undefined));
    return this.#store;
  }

  async #open(): Promise<VectorStore> {
    this.#encoder = Encoder.open(rankerModelFolder());
    return new VectorStore(await this.#encoder, this.#settings.cacheDirectory);
  }
}

/** The factory under which the services hold it. */
export function retrievalService(settings: ServiceSettings): RetrievalService {
  return new RetrievalService(settings);
}
