/** Figures, faults and unions of data sets. */
import { z } from 'zod';
import { counted } from '../../core/counted.ts';
import { QuodError } from '../../core/errors.ts';
import { foreignText } from '../../core/foreign-text.ts';
import { Dataset } from '../../mining/dataset.ts';
import { checkDataset } from '../../mining/dataset-check.ts';
import { mergeDatasets } from '../../mining/dataset-merge.ts';
import { datasetFigures } from '../../mining/dataset-stats.ts';
import { SPLITS } from '../../mining/item.ts';
import { READS, defineOperation } from '../definition/operation.ts';
import { countsOf, countsSchema, countsText } from './mined-counts.ts';

const folderField = z.string().describe('A data set: a folder that `data_mine` wrote.');

export const dataStats = defineOperation({
  name: 'data_stats',
  area: 'data',
  title: 'Figures of a data set',
  summary: 'Says how many proofs, items and sources a data set has, and why goals became no items.',
  input: z.object({ folder: folderField }),
  output: z.object({
    sources: z.int(),
    splits: z.array(z.object({ split: z.string(), items: z.int(), sources: z.int() })),
    counts: countsSchema,
    roots: z
      .array(z.object({ root: z.string(), sources: z.int(), items: z.int(), proofs: z.int() }))
      .describe('By the first part of the libraries’ names: `Coq`, `stdpp`.'),
  }),
  annotations: READS,
  defaultTimeout: 600,
  positional: ['folder'],
  render: ({ sources, splits, counts, roots }) =>
    [
      counted(sources, 'source'),
      countsText(counts),
      ...splits.map(
        (one) => `${one.split}: ${counted(one.items, 'item')} of ${counted(one.sources, 'source')}`,
      ),
      ...roots.map(
        (one) =>
          `  ${one.root}  ${counted(one.sources, 'source')}, ${counted(one.items, 'item')} of ${counted(one.proofs, 'proof')}`,
      ),
    ].join('\n'),
  run: async ({ folder }, { workspace }) => {
    const dataset = await Dataset.open(await workspace.resolve(folder));
    const { sources, splits, counts, roots } = await datasetFigures(dataset);
    return {
      sources,
      splits: SPLITS.map((split) => ({ split, ...splits[split] })),
      counts: countsOf(counts),
      roots: [...roots].map(([root, figures]) => ({
        root,
        sources: figures.sources,
        items: figures.counts.items,
        proofs: figures.counts.proofs,
      })),
    };
  },
});

export const dataCheck = defineOperation({
  name: 'data_check',
  area: 'data',
  title: 'Find what is wrong with a data set',
  summary: 'Reads every line of a data set and compares it with the records. Runs no prover.',
  input: z.object({ folder: folderField }),
  output: z.object({
    faults: z.array(
      z.object({
        file: z.string(),
        line: z.int().nullable().describe('From 1; null: the fault is of the whole file.'),
        message: z.string(),
      }),
    ),
    sources: z.int(),
  }),
  annotations: READS,
  defaultTimeout: 3600,
  positional: ['folder'],
  render: ({ faults }) =>
    faults
      .map(
        ({ file, line, message }) => `${line === null ? file : `${file}:${line}`}: ${foreignText(message)}`,
      )
      .join('\n'),
  conclude: ({ faults, sources }) =>
    `${counted(sources, 'source')}, ${faults.length === 0 ? 'no fault' : counted(faults.length, 'fault')}`,
  holds: ({ faults }) => faults.length === 0,
  run: async ({ folder }, { workspace }) => {
    const dataset = await Dataset.open(await workspace.resolve(folder));
    const faults = await checkDataset(dataset);
    return {
      faults: faults.map(({ file, line, message }) => ({ file, line: line ?? null, message })),
      sources: (await dataset.libraries()).length,
    };
  },
});

export const dataMerge = defineOperation({
  name: 'data_merge',
  area: 'data',
  title: 'Put data sets together',
  summary: 'Copies the sources of data sets with the same settings into one.',
  input: z.object({
    folders: z.array(z.string()).min(1).describe('Data sets.'),
    output: z.string().describe('The folder where the union is, or will be.'),
  }),
  output: z.object({
    sources: z.int().describe('How many were copied.'),
    items: z.int(),
    shared: z.int().describe('Sources that were there already.'),
  }),
  annotations: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  defaultTimeout: 3600,
  positional: ['folders'],
  render: ({ sources, items, shared }) =>
    `${counted(sources, 'source')} with ${counted(items, 'item')} copied, ${shared} were there`,
  run: async ({ folders, output }, { workspace }) => {
    const from = await Promise.all(
      folders.map(async (folder) => Dataset.open(await workspace.resolve(folder))),
    );
    const [first] = from;
    if (first === undefined) throw new QuodError('invalid-input', 'There is nothing to merge.');
    const target = await Dataset.openOrCreate(await workspace.resolve(output), first.header);
    const { sources, items, shared } = await mergeDatasets(target, from);
    return { sources, items, shared };
  },
});
