/** `quod index`: runs the sources of a project or library once, so that later searches can use their proofs. */
import { stat } from 'node:fs/promises';
import { basename, dirname, relative, resolve, sep } from 'node:path';
import { QuodError } from '../../core/errors.ts';
import { cacheDirectory } from '../../process/cache-directory.ts';
import { findRocq } from '../../provers/rocq/discovery.ts';
import type { BackendChoice } from '../../provers/rocq/discovery.ts';
import { indexLibrary, installedLibraryName } from '../../search/index-library.ts';
import type { IndexEvent } from '../../search/index-library.ts';
import { LibraryIndex } from '../../search/library-index.ts';
import { defaultJobs } from './default-jobs.ts';
import { formatDuration } from './duration.ts';
import type { ExitCode } from './exit-codes.ts';
import { listenForInterrupt } from './interrupt.ts';

export interface IndexOptions {
  readonly backend: BackendChoice;
  readonly jobs?: number;
  readonly json?: boolean;
}

export async function indexCommand(paths: readonly string[], options: IndexOptions): Promise<ExitCode> {
  const startedAt = performance.now();
  for (const path of paths) {
    await stat(path).catch((cause: unknown) => {
      throw new QuodError('not-found', 'There is no such file or directory.', {
        place: { file: path },
        cause,
      });
    });
  }
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
    for (const path of paths.map((name) => resolve(name))) {
      await indexLibrary(
        {
          path,
          libraryOf: (file) => installedLibraryName(file) ?? projectLibraryName(path, file),
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
    `${indexed} files indexed (${steps} steps), ${unchanged} unchanged, ${failed} failed in ${formatDuration(performance.now() - startedAt)}`,
  );
  if (interrupt.signal.aborted) return 130;
  if (indexed + unchanged === 0) return 2;
  return failed > 0 ? 1 : 0;
}

/** The path below the indexed folder, with the folder's own name as the root. */
function projectLibraryName(path: string, file: string): string {
  const root = path === file ? dirname(path) : path;
  return [basename(root), ...relative(root, file).replace(/\.v$/u, '').split(sep)].join('.');
}

function eventText(event: IndexEvent): string {
  const file = relative(process.cwd(), event.file);
  switch (event.kind) {
    case 'indexed': {
      const errors = event.errors === 0 ? '' : `, ${event.errors} sentences refused`;
      return `  ✓ ${file}  ${event.steps} steps, ${formatDuration(event.elapsedMs)}${errors}`;
    }
    case 'failed':
      return `  ✗ ${file}  ${event.message}`;
    case 'unchanged':
      return `  = ${file}`;
  }
}
