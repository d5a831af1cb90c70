/** The figures of a data set, from the records of its sources alone. */
import type { Dataset } from './dataset.ts';
import { SPLITS, type SplitName } from './item.ts';
import { addCounts, noCounts, type MinedCounts } from './mined-counts.ts';

export interface SplitFigures {
  readonly sources: number;
  readonly items: number;
}

export interface DatasetFigures {
  readonly sources: number;
  readonly splits: Readonly<Record<SplitName, SplitFigures>>;
  readonly counts: MinedCounts;
  /** Figures of each library's first part: `Coq`, `stdpp`. */
  readonly roots: ReadonlyMap<string, { readonly sources: number; readonly counts: MinedCounts }>;
}

/** @throws QuodError `invalid-input` when a record is damaged. */
export async function datasetFigures(dataset: Dataset): Promise<DatasetFigures> {
  const splits = Object.fromEntries(SPLITS.map((split) => [split, { sources: 0, items: 0 }])) as Record<
    SplitName,
    { sources: number; items: number }
  >;
  const roots = new Map<string, { sources: number; counts: MinedCounts }>();
  let counts = noCounts();
  let sources = 0;
  for (const library of await dataset.libraries()) {
    const record = await dataset.record(library);
    if (record === undefined) continue;
    sources += 1;
    counts = addCounts(counts, record.counts);
    splits[record.split].sources += 1;
    splits[record.split].items += record.counts.items;
    const root = library.split('.')[0] ?? library;
    const known = roots.get(root) ?? { sources: 0, counts: noCounts() };
    roots.set(root, { sources: known.sources + 1, counts: addCounts(known.counts, record.counts) });
  }
  return { sources, splits, counts, roots };
}
