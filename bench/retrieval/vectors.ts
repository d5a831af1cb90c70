/**
 * The embedded index on many vectors. They are drawn in groups of twenty around random middles, nearer to each other than
 * to any other group: harder for a graph than learned vectors of real goals, which lie on far fewer dimensions.
 */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildEmbeddedIndex, openEmbeddedIndex } from '../../src/retrieval/index/embedded-index.ts';
import { DIMENSION } from '../../src/retrieval/model/model-format.ts';
import { drawVector } from '../../src/retrieval/testing/toy-vectors.ts';
import { processorSeconds } from './similarity.ts';

const PER_SOURCE = 10_000;
const NEIGHBOURS = 10;

export async function measureVectors(options: {
  readonly count: number;
  readonly queries: number;
  readonly threads: number;
}): Promise<void> {
  const { count, queries, threads } = options;
  const folder = mkdtempSync(join(tmpdir(), 'quod-vectors-'));
  try {
    const started = processorSeconds();
    const builder = await buildEmbeddedIndex({ folder, model: 'bench', threads });
    for (let first = 0; first < count; first += PER_SOURCE) {
      const size = Math.min(PER_SOURCE, count - first);
      const entries = Array.from({ length: size }, (_, at) => ({
        vector: drawVector(first + at),
        item: { number: first + at },
      }));
      await builder.add({ name: `source ${first}`, hash: 'one' }, entries);
      console.error(
        `${first + size} of ${count} after ${(processorSeconds() - started).toFixed(0)} processor seconds`,
      );
    }
    await builder.finish();
    await builder.close();
    const built = processorSeconds() - started;
    const disk = readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);

    const opening = processorSeconds();
    const index = await openEmbeddedIndex({ folder, model: 'bench' });
    const opened = processorSeconds() - opening;
    const asked = Array.from({ length: queries }, (_, at) => nearby(drawVector((at * 99_991) % count), at));
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
    const memory = process.memoryUsage().rss;
    const exact = exactNeighbours(asked, count);
    const hits = found.reduce((sum, near, at) => sum + near.filter((one) => exact[at]?.has(one)).length, 0);
    const at = (share: number): string => (times[Math.floor(share * (times.length - 1))] ?? NaN).toFixed(2);
    console.log(
      '| vectors | build, processor s | open, processor s | on disk | memory | median | p95 | recall@10 |',
    );
    console.log('|---|---|---|---|---|---|---|---|');
    console.log(
      `| ${count} | ${built.toFixed(0)} | ${opened.toFixed(1)} | ${(disk / 1e6).toFixed(0)} MB | ${(memory / 1e6).toFixed(0)} MB | ` +
        `${at(0.5)} ms | ${at(0.95)} ms | ${(hits / (queries * NEIGHBOURS)).toFixed(4)} |`,
    );
    await index.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
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
      if (best.length === NEIGHBOURS && similarity <= (best.at(-1)?.similarity ?? 0)) return;
      best.push({ number, similarity });
      best.sort((one, other) => other.similarity - one.similarity);
      best.length = Math.min(best.length, NEIGHBOURS);
    });
  }
  return nearest.map((best) => new Set(best.map(({ number }) => number)));
}
