/** Puts data sets together. The splits of the result follow its own seed, so no source is in two sets. */
import { QuodError } from '../core/errors.ts';
import type { Dataset } from './dataset.ts';

export interface MergeResult {
  readonly sources: number;
  readonly items: number;
  /** Sources that more than one data set has, alike. */
  readonly shared: number;
}

/**
 * Copies everything into `target`. @throws QuodError `invalid-input` when the settings differ, a source differs between
 * two of them, or one is damaged; what was copied until then stays.
 */
export async function mergeDatasets(target: Dataset, from: readonly Dataset[]): Promise<MergeResult> {
  for (const { header, directory } of from)
    if (header.seed !== target.header.seed || header.after !== target.header.after)
      throw new QuodError(
        'invalid-input',
        `This data set has seed ${header.seed} and after ${String(header.after)}; the others have ${target.header.seed} and ${String(target.header.after)}.`,
        { place: { file: directory }, remedy: 'Mine it again with the settings of the others.' },
      );
  let sources = 0;
  let items = 0;
  let shared = 0;
  for (const dataset of from)
    for (const library of await dataset.libraries()) {
      const record = await dataset.record(library);
      if (record === undefined) continue;
      const known = await target.record(library);
      if (known?.key === record.key) {
        shared += 1;
        continue;
      }
      if (known !== undefined)
        throw new QuodError('invalid-input', `Two of the data sets have different versions of ${library}.`, {
          place: { file: dataset.itemsPath(library) },
          remedy: 'Delete the .source.json of the one that is out of date.',
        });
      const { itemsHash, ...rest } = record;
      const read = await dataset.items({ ...rest, itemsHash });
      await target.write(rest, read);
      sources += 1;
      items += read.length;
    }
  return { sources, items, shared };
}
