/** What retrieval keeps between calls: the encoder, opened when a learned ranker first runs, and the proofs of files. */
import { readFile } from 'node:fs/promises';
import { errorText } from '../../core/errors.ts';
import { LineIndex } from '../../core/position.ts';
import { outlineOf } from '../../provers/rocq/syntax/outline.ts';
import { Encoder } from '../../retrieval/model/encoder.ts';
import { rankerModelFolder } from '../../retrieval/model/model-format.ts';
import { VectorStore } from '../../retrieval/model/vector-store.ts';
import { finishedStatements, type WrittenStatement } from '../../retrieval/outline-statements.ts';
import { rankerNamed } from '../../retrieval/rankers/catalogue.ts';
import type { Collection, Ranker, RankerName } from '../../retrieval/rankers/ranker.ts';
import type { Service, ServiceSettings } from '../services.ts';
import { hashOf } from '../source-file.ts';

/** A statement with the line at which it stands. */
export interface PlacedStatement extends WrittenStatement {
  readonly line: number;
}

/** What is taken when nobody asks for a ranker: the first of these that can run here. */
const PREFERRED: readonly RankerName[] = ['tf-idf'];

const FILES_KEPT = 2000;

export class RetrievalService implements Service {
  readonly #settings: ServiceSettings;
  readonly #files = new Map<
    string,
    { readonly hash: string; readonly statements: readonly PlacedStatement[] }
  >();
  #encoder: Promise<Encoder> | undefined;
  #store: Promise<VectorStore> | undefined;

  constructor(settings: ServiceSettings) {
    this.#settings = settings;
  }

  /**
   * The ranker that was asked for, with a collection, or the first preferred one that can run, with what was passed over.
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
    const bytes = await readFile(path).catch(() => undefined);
    if (bytes === undefined) return [];
    const hash = hashOf(bytes);
    const known = this.#files.get(path);
    if (known?.hash === hash) return known.statements;
    const outline = outlineOf(bytes.toString('utf8').replace(/^\uFEFF/u, ''));
    const lines = new LineIndex(outline.text);
    const statements = finishedStatements(outline, name).map((statement) => ({
      ...statement,
      line: lines.printedAt(statement.offset).line,
    }));
    if (this.#files.size >= FILES_KEPT) this.#files.clear();
    this.#files.set(path, { hash, statements });
    return statements;
  }

  async close(): Promise<void> {
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
