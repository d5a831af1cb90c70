import { mkdtemp, readdir, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LibraryIndex } from './library-index.ts';
import { storedSteps, type RecordedStep } from '../../retrieval/lexical/step-memory.ts';

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'quod-index-'));
});

afterAll(async () => {
  await rm(directory, { recursive: true, force: true });
});

const step = fc.record({
  goal: fc.record({
    id: fc.string(),
    hypotheses: fc.array(fc.record({ name: fc.constantFrom('x', 'H', 'n'), type: fc.string() }), {
      maxLength: 3,
    }),
    conclusion: fc.string(),
  }),
  tactic: fc.string(),
  remaining: fc.nat(20),
  origin: fc.constant('lib.file'),
  theorem: fc.string(),
  next: fc.constant(undefined),
});

describe('LibraryIndex', () => {
  it('gives back the steps that were written, with what follows on what', async () => {
    let count = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 6 }), async (drawn) => {
        const steps: RecordedStep[] = drawn.map((one) => ({ ...one }));
        steps.forEach((one, index) => (one.next = steps[index + 1]));
        const index = new LibraryIndex(directory);
        const key = `key${count++}`;
        await index.write(key, { library: 'lib.file', file: 'file.v', requires: [] }, steps);
        expect(await index.has(key)).toBe(true);
        const read = await index.read(key, 'lib.file');
        const wanted = storedSteps(steps);
        expect(read).toHaveLength(wanted.length);
        read.forEach((one, at) => {
          const other = wanted[at];
          expect([one.tactic, one.remaining, one.mentionsLocal, one.goal()]).toEqual([
            other?.tactic,
            other?.remaining,
            other?.mentionsLocal,
            other?.goal(),
          ]);
          expect([...one.features.keys()]).toEqual([...(other?.features.keys() ?? [])]);
          expect(one.next).toBe(read[at + 1]);
        });
      }),
      { numRuns: 25 },
    );
  });

  it('reads a damaged entry as empty and an absent index as none', async () => {
    const damaged = new LibraryIndex(join(directory, 'damaged'));
    expect(await damaged.headers()).toEqual([]);
    await damaged.write('key', { library: 'l', file: 'l.v', requires: [] }, []);
    expect(await damaged.headers()).toHaveLength(1);
    const folder = join(directory, 'damaged', 'steps-2');
    for (const name of await readdir(folder)) await truncate(join(folder, name), 5);
    expect(await damaged.read('key', 'l')).toEqual([]);
    expect(await damaged.headers()).toEqual([]);
  });

  it('names an entry by what it depends on', () => {
    const index = new LibraryIndex(directory);
    const key = index.keyOf('a', 'text', '8.16.1');
    expect(index.keyOf('a', 'text', '8.16.1')).toBe(key);
    expect(
      new Set([
        key,
        index.keyOf('b', 'text', '8.16.1'),
        index.keyOf('a', 'texts', '8.16.1'),
        index.keyOf('a', 'text', '8.17'),
      ]).size,
    ).toBe(4);
  });
});
