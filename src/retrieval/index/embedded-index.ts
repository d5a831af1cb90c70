/**
 * A vector index in files of this machine, searched in this process by usearch's HNSW graph.
 *
 * The folder has the records (see `record-file.ts`), a graph over the first so many of them, and `manifest.json`,
 * which says how much of each counts. The manifest is replaced as a whole once what it says is on the disk: that is
 * the commit. The graph is only a shortcut: it is saved now and then, compared with its hash before it is loaded,
 * and made again from the records when it is behind or damaged. Neighbours that the graph names are scored with the
 * vectors of the records.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Index, MetricKind, ScalarKind } from 'usearch';
import { z } from 'zod';
import { LARGEST_WRITTEN_BYTES, readRegularText } from '../../process/foreign-folder/regular-file.ts';
import { isAlive } from '../../process/process-table.ts';
import { orZero } from '../../core/entry.ts';
import { QuodError, errorText } from '../../core/errors.ts';
import { DIMENSION } from '../model/model-format.ts';
import { damagedIndex, RecordFile, type StoredRecord } from './record-file.ts';
import type {
  IndexEntry,
  IndexSource,
  VectorIndex,
  VectorIndexBuilder,
  VectorNeighbour,
} from './vector-index.ts';

const FORMAT_VERSION = 1;

/** Measured by `npm run bench:retrieval`: what recall and time are with these. */
const CONNECTIVITY = 16;
const EXPANSION_WHEN_ADDING = 128;
const EXPANSION_WHEN_SEARCHING = 128;

/** Neighbours taken from the graph for each that is answered: its vectors are coarser than the records'. */
const RESCORED = 4;
/** A graph is saved when there are so many vectors that it lacks, and as many as it has. */
const SAVE_EVERY = 50_000;
const CHUNK = 4096;

const manifestSchema = z.object({
  format: z.literal('quod-vectors'),
  version: z.literal(FORMAT_VERSION),
  model_sha256: z.string(),
  dimension: z.literal(DIMENSION),
  count: z.int().nonnegative(),
  item_bytes: z.int().nonnegative(),
  /** Hash of each source by its name. */
  sources: z.record(z.string(), z.string()),
  graph: z.object({ file: z.string(), count: z.int().positive(), sha256: z.string() }).nullable(),
});

type Manifest = z.infer<typeof manifestSchema>;

export interface EmbeddedIndexOptions {
  readonly folder: string;
  /** `model_sha256` of the model whose vectors they are. */
  readonly model: string;
  /** Threads that add to the graph; default 1. */
  readonly threads?: number;
}

/** Opens for searching. @throws QuodError `not-found`, `file-unreadable` (damaged), `invalid-input` (another model). */
export async function openEmbeddedIndex(options: EmbeddedIndexOptions): Promise<VectorIndex> {
  const manifest = await readManifest(options);
  if (manifest === undefined) {
    throw new QuodError('not-found', 'There is no vector index.', {
      place: { file: options.folder },
      remedy: 'Build one from a data set first.',
    });
  }
  const records = await RecordFile.open(options.folder, manifest.count, manifest.item_bytes, false);
  try {
    const graph = await completeGraph(options, manifest, records);
    return new EmbeddedIndex(records, graph);
  } catch (error) {
    await records.close();
    throw error;
  }
}

class EmbeddedIndex implements VectorIndex {
  readonly #records: RecordFile;
  readonly #graph: Index;

  constructor(records: RecordFile, graph: Index) {
    this.#records = records;
    this.#graph = graph;
  }

  get size(): number {
    return this.#records.count;
  }

  async nearest(vector: Float32Array, count: number): Promise<VectorNeighbour[]> {
    if (this.size === 0) return [];
    const { keys } = this.#graph.search(vector, Math.min(this.size, count * RESCORED), 1);
    const found = await Promise.all(
      Array.from(keys, async (key) => {
        const { vector: stored, item } = await this.#records.read(Number(key));
        return { item, similarity: cosineToUnit(vector, stored) };
      }),
    );
    return found.sort((one, other) => other.similarity - one.similarity).slice(0, count);
  }

  close(): Promise<void> {
    return this.#records.close();
  }
}

/** Opens for adding, and makes the index when there is none. One process at a time. */
export async function buildEmbeddedIndex(options: EmbeddedIndexOptions): Promise<VectorIndexBuilder> {
  await mkdir(options.folder, { recursive: true });
  const unlock = await lock(options.folder);
  try {
    const manifest = (await readManifest(options)) ?? emptyManifest(options.model);
    const records = await RecordFile.open(options.folder, manifest.count, manifest.item_bytes, true);
    return new EmbeddedIndexBuilder(options, manifest, records, unlock);
  } catch (error) {
    await unlock();
    throw error;
  }
}

class EmbeddedIndexBuilder implements VectorIndexBuilder {
  readonly #options: EmbeddedIndexOptions;
  readonly #records: RecordFile;
  readonly #unlock: () => Promise<void>;
  #manifest: Manifest;
  /** Made when it is needed: adding to an index that is already finished should not load it. */
  #graph: Index | undefined;

  constructor(
    options: EmbeddedIndexOptions,
    manifest: Manifest,
    records: RecordFile,
    unlock: () => Promise<void>,
  ) {
    this.#options = options;
    this.#manifest = manifest;
    this.#records = records;
    this.#unlock = unlock;
  }

  get size(): number {
    return this.#manifest.count;
  }

  has({ name, hash }: IndexSource): boolean {
    const known = this.#manifest.sources[name];
    if (known === undefined || known === hash) return known === hash;
    throw new QuodError('invalid-input', `The index has an older version of ${name}.`, {
      place: { file: this.#options.folder },
      remedy: 'Delete the folder and build the index again.',
    });
  }

  async add(source: IndexSource, entries: readonly IndexEntry[]): Promise<void> {
    if (this.has(source)) return;
    this.#graph ??= await completeGraph(this.#options, this.#manifest, this.#records);
    const first = this.#records.count;
    const { itemBytes } = this.#records;
    try {
      await this.#records.append(entries);
      await this.#commit({
        count: this.#records.count,
        item_bytes: this.#records.itemBytes,
        sources: { ...this.#manifest.sources, [source.name]: source.hash },
      });
    } catch (error) {
      // What was not committed must not be taken along by the next commit.
      this.#records.rewind(first, itemBytes);
      throw error;
    }
    addToGraph(
      this.#graph,
      first,
      await this.#records.readMany(first, entries.length),
      this.#options.threads,
    );
    const saved = orZero(this.#manifest.graph?.count);
    if (this.size - saved >= Math.max(SAVE_EVERY, saved)) await this.finish();
  }

  async finish(): Promise<void> {
    if (this.size === orZero(this.#manifest.graph?.count)) return;
    this.#graph ??= await completeGraph(this.#options, this.#manifest, this.#records);
    const { folder } = this.#options;
    const file = `graph-${this.size}.usearch`;
    const temporary = join(folder, `${file}.part`);
    this.#graph.save(temporary);
    const sha256 = await fileHash(temporary);
    await forceToDisk(temporary);
    await rename(temporary, join(folder, file));
    const before = this.#manifest.graph;
    await this.#commit({ graph: { file, count: this.size, sha256 } });
    if (before !== null) await rm(join(folder, before.file), { force: true });
  }

  async #commit(change: Partial<Manifest>): Promise<void> {
    const manifest = { ...this.#manifest, ...change };
    const path = join(this.#options.folder, 'manifest.json');
    await writeFile(`${path}.part`, JSON.stringify(manifest));
    await forceToDisk(`${path}.part`);
    await rename(`${path}.part`, path);
    this.#manifest = manifest;
  }

  async close(): Promise<void> {
    await this.#records.close();
    await this.#unlock();
  }
}

function emptyManifest(model: string): Manifest {
  return {
    format: 'quod-vectors',
    version: FORMAT_VERSION,
    model_sha256: model,
    dimension: DIMENSION,
    count: 0,
    item_bytes: 0,
    sources: {},
    graph: null,
  };
}

async function readManifest({ folder, model }: EmbeddedIndexOptions): Promise<Manifest | undefined> {
  const text = await readRegularText(join(folder, 'manifest.json'), LARGEST_WRITTEN_BYTES).catch(
    (error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw damagedIndex(folder, errorText(error), error);
    },
  );
  if (text === undefined) return undefined;
  let manifest: Manifest;
  try {
    manifest = manifestSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw damagedIndex(folder, 'manifest.json cannot be read', cause);
  }
  if (manifest.model_sha256 === model) return manifest;
  throw new QuodError('invalid-input', 'The vector index was made with another model.', {
    place: { file: folder },
    remedy:
      'Delete the folder and build the index again, or set QUOD_RANKER_MODEL to the model that it was made with.',
  });
}

/** The graph over all records: the saved one when it is sound, and what it lacks. */
async function completeGraph(
  { folder, threads }: EmbeddedIndexOptions,
  manifest: Manifest,
  records: RecordFile,
): Promise<Index> {
  const saved = manifest.graph === null ? undefined : await loadGraph(folder, manifest.graph);
  const graph = saved ?? emptyGraph();
  for (
    let first = saved === undefined ? 0 : orZero(manifest.graph?.count);
    first < records.count;
    first += CHUNK
  ) {
    const count = Math.min(CHUNK, records.count - first);
    addToGraph(graph, first, await records.readMany(first, count), threads);
  }
  return graph;
}

function emptyGraph(): Index {
  return new Index({
    dimensions: DIMENSION,
    metric: MetricKind.Cos,
    quantization: ScalarKind.I8,
    connectivity: CONNECTIVITY,
    expansion_add: EXPANSION_WHEN_ADDING,
    expansion_search: EXPANSION_WHEN_SEARCHING,
    multi: false,
  });
}

/** Undefined when the file is not what was saved: native code must not read it. */
async function loadGraph(folder: string, saved: NonNullable<Manifest['graph']>): Promise<Index | undefined> {
  const path = join(folder, saved.file);
  const hash = await fileHash(path).catch(() => undefined);
  if (hash !== saved.sha256) return undefined;
  const graph = emptyGraph();
  graph.load(path);
  return graph.size() === saved.count && graph.dimensions() === DIMENSION ? graph : undefined;
}

function addToGraph(graph: Index, first: number, records: readonly StoredRecord[], threads = 1): void {
  if (records.length === 0) return;
  const vectors = new Float32Array(records.length * DIMENSION);
  records.forEach(({ vector }, at) => {
    vectors.set(vector, at * DIMENSION);
  });
  graph.add(
    BigUint64Array.from(records, (_, at) => BigInt(first + at)),
    vectors,
    threads,
  );
}

async function fileHash(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

async function forceToDisk(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** @throws QuodError `invalid-input` while another process that lives builds in the folder. */
async function lock(folder: string): Promise<() => Promise<void>> {
  const path = join(folder, 'building');
  for (;;) {
    try {
      await writeFile(path, String(process.pid), { flag: 'wx' });
      return () => rm(path, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const holder = Number(await readRegularText(path, LARGEST_WRITTEN_BYTES).catch(() => ''));
      if (isAlive(holder)) {
        throw new QuodError('invalid-input', `Process ${holder} is building this index.`, {
          place: { file: folder },
          remedy: 'Wait for it, or build in another folder.',
        });
      }
      // Its builder was killed.
      await rm(path, { force: true });
    }
  }
}

function cosineToUnit(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  let square = 0;
  for (let at = 0; at < DIMENSION; at += 1) {
    const value = other[at] ?? 0;
    sum += (one[at] ?? 0) * value;
    square += value * value;
  }
  return sum / (Math.sqrt(square) || 1);
}
