/** Reads a whole data set and finds what is wrong with it, without a prover. */
import { readdir } from 'node:fs/promises';
import { QuodError, withRemedy } from '../core/errors.ts';
import { appendAll } from '../core/lists/many.ts';
import type { Dataset, SourceRecord } from './dataset.ts';
import type { Item, SplitName } from './item.ts';

export interface DatasetFault {
  readonly file: string;
  /** From 1; absent when the fault is of the whole file. */
  readonly line?: number;
  readonly message: string;
}

/** Answers every fault; none means that each line is an item, each record is right, and no text is in two sets. */
export async function checkDataset(dataset: Dataset): Promise<DatasetFault[]> {
  const faults: DatasetFault[] = [];
  const splitOfStatement = new Map<string, { readonly split: SplitName; readonly library: string }>();
  const libraries = await dataset.libraries();
  for (const library of libraries) {
    try {
      const record = await dataset.record(library);
      if (record === undefined) continue;
      const items = await dataset.items(record);
      appendAll(faults, faultsOf(dataset, record, items));
      for (const item of items) {
        if (!item.isOriginal) continue;
        const key = `${item.context}\0${item.statement}`;
        const known = splitOfStatement.get(key);
        if (known !== undefined && known.split !== item.split)
          faults.push({
            file: dataset.itemsPath(library),
            message: `${item.name} stands in ${item.split}, and also in ${known.split} (${known.library}).`,
          });
        else splitOfStatement.set(key, { split: item.split, library });
      }
    } catch (error) {
      if (!(error instanceof QuodError)) throw error;
      const { file, position } = error.place;
      faults.push({
        file: file ?? library,
        ...(position && { line: position.line }),
        message: withRemedy(error),
      });
    }
  }
  const known = new Set(libraries.map((library) => `${library}.jsonl`));
  for (const name of await readdir(dataset.directory))
    if (name.endsWith('.jsonl') && !known.has(name))
      faults.push({ file: name, message: 'These items have no record: they were not written to their end.' });
  return faults;
}

function faultsOf(dataset: Dataset, record: SourceRecord, items: readonly Item[]): DatasetFault[] {
  const faults: DatasetFault[] = [];
  const file = dataset.itemsPath(record.library);
  const names = new Set<string>();
  for (const [index, item] of items.entries()) {
    const fault = (message: string): number => faults.push({ file, line: index + 1, message });
    if (item.library !== record.library) fault(`The item is of ${item.library}.`);
    if (item.split !== record.split) fault(`The item is in ${item.split}, its source in ${record.split}.`);
    if (names.has(item.name)) fault(`The name ${item.name} stands twice.`);
    names.add(item.name);
  }
  if (items.length !== record.counts.items)
    faults.push({
      file,
      message: `The record speaks of ${record.counts.items} items; there are ${items.length}.`,
    });
  return faults;
}
