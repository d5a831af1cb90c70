import { spawn } from 'node:child_process';
import {
  appendFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  rmdir,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { toyEntries, toyVector } from '../testing/toy-vectors.ts';
import { buildEmbeddedIndex, openEmbeddedIndex } from './embedded-index.ts';
import { RECORD_BYTES } from './record-file.ts';
import type { VectorIndex } from './vector-index.ts';

const PER_SOURCE = 100;

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quod-index-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function build(sources: number, finish = true): Promise<void> {
  const builder = await buildEmbeddedIndex({ folder, model: 'toy' });
  for (let source = 0; source < sources; source += 1)
    await builder.add({ name: `source ${source}`, hash: 'one' }, toyEntries(source * PER_SOURCE, PER_SOURCE));
  if (finish) await builder.finish();
  await builder.close();
}

async function numbersNear(index: VectorIndex, query: Float32Array, count: number): Promise<number[]> {
  return (await index.nearest(query, count)).map(({ item }) => (item as { number: number }).number);
}

function exactNeighbours(query: Float32Array, size: number, count: number): number[] {
  return Array.from({ length: size }, (_, number) => ({
    number,
    similarity: toyVector(number).reduce((sum, value, at) => sum + value * (query[at] ?? 0), 0),
  }))
    .sort((one, other) => other.similarity - one.similarity)
    .slice(0, count)
    .map(({ number }) => number);
}

/** The whole promise: an index of so many vectors finds each of some of them, and the nearest to it. */
async function expectSound(size: number): Promise<void> {
  const index = await openEmbeddedIndex({ folder, model: 'toy' });
  try {
    expect(index.size).toBe(size);
    let found = 0;
    for (let query = 0; query < 10; query += 1) {
      const number = (query * 7919) % size;
      const near = await numbersNear(index, toyVector(number), 10);
      expect(near[0]).toBe(number);
      const exact = new Set(exactNeighbours(toyVector(number), size, 10));
      found += near.filter((one) => exact.has(one)).length;
    }
    expect(found / 100).toBeGreaterThanOrEqual(0.95);
  } finally {
    await index.close();
  }
}

describe('an embedded index', () => {
  it('finds the nearest, with their items and cosines', async () => {
    await build(8);
    await expectSound(8 * PER_SOURCE);
    const index = await openEmbeddedIndex({ folder, model: 'toy' });
    const [itself, neighbour] = await index.nearest(toyVector(45), 2);
    expect(itself).toMatchObject({ item: { number: 45 } });
    expect(itself?.similarity).toBeCloseTo(1, 3);
    expect(neighbour?.similarity).toBeLessThan(0.95);
    await index.close();
  });

  it('is the same without the graph, with one that is behind, and with a damaged one', async () => {
    await build(3, false);
    await expectSound(3 * PER_SOURCE);
    await build(3);
    await build(5, false);
    await expectSound(5 * PER_SOURCE);
    const [graph = ''] = (await readdir(folder)).filter((name) => name.startsWith('graph'));
    const content = await readFile(join(folder, graph));
    content.writeUInt8(content.readUInt8(2000) ^ 0xff, 2000);
    await writeFile(join(folder, graph), content);
    await expectSound(5 * PER_SOURCE);
    await truncate(join(folder, graph), 100);
    await expectSound(5 * PER_SOURCE);
  });

  it('goes on after a part that was written but not committed', async () => {
    await build(3);
    await appendFile(join(folder, 'records.bin'), 'half a record');
    await appendFile(join(folder, 'items.jsonl'), '{"number": 17');
    await build(4);
    await expectSound(4 * PER_SOURCE);
  });

  it('adds a source once, and refuses another version of it', async () => {
    await build(2);
    await build(2);
    const builder = await buildEmbeddedIndex({ folder, model: 'toy' });
    expect(builder.size).toBe(2 * PER_SOURCE);
    expect(builder.has({ name: 'source 1', hash: 'one' })).toBe(true);
    expect(builder.has({ name: 'source 2', hash: 'one' })).toBe(false);
    await expect(builder.add({ name: 'source 1', hash: 'two' }, [])).rejects.toMatchObject({
      reason: 'invalid-input',
    });
    await builder.close();
  });

  it('takes nothing along of a source that could not be added', async () => {
    const builder = await buildEmbeddedIndex({ folder, model: 'toy' });
    await builder.add({ name: 'source 0', hash: 'one' }, toyEntries(0, PER_SOURCE));
    // A folder where the next manifest would be written first: the commit fails after the records were written.
    await mkdir(join(folder, 'manifest.json.part'));
    const next = { name: 'source 1', hash: 'one' };
    await expect(builder.add(next, toyEntries(5000, 7))).rejects.toThrow();
    await rmdir(join(folder, 'manifest.json.part'));
    expect(builder.has(next)).toBe(false);
    await builder.add(next, toyEntries(PER_SOURCE, PER_SOURCE));
    await builder.close();
    await expectSound(2 * PER_SOURCE);
  });

  it('loses nothing that was committed when its builder is killed, at any moment', async () => {
    const script = fileURLToPath(new URL('../testing/build-until-killed.ts', import.meta.url));
    let committed = 0;
    for (const delay of [0, 3, 11, 1, 29]) {
      const child = spawn(process.execPath, [script, folder, String(PER_SOURCE)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const ended = new Promise((resolve) => child.once('close', resolve));
      child.stdout.setEncoding('utf8').on('data', (lines: string) => {
        committed = Math.max(committed, ...lines.trim().split('\n').map(Number));
        // Somewhere in the middle of a later source.
        setTimeout(() => child.kill('SIGKILL'), delay);
      });
      await ended;
      const index = await openEmbeddedIndex({ folder, model: 'toy' });
      expect(index.size).toBeGreaterThanOrEqual(committed);
      expect(index.size % PER_SOURCE).toBe(0);
      await index.close();
    }
    expect(committed).toBeGreaterThan(0);
    const builder = await buildEmbeddedIndex({ folder, model: 'toy' });
    const { size } = builder;
    await builder.finish();
    await builder.close();
    await expectSound(size);
  });

  it('is built by one process at a time', async () => {
    const builder = await buildEmbeddedIndex({ folder, model: 'toy' });
    await expect(buildEmbeddedIndex({ folder, model: 'toy' })).rejects.toMatchObject({
      reason: 'invalid-input',
    });
    await builder.close();
    await build(1);
  });
});

describe('an embedded index that cannot be used', () => {
  it('says that there is none', async () => {
    await expect(openEmbeddedIndex({ folder, model: 'toy' })).rejects.toMatchObject({ reason: 'not-found' });
  });

  it('refuses another model', async () => {
    await build(1);
    for (const open of [openEmbeddedIndex, buildEmbeddedIndex])
      await expect(open({ folder, model: 'other' })).rejects.toMatchObject({
        reason: 'invalid-input',
        message: expect.stringContaining('another model') as unknown,
      });
  });

  it.each<[string, () => Promise<unknown>]>([
    ['a manifest that is no JSON', () => writeFile(join(folder, 'manifest.json'), '{"format"')],
    [
      'a manifest of another version',
      () => writeFile(join(folder, 'manifest.json'), '{"format":"quod-vectors","version":2}'),
    ],
    ['records that are cut short', () => truncate(join(folder, 'records.bin'), RECORD_BYTES * 50)],
    ['items that are cut short', () => truncate(join(folder, 'items.jsonl'), 20)],
    ['records that are gone', () => rm(join(folder, 'records.bin'))],
  ])('refuses %s', async (_, damage) => {
    await build(1);
    await damage();
    await expect(openEmbeddedIndex({ folder, model: 'toy' })).rejects.toMatchObject({
      reason: 'file-unreadable',
    });
  });

  it.each([
    ['records.bin', RECORD_BYTES * 7 + 5],
    ['records.bin', RECORD_BYTES * 7 + 262],
    ['records.bin', RECORD_BYTES * 7 + 268],
    ['items.jsonl', 86],
  ])('answers an error, never a wrong neighbour, for a changed byte in %s at %i', async (name, place) => {
    await build(1);
    const content = await readFile(join(folder, name));
    content.writeUInt8(content.readUInt8(place) ^ 0x44, place);
    await writeFile(join(folder, name), content);
    const index = await openEmbeddedIndex({ folder, model: 'toy' });
    await expect(index.nearest(toyVector(7), 10)).rejects.toMatchObject({ reason: 'file-unreadable' });
    await index.close();
  });
});
