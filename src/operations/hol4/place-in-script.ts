/** A place of a script that a caller names, and the file executed up to it. */
import { z } from 'zod';
import { QuodError } from '../../core/errors.ts';
import { LineIndex } from '../../core/position.ts';
import type { FileReplay, PlaceInFile } from '../../sessions/hol4/file-replay.ts';
import type { HolEntry } from '../../sessions/hol4/hol-sessions.ts';
import type { OperationContext } from '../definition/operation.ts';
import { readSourceFile, type SourceFile } from '../files/source-file.ts';
import type { HolService } from './hol-service.ts';
import { requireLanguage } from '../files/required-source.ts';

const ITEM_LIMIT_MS = 300_000;

export const placeFields = {
  file: z.string().optional().describe('A script; default: the one that the cursor is on.'),
  line: z.int().positive().describe('From 1.'),
  column: z.int().nonnegative().default(0).describe('From 0, in code points.'),
};

interface PlaceInput {
  readonly file?: string | undefined;
  readonly line: number;
  readonly column: number;
}

/** Executes a file up to a place. */
export async function placeIn(
  entry: HolEntry,
  service: HolService,
  input: PlaceInput,
  context: OperationContext,
): Promise<{ readonly place: PlaceInFile; readonly replay: FileReplay; readonly source: SourceFile }> {
  const path = input.file === undefined ? entry.cursor?.path : await context.workspace.resolve(input.file);
  if (path === undefined) {
    throw new QuodError('invalid-input', 'No file was named, and the session has no cursor.', {
      remedy: 'Give `file`.',
    });
  }
  if (input.file !== undefined) await requireLanguage('hol4', path, input.file);
  const source = await readSourceFile(path);
  const offset = new LineIndex(source.text).offsetOfPrinted(input);
  if (offset === undefined) {
    throw new QuodError(
      'invalid-input',
      `The file has no line ${input.line} with a column ${input.column}.`,
      {
        place: { file: context.workspace.nameOf(path) },
      },
    );
  }
  const replay = await service.replayOf(entry);
  const place = await replay.stateAt(source.text, offset, {
    timeoutMs: ITEM_LIMIT_MS,
    signal: context.signal,
    progress: (done, total) =>
      context.progress({ message: 'Executing the file up to the theorem', done, total }),
  });
  return { place, replay, source };
}
