/**
 * `quod index`: runs sources and stores the steps of their proofs for later searches. Of a source that is not run to its
 * end because the work was stopped nothing is stored and nothing told: it is still to be run.
 */
import { stat } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import { errorText, type QuodError } from '../../core/errors.ts';
import { workThrough } from '../../core/concurrency/parallel.ts';
import { appendAll } from '../../core/lists/many.ts';
import type { Prover } from '../../core/prover.ts';
import { filesBelow } from '../../process/foreign-folder/files-below.ts';
import { readRegularText } from '../../process/foreign-folder/regular-file.ts';
import { outlineOf } from '../../provers/rocq/syntax/outline.ts';
import { FileRun } from '../../sessions/rocq/file-run.ts';
import type { LibraryIndex } from './library-index.ts';
import { stepsOf } from '../../retrieval/lexical/recorded-steps.ts';
import type { RecordedStep } from '../../retrieval/lexical/step-memory.ts';

export interface IndexRequest {
  /** Absolute paths. */
  readonly files: readonly string[];
  /** The logical name of a file. */
  readonly libraryOf: (file: string) => string;
  readonly prover: Prover;
  readonly index: LibraryIndex;
  readonly jobs: number;
  readonly signal: AbortSignal;
}

export type IndexEvent =
  | { readonly kind: 'unchanged'; readonly file: string }
  | {
      readonly kind: 'indexed';
      readonly file: string;
      readonly library: string;
      readonly steps: number;
      readonly errors: readonly QuodError[];
      readonly elapsedMs: number;
    }
  | { readonly kind: 'failed'; readonly file: string; readonly message: string };

export async function indexLibrary(
  request: IndexRequest,
  onEvent: (event: IndexEvent) => void,
): Promise<void> {
  await workThrough(request.files, request, async (file) => {
    try {
      onEvent(await indexFile(request, file));
    } catch (error) {
      if (!request.signal.aborted) onEvent({ kind: 'failed', file, message: errorText(error) });
    }
  });
}

async function indexFile(request: IndexRequest, file: string): Promise<IndexEvent> {
  const started = performance.now();
  const text = await readRegularText(file);
  const library = request.libraryOf(file);
  const key = request.index.keyOf(library, text, request.prover.identity.version);
  if (await request.index.has(key)) return { kind: 'unchanged', file };
  const outline = outlineOf(text);
  const steps: RecordedStep[] = [];
  const errors: QuodError[] = [];
  const session = await request.prover.openSession({ file, signal: request.signal });
  try {
    const run = new FileRun(
      session,
      { outline, file: library },
      {
        onTrace: (trace) => appendAll(steps, stepsOf(trace, library)),
        onError: (error) => errors.push(error),
      },
      { record: true, signal: request.signal },
    );
    await run.finish();
    request.signal.throwIfAborted();
  } finally {
    await session.close();
  }
  const requires = outline.requires.map(({ from, modules }) => ({
    modules: [...modules],
    ...(from === undefined ? {} : { from }),
  }));
  await request.index.write(key, { library, file, requires }, steps);
  return {
    kind: 'indexed',
    file,
    library,
    steps: steps.length,
    errors,
    elapsedMs: performance.now() - started,
  };
}

/** The Rocq sources of a folder and those below it, in order; a source by itself. */
export async function sourcesUnder(path: string): Promise<string[]> {
  if ((await stat(path)).isFile()) return [path];
  const sources: string[] = [];
  for await (const file of filesBelow(path)) if (file.endsWith('.v')) sources.push(file);
  return sources.sort();
}

/** The logical name of an installed source: its path under `user-contrib` or the standard library's `theories`. */
export function installedLibraryName(file: string): string | undefined {
  for (const [folder, prefix] of [
    ['user-contrib', ''],
    ['theories', 'Coq.'],
  ] as const) {
    const at = file.lastIndexOf(`${sep}${folder}${sep}`);
    if (at < 0) continue;
    const inside = relative(file.slice(0, at + folder.length + 1), file).replace(/\.v$/u, '');
    return prefix + inside.split(sep).join('.');
  }
  return undefined;
}
