/** `quod mine`: mines sources into a data set, several at once. What is there already and unchanged is left alone. */
import { errorText, QuodError } from '../core/errors.ts';
import { workThrough } from '../core/concurrency/parallel.ts';
import type { Prover } from '../core/prover.ts';
import { sha256 } from '../core/sha256.ts';
import { readRegularText } from '../process/foreign-folder/regular-file.ts';
import { outlineOf } from '../provers/rocq/syntax/outline.ts';
import { DATASET_FORMAT, type Dataset, type SourceRecord } from './dataset.ts';
import type { Failure, Item } from './item.ts';
import { mineFile } from './mine-file.ts';
import { splitOf } from './split.ts';

export interface SourceFile {
  /** Absolute. */
  readonly path: string;
  /** As items say it. */
  readonly file: string;
  readonly library: string;
}

export interface MiningRequest {
  readonly sources: readonly SourceFile[];
  readonly dataset: Dataset;
  readonly prover: Prover;
  readonly jobs: number;
  /** See {@link mineFile}. */
  readonly share: number;
  readonly signal: AbortSignal;
  readonly onFailure?: (item: Item, why: Failure, message: string) => void;
}

export type MiningEvent =
  | { readonly kind: 'mined'; readonly source: SourceFile; readonly record: SourceRecord }
  | { readonly kind: 'unchanged'; readonly source: SourceFile; readonly record: SourceRecord }
  | { readonly kind: 'failed'; readonly source: SourceFile; readonly error: QuodError };

const ERRORS_KEPT = 20;

export async function mineSources(
  request: MiningRequest,
  onEvent: (event: MiningEvent) => void,
): Promise<void> {
  await workThrough(request.sources, request, async (source) => {
    try {
      onEvent(await mineSource(request, source));
    } catch (error) {
      if (!request.signal.aborted) onEvent({ kind: 'failed', source, error: asQuodError(error, source) });
    }
  });
}

async function mineSource(request: MiningRequest, source: SourceFile): Promise<MiningEvent> {
  const { dataset, prover, share, signal, onFailure } = request;
  const { library, file, path } = source;
  const { after, seed } = dataset.header;
  const text = await readRegularText(path);
  const { version } = prover.identity;
  const key = sha256(JSON.stringify([DATASET_FORMAT, library, version]) + text).slice(0, 32);
  const known = await dataset.record(library).catch(() => undefined);
  if (known?.key === key) return { kind: 'unchanged', source, record: known };
  const split = splitOf(text, seed);
  const session = await prover.openSession({ file: path, signal });
  try {
    const mined = await mineFile(
      session,
      { library, file, outline: outlineOf(text), split },
      { share, signal, ...(after !== null && { after }), ...(onFailure && { onFailure }) },
    );
    signal.throwIfAborted();
    if ((await readRegularText(path)) !== text)
      throw new QuodError('file-changed', 'The source changed while it was mined.', {
        place: { file: path },
        remedy: 'Mine it again.',
      });
    const record = await dataset.write(
      {
        library,
        file,
        key,
        prover: `${prover.identity.prover} ${version}`,
        split,
        counts: mined.counts,
        errors: mined.errors.slice(0, ERRORS_KEPT).map((error) => error.toString()),
      },
      mined.items,
    );
    return { kind: 'mined', source, record };
  } finally {
    await session.close();
  }
}

function asQuodError(error: unknown, { path }: SourceFile): QuodError {
  if (error instanceof QuodError) return error;
  const unreadable = error instanceof Error && 'code' in error;
  return new QuodError(unreadable ? 'file-unreadable' : 'internal', errorText(error), {
    place: { file: path },
    cause: error,
  });
}
