/** `quod mine`: makes a data set of checked theorems from every state of every proof of some sources. */
import { relative, resolve } from 'node:path';
import { counted } from '../../../core/counted.ts';
import { QuodError } from '../../../core/errors.ts';
import { Dataset, DATASET_FORMAT } from '../../../corpus/dataset.ts';
import { addCounts, noCounts } from '../../../corpus/mined-counts.ts';
import { mineSources, type MiningEvent, type SourceFile } from '../../../corpus/mine-sources.ts';
import { findRocq } from '../../../sessions/find-rocq.ts';
import type { BackendChoice } from '../../../sessions/find-rocq.ts';
import { sourcesUnder } from '../../../search/libraries/index-library.ts';
import { countsText } from './dataset-output.ts';
import { defaultJobs } from '../terminal/default-jobs.ts';
import { formatDuration } from '../terminal/duration.ts';
import type { ExitCode } from '../terminal/exit-codes.ts';
import { listenForInterrupt } from '../terminal/interrupt.ts';
import { errorLine } from '../terminal/print-error.ts';
import { libraryName, openPlace } from '../project/source-places.ts';

export interface MineOptions {
  readonly output: string;
  readonly after?: number;
  readonly effort: number;
  readonly seed: number;
  readonly jobs?: number;
  readonly backend: BackendChoice;
  readonly json?: boolean;
}

export async function mineCommand(paths: readonly string[], options: MineOptions): Promise<ExitCode> {
  const startedAt = performance.now();
  const sources = await sourcesOf(paths);
  const dataset = await Dataset.openOrCreate(resolve(options.output), {
    format: DATASET_FORMAT,
    seed: options.seed,
    after: options.after ?? null,
  });
  const prover = await findRocq(options.backend);
  const interrupt = listenForInterrupt();
  const done = { mined: 0, unchanged: 0, failed: 0 };
  let counts = noCounts();
  const onEvent = (event: MiningEvent): void => {
    done[event.kind] += 1;
    if (event.kind !== 'failed') counts = addCounts(counts, event.record.counts);
    if (options.json === true) console.log(eventLine(event));
    const place = `${done.mined + done.unchanged + done.failed}/${sources.length}`;
    if (event.kind !== 'unchanged') console.error(eventText(event, place));
  };
  try {
    await mineSources(
      {
        sources,
        dataset,
        prover,
        jobs: options.jobs ?? defaultJobs(),
        share: options.effort,
        signal: interrupt.signal,
      },
      onEvent,
    );
  } finally {
    interrupt.stop();
  }
  console.error(countsText(counts));
  console.error(
    `${counted(done.mined, 'file')} mined, ${done.unchanged} unchanged, ${done.failed} failed in ${formatDuration(performance.now() - startedAt)}`,
  );
  if (interrupt.signal.aborted) return 130;
  if (done.mined + done.unchanged === 0) return 2;
  return done.failed > 0 ? 1 : 0;
}

/** Each source once, however many of the paths lead to it. @throws QuodError when two have one logical name. */
async function sourcesOf(paths: readonly string[]): Promise<SourceFile[]> {
  const sources = new Map<string, SourceFile>();
  for (const name of paths) {
    const place = await openPlace(name);
    for (const path of await sourcesUnder(place.path)) {
      const library = libraryName(place, path);
      const known = sources.get(library);
      if (known !== undefined && known.path !== path)
        throw new QuodError('invalid-input', `This source and ${known.path} are both called ${library}.`, {
          place: { file: path },
          remedy: 'Mine them into two folders.',
        });
      sources.set(library, { path, library, file: relative(place.folder, path) });
    }
  }
  if (sources.size === 0)
    throw new QuodError('not-found', 'There are no Rocq sources (.v) there.', {
      place: { file: paths.join(' ') },
    });
  return [...sources.values()];
}

function eventLine(event: MiningEvent): string {
  const { kind, source } = event;
  const { library, path } = source;
  if (event.kind === 'failed') {
    const { reason, message } = event.error;
    return JSON.stringify({ kind, library, file: path, reason, message });
  }
  const { split, counts, errors } = event.record;
  return JSON.stringify({ kind, library, file: path, split, ...counts, errors });
}

function eventText(event: MiningEvent, place: string): string {
  const { library } = event.source;
  if (event.kind === 'failed') return `  ✗ ${place} ${library}  ${errorLine(event.error)}`;
  const { items, proofs, replayed, elapsedMs } = event.record.counts;
  const broken = replayed === proofs ? '' : ` (${proofs - replayed} did not run)`;
  return `  ✓ ${place} ${library}  ${counted(items, 'item')} of ${counted(proofs, 'proof')}${broken}, ${formatDuration(elapsedMs)}`;
}
