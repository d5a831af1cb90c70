/**
 * Reads the declarations of an export, of whatever format, from a file, a piece at a time: a large file is never in
 * memory as a whole.
 *
 * A file that was cut is refused wherever the cut can be seen: inside a line, behind terms that no declaration
 * uses, inside an inductive block of the text format. A cut right behind a declaration leaves an export like any
 * other: only who knows what should be in it can tell (check-export.ts).
 */
import { closeSync, readSync } from 'node:fs';
import { QuodError } from '../../../core/errors.ts';
import { foreignName } from '../../../core/foreign-text.ts';
import { openRegularFile } from '../../../process/foreign-folder/regular-file.ts';
import { unreadableFile } from '../../../process/foreign-folder/unreadable-file.ts';
import type { Declaration } from '../declaration.ts';
import type { TermStore } from '../term-store.ts';
import { NdjsonReader } from './read-ndjson.ts';
import { readTextExport, VERSION } from './read-text.ts';
import type { ExportOrigin } from './read-ndjson.ts';

const PIECE = 1 << 20;

/**
 * The declarations in the order of the file, from lines without their ends. `told` gets what the first line says.
 * Throws a QuodError at the first line that is not what the format allows.
 */
export function* readExport(
  lines: Iterable<string>,
  store: TermStore,
  told: (origin: ExportOrigin) => unknown = () => {},
): Generator<Declaration> {
  const rest = lines[Symbol.iterator]();
  const first = rest.next();
  if (first.done === true) throw new QuodError('invalid-input', 'The export is empty.');
  if (!first.value.startsWith('{')) {
    if (VERSION.test(first.value))
      told({ format: foreignName(first.value.trim()), exporter: undefined, lean: undefined });
    yield* readTextExport(first.value, { [Symbol.iterator]: () => rest }, store);
    return;
  }
  const reader = new NdjsonReader(store);
  reader.read(first.value);
  told(reader.origin);
  for (let next = rest.next(); next.done !== true; next = rest.next()) yield* reader.read(next.value);
  reader.end();
}

/**
 * The lines of a file in UTF-8, without their ends. A last line without an end was cut, also where what is left of
 * it could be read. `watch` sees the bytes that are read, all of them
 * once the lines are at their end.
 */
export function* fileLines(path: string, watch?: (piece: Uint8Array) => unknown): Generator<string> {
  const file = open(path);
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });
    const buffer = Buffer.alloc(PIECE);
    let unfinished = '';
    for (;;) {
      const length = readSync(file, buffer, 0, PIECE, null);
      watch?.(buffer.subarray(0, length));
      let text: string;
      try {
        text = unfinished + decoder.decode(buffer.subarray(0, length), { stream: length > 0 });
      } catch (error) {
        throw new QuodError('file-unreadable', 'The export is not text in UTF-8.', {
          place: { file: path },
          cause: error,
        });
      }
      let start = 0;
      for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
        yield text.slice(start, end);
        start = end + 1;
      }
      unfinished = text.slice(start);
      if (length === 0) break;
    }
    if (unfinished !== '')
      throw new QuodError('invalid-input', 'The export was cut: its last line has no end.', {
        place: { file: path },
        remedy: 'Export it again, or copy the whole file.',
      });
  } finally {
    closeSync(file);
  }
}

function open(path: string): number {
  try {
    return openRegularFile(path);
  } catch (error) {
    throw unreadableFile(path, error, { what: 'The export' });
  }
}
