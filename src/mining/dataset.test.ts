import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { QuodError } from '../core/errors.ts';
import { checkDataset } from './dataset-check.ts';
import { mergeDatasets } from './dataset-merge.ts';
import { datasetFigures } from './dataset-stats.ts';
import { Dataset, type DatasetHeader, type SourceRecord } from './dataset.ts';
import type { Item, SplitName } from './item.ts';
import { noCounts } from './mined-counts.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quod-dataset-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const HEADER: DatasetHeader = { format: 1, seed: 0, after: null };

const open = (name: string, header = HEADER): Promise<Dataset> =>
  Dataset.openOrCreate(join(folder, name), header);

function item(library: string, name: string, split: SplitName = 'train'): Item {
  return {
    ...{ name, theorem: name, library, file: `${library}.v`, line: 1, column: 0, path: [], context: library },
    ...{ statement: ': 1 = 1', hypotheses: [], goal: '1 = 1', tactics: ['reflexivity'] },
    ...{ proof: 'reflexivity.', names: [], depth: 0, step: 0, origin: 'theorem', isOriginal: true },
    ...{ printing: 'usual', split },
  };
}

async function write(
  dataset: Dataset,
  library: string,
  names: readonly string[],
  options: { readonly key?: string; readonly split?: SplitName } = {},
): Promise<SourceRecord> {
  const { key = `${library} ${names.join()}`, split = 'train' } = options;
  const items = names.map((name) => item(library, name, split));
  const counts = { ...noCounts(), items: items.length, proofs: items.length, replayed: items.length };
  return dataset.write(
    { library, file: `${library}.v`, key, prover: 'rocq 8.16.1', split, counts, errors: [] },
    items,
  );
}

const reasonOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof QuodError ? error.reason : error),
  );

test('what is written is read back', async () => {
  const dataset = await open('a');
  const record = await write(dataset, 'A.b', ['one', 'two']);
  const again = await Dataset.open(join(folder, 'a'));
  expect(await again.libraries()).toEqual(['A.b']);
  expect(await again.record('A.b')).toEqual(record);
  expect((await again.items(record)).map(({ name }) => name)).toEqual(['one', 'two']);
  expect(await checkDataset(again)).toEqual([]);
});

test('figures are sums over the sources', async () => {
  const dataset = await open('a');
  await write(dataset, 'A.b', ['one', 'two']);
  await write(dataset, 'A.c', ['one'], { split: 'test' });
  const { sources, splits, counts, roots } = await datasetFigures(dataset);
  expect({ sources, splits }).toEqual({
    sources: 2,
    splits: {
      train: { sources: 1, items: 2 },
      validation: { sources: 0, items: 0 },
      test: { sources: 1, items: 1 },
    },
  });
  expect(counts).toMatchObject({ items: 3, proofs: 3 });
  expect(roots.get('A')?.counts.items).toBe(3);
});

describe('a broken data set', () => {
  it('that is none', async () => {
    expect(await reasonOf(Dataset.open(folder))).toBe('not-found');
    await writeFile(join(folder, 'dataset.json'), '{"format":99}');
    expect(await reasonOf(Dataset.open(folder))).toBe('invalid-input');
    await writeFile(join(folder, 'dataset.json'), '\0\0');
    expect(await reasonOf(Dataset.open(folder))).toBe('invalid-input');
  });

  it('of other settings', async () => {
    await open('a');
    expect(await reasonOf(open('a', { ...HEADER, seed: 7 }))).toBe('invalid-input');
    expect(await reasonOf(open('a', { ...HEADER, after: 2 }))).toBe('invalid-input');
  });

  it('names the line that is no item', async () => {
    const dataset = await open('a');
    const record = await write(dataset, 'A', ['one', 'two']);
    const path = dataset.itemsPath('A');
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.replace('"name":"two"', '"nome":"two"'));
    const [fault, ...others] = await checkDataset(dataset);
    expect(others).toEqual([]);
    expect(fault).toMatchObject({ file: path, line: 2 });
    expect(await reasonOf(dataset.items(record))).toBe('invalid-input');
  });

  it('cut off in the middle of a line', async () => {
    const dataset = await open('a');
    const record = await write(dataset, 'A', ['one', 'two']);
    const { length } = await readFile(dataset.itemsPath('A'));
    await truncate(dataset.itemsPath('A'), length - 10);
    expect(await reasonOf(dataset.items(record))).toBe('invalid-input');
  });

  it('with items that the record does not know', async () => {
    const dataset = await open('a');
    await write(dataset, 'A', ['one']);
    await appendFile(dataset.itemsPath('A'), `${JSON.stringify(item('A', 'two'))}\n`);
    expect(await checkDataset(dataset)).toHaveLength(1);
  });

  it('with items of a source that was never finished', async () => {
    const dataset = await open('a');
    await writeFile(dataset.itemsPath('A'), '');
    expect(await checkDataset(dataset)).toMatchObject([{ file: 'A.jsonl' }]);
  });

  it('with a damaged record', async () => {
    const dataset = await open('a');
    await write(dataset, 'A', ['one']);
    await writeFile(join(dataset.directory, 'A.source.json'), '{');
    expect(await checkDataset(dataset)).toHaveLength(1);
    expect(await reasonOf(datasetFigures(dataset))).toBe('invalid-input');
  });

  it('with one theorem in two sets', async () => {
    const dataset = await open('a');
    await write(dataset, 'A', ['one']);
    const twin = { ...item('A', 'one', 'test'), library: 'B' };
    const counts = { ...noCounts(), items: 1 };
    const rest = { library: 'B', file: 'B.v', key: 'k', prover: 'rocq', counts, errors: [] };
    await dataset.write({ ...rest, split: 'test' }, [twin]);
    expect((await checkDataset(dataset)).map(({ message }) => message)).toEqual([
      'one stands in test, and also in train (A).',
    ]);
  });
});

describe('merging', () => {
  it('takes each source once', async () => {
    const one = await open('one');
    const two = await open('two');
    await write(one, 'A', ['a']);
    await write(one, 'B', ['b', 'c']);
    await write(two, 'B', ['b', 'c']);
    const target = await open('all');
    expect(await mergeDatasets(target, [one, two])).toEqual({ sources: 2, items: 3, shared: 1 });
    expect(await checkDataset(target)).toEqual([]);
  });

  it('refuses two versions of a source, and other settings', async () => {
    const one = await open('one');
    const two = await open('two');
    await write(one, 'A', ['a'], { key: 'old' });
    await write(two, 'A', ['a'], { key: 'new' });
    expect(await reasonOf(mergeDatasets(await open('all'), [one, two]))).toBe('invalid-input');
    const other = await open('other', { ...HEADER, seed: 1 });
    expect(await reasonOf(mergeDatasets(await open('all'), [other]))).toBe('invalid-input');
  });
});

describe('nothing of the user’s is overwritten', () => {
  test.each(['HEAD', 'A.b.jsonl', 'A.b.source.json'])(
    'a folder with %s is no place for a new data set',
    async (name) => {
      await mkdir(join(folder, 'theirs'));
      await writeFile(join(folder, 'theirs', name), 'theirs');
      expect(await reasonOf(open('theirs'))).toBe('invalid-input');
      expect(await readdir(join(folder, 'theirs'))).toEqual([name]);
      expect(await readFile(join(folder, 'theirs', name), 'utf8')).toBe('theirs');
    },
  );

  test.each(['A.b.jsonl', 'A.b.source.json'])(
    '%s in a data set that Quod did not write stays',
    async (name) => {
      const dataset = await open('a');
      for (const text of ['theirs', '{"library":"C"}']) {
        await writeFile(join(folder, 'a', name), text);
        expect(await reasonOf(write(dataset, 'A.b', ['one']))).toBe('invalid-input');
        expect((await readdir(join(folder, 'a'))).toSorted()).toEqual([name, 'dataset.json'].toSorted());
        expect(await readFile(join(folder, 'a', name), 'utf8')).toBe(text);
      }
    },
  );

  test('what a crash left behind is', async () => {
    const dataset = await open('a');
    await write(dataset, 'A.b', ['one', 'two']);
    await rm(join(folder, 'a', 'A.b.source.json'));
    expect((await write(dataset, 'A.b', ['three'])).counts.items).toBe(1);
  });
});
