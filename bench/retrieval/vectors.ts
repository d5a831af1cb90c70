/**
 * The index on many vectors, in files and, given the URL of a PostgreSQL with pgvector, there too: the same vectors and
 * queries for both. They are drawn in groups of twenty around random middles, nearer to each other than to any
 * other group: harder for a graph than learned vectors of real goals, which lie on far fewer dimensions.
 */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { orZero } from '../../src/core/entry.ts';
import { buildEmbeddedIndex, openEmbeddedIndex } from '../../src/retrieval/index/embedded-index.ts';
import { buildPostgresIndex, openPostgresIndex } from '../../src/retrieval/index/postgres-index.ts';
import type { VectorIndex, VectorIndexBuilder } from '../../src/retrieval/index/vector-index.ts';
import { DIMENSION } from '../../src/retrieval/model/model-format.ts';
import { drawVector } from '../../src/retrieval/testing/toy-vectors.ts';

const PER_SOURCE = 10_000;
const NEIGHBOURS = 10;

export interface VectorsOptions {
  readonly count: number;
  readonly queries: number;
  readonly threads: number;
  /** Of a PostgreSQL with pgvector. */
  readonly postgres?: string;
}

interface Place {
  readonly name: string;
  readonly build: () => Promise<VectorIndexBuilder>;
  readonly open: () => Promise<VectorIndex>;
}

export async function measureVectors({ count, queries, threads, postgres }: VectorsOptions): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'quod-vectors-'));
  const places: Place[] = [
    {
      name: 'files',
      build: () => buildEmbeddedIndex({ folder, model: 'bench', threads }),
      open: () => openEmbeddedIndex({ folder, model: 'bench' }),
    },
  ];
  if (postgres !== undefined) {
    const place = { url: postgres, model: `bench${process.pid}` };
    places.push({
      name: 'PostgreSQL',
      build: () => buildPostgresIndex(place),
      open: () => openPostgresIndex(place),
    });
  }
  const asked = Array.from({ length: queries }, (_, at) => nearby(drawVector((at * 99_991) % count), at));
  const exact = exactNeighbours(asked, count);
  try {
    console.log(
      '| place | vectors | build, s | open, s | median | p95 | recall@10 | memory of this process |',
    );
    console.log('|---|---|---|---|---|---|---|---|');
    for (const place of places) {
      const [, buildSeconds] = await timed(() => build(place, count));
      const [index, openSeconds] = await timed(place.open);
      const { times, found } = await ask(index, asked);
      const memory = process.memoryUsage().rss;
      await index.close();
      const hits = found.reduce((sum, near, at) => sum + near.filter((one) => exact[at]?.has(one)).length, 0);
      const at = (share: number): string => (times[Math.floor(share * (times.length - 1))] ?? NaN).toFixed(2);
      console.log(
        `| ${place.name} | ${count} | ${buildSeconds.toFixed(0)} | ${openSeconds.toFixed(1)} | ${at(0.5)} ms | ` +
          `${at(0.95)} ms | ${(hits / (queries * NEIGHBOURS)).toFixed(4)} | ${(memory / 1e6).toFixed(0)} MB |`,
      );
    }
    const disk = readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
    console.log(`\nThe files have ${(disk / 1e6).toFixed(0)} MB.`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function timed<Result>(work: () => Promise<Result>): Promise<[result: Result, seconds: number]> {
  const started = performance.now();
  const result = await work();
  return [result, (performance.now() - started) / 1000];
}

async function build(place: Place, count: number): Promise<void> {
  const builder = await place.build();
  for (let first = 0; first < count; first += PER_SOURCE) {
    const size = Math.min(PER_SOURCE, count - first);
    const entries = Array.from({ length: size }, (_, at) => ({
      vector: drawVector(first + at),
      item: { number: first + at },
    }));
    await builder.add({ name: `source ${first}`, hash: 'one' }, entries);
    console.error(`${place.name}: ${first + size} of ${count}`);
  }
  await builder.finish();
  await builder.close();
}

/** Milliseconds, sorted, and the numbers that were found for each query. */
async function ask(
  index: VectorIndex,
  asked: readonly Float32Array[],
): Promise<{ times: number[]; found: number[][] }> {
  await index.nearest(asked[0] ?? new Float32Array(DIMENSION), NEIGHBOURS);
  const times: number[] = [];
  const found: number[][] = [];
  for (const query of asked) {
    const before = performance.now();
    const near = await index.nearest(query, NEIGHBOURS);
    times.push(performance.now() - before);
    found.push(near.map(({ item }) => (item as { number: number }).number));
  }
  times.sort((one, other) => one - other);
  return { times, found };
}

/** A query is no vector of the index, but not far from one. */
function nearby(vector: Float32Array, seed: number): Float32Array {
  const other = drawVector(1e9 + seed);
  const moved = vector.map((value, at) => value + 0.3 * (other[at] ?? 0));
  const length = Math.hypot(...moved);
  return moved.map((value) => value / length);
}

function exactNeighbours(queries: readonly Float32Array[], count: number): ReadonlySet<number>[] {
  const nearest = queries.map(() => [] as { number: number; similarity: number }[]);
  for (let number = 0; number < count; number += 1) {
    const vector = drawVector(number);
    queries.forEach((query, at) => {
      let similarity = 0;
      for (let place = 0; place < DIMENSION; place += 1)
        similarity += (vector[place] ?? 0) * (query[place] ?? 0);
      const best = nearest[at] ?? [];
      if (best.length === NEIGHBOURS && similarity <= orZero(best.at(-1)?.similarity)) return;
      best.push({ number, similarity });
      best.sort((one, other) => other.similarity - one.similarity);
      best.length = Math.min(best.length, NEIGHBOURS);
    });
  }
  return nearest.map((best) => new Set(best.map(({ number }) => number)));
}
