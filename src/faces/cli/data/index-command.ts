/** `quod index`: runs the sources of a project or library once, so that later searches can use their proofs. */
import { relative } from 'node:path';
import { counted } from '../../../core/counted.ts';
import { cacheDirectory } from '../../../process/cache-directory.ts';
import { findRocq } from '../../../sessions/find-rocq.ts';
import type { BackendChoice } from '../../../sessions/find-rocq.ts';
import { indexLibrary } from '../../../search/libraries/index-library.ts';
import type { IndexEvent } from '../../../search/libraries/index-library.ts';
import { LibraryIndex } from '../../../search/libraries/library-index.ts';
import { defaultJobs } from '../terminal/default-jobs.ts';
import { formatDuration } from '../terminal/duration.ts';
import type { ExitCode } from '../terminal/exit-codes.ts';
import { listenForInterrupt } from '../terminal/interrupt.ts';
import { libraryName, openPlace } from '../project/source-places.ts';

export interface IndexOptions {
  readonly backend: BackendChoice;
  readonly jobs?: number;
  readonly json?: boolean;
}

export async function indexCommand(paths: readonly string[], options: IndexOptions): Promise<ExitCode> {
  const startedAt = performance.now();
  const places = await Promise.all(paths.map(openPlace));
  const prover = await findRocq(options.backend);
  const index = new LibraryIndex(cacheDirectory());
  const interrupt = listenForInterrupt();
  const counts = { indexed: 0, unchanged: 0, failed: 0, steps: 0 };
  const onEvent = (event: IndexEvent): void => {
    counts[event.kind] += 1;
    if (event.kind === 'indexed') counts.steps += event.steps;
    if (options.json === true) console.log(JSON.stringify(event));
    else if (event.kind !== 'unchanged') console.error(eventText(event));
  };
  try {
    for (const place of places) {
      await indexLibrary(
        {
          path: place.path,
          libraryOf: (file) => libraryName(place, file),
          prover,
          index,
          jobs: options.jobs ?? defaultJobs(),
          signal: interrupt.signal,
        },
        onEvent,
      );
    }
  } finally {
    interrupt.stop();
  }
  const { indexed, unchanged, failed, steps } = counts;
  console.error(
    `${counted(indexed, 'file')} indexed (${counted(steps, 'step')}), ${unchanged} unchanged, ${failed} failed in ${formatDuration(performance.now() - startedAt)}`,
  );
  if (interrupt.signal.aborted) return 130;
  if (indexed + unchanged === 0) return 2;
  return failed > 0 ? 1 : 0;
}

function eventText(event: IndexEvent): string {
  const file = relative(process.cwd(), event.file);
  switch (event.kind) {
    case 'indexed': {
      const errors = event.errors === 0 ? '' : `, ${counted(event.errors, 'sentence')} refused`;
      return `  ✓ ${file}  ${counted(event.steps, 'step')}, ${formatDuration(event.elapsedMs)}${errors}`;
    }
    case 'failed':
      return `  ✗ ${file}  ${event.message}`;
    case 'unchanged':
      return `  = ${file}`;
  }
}
