/** `quod dataset stats|check|merge|index`: works with the data sets that `quod mine` makes. */
import { resolve } from 'node:path';
import { counted } from '../../../core/counted.ts';
import { Dataset } from '../../../corpus/dataset.ts';
import { checkDataset } from '../../../corpus/dataset-check.ts';
import { mergeDatasets } from '../../../corpus/dataset-merge.ts';
import { datasetFigures } from '../../../corpus/dataset-stats.ts';
import { SPLITS } from '../../../corpus/item.ts';
import { QuodError } from '../../../core/errors.ts';
import { indexDataset, shownPlace } from '../../../retrieval/index/dataset-index.ts';
import { Encoder } from '../../../retrieval/model/encoder.ts';
import { rankerModelFolder } from '../../../retrieval/model/model-format.ts';
import { countsText } from './dataset-output.ts';
import type { ExitCode } from '../terminal/exit-codes.ts';
import { listenForInterrupt } from '../terminal/interrupt.ts';

export interface DatasetOptions {
  readonly json?: boolean;
}

export interface MergeOptions extends DatasetOptions {
  readonly output: string;
}

export interface IndexOptions extends DatasetOptions {
  readonly output: string;
  readonly threads: number;
}

export async function statsCommand(folder: string, options: DatasetOptions): Promise<ExitCode> {
  const { sources, splits, counts, roots } = await datasetFigures(await Dataset.open(resolve(folder)));
  if (options.json === true) {
    console.log(JSON.stringify({ sources, splits, counts, roots: Object.fromEntries(roots) }));
    return 0;
  }
  console.log(`${sources} sources`);
  console.log(countsText(counts));
  for (const split of SPLITS)
    console.log(
      `${split}: ${counted(splits[split].items, 'item')} of ${counted(splits[split].sources, 'source')}`,
    );
  for (const [root, figures] of roots)
    console.log(
      `  ${root}  ${counted(figures.sources, 'source')}, ${counted(figures.counts.items, 'item')} of ${counted(figures.counts.proofs, 'proof')}`,
    );
  return 0;
}

export async function checkDatasetCommand(folder: string, options: DatasetOptions): Promise<ExitCode> {
  const dataset = await Dataset.open(resolve(folder));
  const faults = await checkDataset(dataset);
  for (const fault of faults) {
    const place = fault.line === undefined ? fault.file : `${fault.file}:${fault.line}`;
    if (options.json === true) console.log(JSON.stringify(fault));
    else console.log(`${place}: ${fault.message}`);
  }
  const { length } = await dataset.libraries();
  console.error(
    faults.length === 0 ? `${length} sources, no fault` : `${length} sources, ${faults.length} faults`,
  );
  return faults.length === 0 ? 0 : 1;
}

export async function mergeCommand(folders: readonly string[], options: MergeOptions): Promise<ExitCode> {
  const from = await Promise.all(folders.map((folder) => Dataset.open(resolve(folder))));
  const [first] = from;
  if (first === undefined) throw new QuodError('invalid-input', 'There is nothing to merge.');
  const target = await Dataset.openOrCreate(resolve(options.output), first.header);
  const merged = await mergeDatasets(target, from);
  if (options.json === true) console.log(JSON.stringify(merged));
  else
    console.log(
      `${counted(merged.sources, 'source')} with ${counted(merged.items, 'item')} copied, ${merged.shared} were there`,
    );
  return 0;
}

export async function indexCommand(folder: string, options: IndexOptions): Promise<ExitCode> {
  const dataset = await Dataset.open(resolve(folder));
  const { length } = await dataset.libraries();
  const encoder = await Encoder.open(rankerModelFolder(), { threads: options.threads });
  const interrupt = listenForInterrupt();
  let done = 0;
  try {
    const size = await indexDataset({
      dataset,
      encoder,
      place: options.output,
      signal: interrupt.signal,
      onSource: ({ library, counts }, isNew) => {
        done += 1;
        if (options.json === true)
          console.log(JSON.stringify({ library, items: counts.items, added: isNew }));
        if (isNew) console.error(`${done}/${length} ${library}: ${counted(counts.items, 'item')}`);
      },
    });
    console.error(
      `${counted(size, 'proof')} in the index. QUOD_PROOF_INDEX=${shownPlace(options.output)} lets similar proofs be looked for in it.`,
    );
  } catch (error) {
    if (!interrupt.signal.aborted) throw error;
    console.error(`Stopped after ${done} of ${length} sources; the same command goes on from there.`);
    return 130;
  } finally {
    interrupt.stop();
    await encoder.close();
  }
  return 0;
}
