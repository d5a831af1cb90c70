/**
 * Reads a source file so that it can be written back byte for byte. Whatever is wrong with the file is a `QuodError`
 * that says which file and what to do; a file that was read is text, and `encode` of unchanged text gives its bytes.
 */
import type { Dirent } from 'node:fs';
import { readdir, realpath } from 'node:fs/promises';
import { RUN_REMEDIES } from '../../core/remedies/run-remedies.ts';
import { basename, dirname, join } from 'node:path';
import { BYTE_ORDER_MARK, withoutByteOrderMark } from '../../process/foreign-folder/byte-order-mark.ts';
import { errorText, QuodError } from '../../core/errors.ts';
import { nearestFile } from '../../core/names/nearest-names.ts';
import { LineIndex, type LineEnd } from '../../core/position.ts';
import type { Replacement } from '../../core/replacement.ts';
import { clause } from '../../core/sentence.ts';
import { sha256 } from '../../core/sha256.ts';
import { unreadableFile } from '../../process/foreign-folder/unreadable-file.ts';
import {
  LARGEST_SOURCE_BYTES,
  readRegularFile,
  readUnlinkedFile,
} from '../../process/foreign-folder/regular-file.ts';
import { refuseFolder } from './required-source.ts';
import { sourceLanguageOf } from './source-language.ts';

export interface SourceFile {
  /** As the user wrote it, for messages. */
  readonly name: string;
  /** Absolute, symbolic links resolved: the file that is written. */
  readonly path: string;
  /** The text without a byte order mark; line ends as they are. */
  readonly text: string;
  readonly byteOrderMark: boolean;
  readonly lineEnd: LineEnd;
  /** SHA-256 of the bytes on disk, in hex. */
  readonly hash: string;
}

/**
 * @param name As the user wrote it, for messages.
 * @param path Where it is, when the name is not a path from the current folder.
 * @param sought What a file would be called that is meant where a folder is named.
 * @throws QuodError `not-found`, `file-unreadable`, `too-large`, `invalid-input` (empty).
 */
export async function readSourceFile(name: string, path = name, sought?: string): Promise<SourceFile> {
  return notEmpty(await readEditedFile(name, path, sought));
}

/** As `readSourceFile`, for who writes in it or judges it: there an empty file is one like others. */
export async function readEditedFile(name: string, path = name, sought?: string): Promise<SourceFile> {
  const bytes = await bytesOf(name, path, sought);
  return sourceOf(name, await realpath(path), bytes);
}

/**
 * @param path with no link in it.
 * @throws QuodError `file-changed` where there is one now, and as `readSourceFile`.
 */
export async function readUnlinkedSource(path: string): Promise<SourceFile> {
  return notEmpty(sourceOf(path, path, await readUnlinkedBytes(path)));
}

/** Its bytes, whatever they are. @throws as `readUnlinkedSource`. */
export async function readUnlinkedBytes(path: string): Promise<Buffer> {
  let bytes: Buffer | undefined;
  try {
    bytes = await readUnlinkedFile(path, LARGEST_SOURCE_BYTES);
  } catch (error) {
    throw unreadableFile(path, error);
  }
  if (bytes !== undefined) return bytes;
  throw new QuodError('file-changed', 'A link that leads elsewhere stands in the place of the file.', {
    place: { file: path },
    remedy: `Nothing is judged or written through it. ${RUN_REMEDIES.fileBack}`,
  });
}

/** @throws QuodError `invalid-input`. */
function notEmpty(source: SourceFile): SourceFile {
  if (/[^ \t-\r]/u.test(source.text)) return source;
  throw new QuodError('invalid-input', 'The file is empty.', {
    place: { file: source.name },
    remedy: 'Name a file with at least one theorem.',
  });
}

function sourceOf(name: string, path: string, bytes: Uint8Array): SourceFile {
  const text = decode(bytes, name);
  const unmarked = withoutByteOrderMark(text);
  if (unmarked.startsWith(BYTE_ORDER_MARK))
    throw new QuodError('file-unreadable', 'The file begins with more than one byte order mark.', {
      place: { file: name },
      remedy: 'Provers skip one and refuse the next. Save it without them.',
    });
  return {
    name,
    path,
    text: unmarked,
    byteOrderMark: unmarked !== text,
    lineEnd: dominantLineEnd(text),
    hash: sha256(bytes),
  };
}

async function bytesOf(name: string, path: string, sought: string | undefined): Promise<Buffer> {
  try {
    return await readRegularFile(path, LARGEST_SOURCE_BYTES);
  } catch (error) {
    // Named as the user did, and with what the user can do.
    if (!(error instanceof QuodError)) throw unreadableFile(name, error, await meantInstead(name, path));
    await refuseFolder(path, name, { sought });
    const remedy =
      error.reason === 'too-large'
        ? 'Split it into several files.'
        : 'Name a file, or copy what it holds to one.';
    throw unreadableFile(name, error, { remedy });
  }
}

/** The source beside a file that is not there, whose name is nearest to its own. */
async function meantInstead(name: string, path: string): Promise<{ readonly ifMissing?: string }> {
  const beside = await readdir(dirname(path), { withFileTypes: true }).catch((): Dirent[] => []);
  // A link that is there leads to a file that is not.
  if (beside.some((one) => one.name === basename(path))) return {};
  const sources = beside.filter((one) => !one.isDirectory() && sourceLanguageOf(one.name) !== undefined);
  const nearest = nearestFile(
    basename(path),
    sources.map((one) => one.name),
  );
  return nearest === undefined ? {} : { ifMissing: `Did you mean ${join(dirname(name), nearest)}?` };
}

/** The name of iconv for what is text of two bytes a character, with a mark at its beginning or without. */
function twoByteEncoding([first, second]: Uint8Array): string | undefined {
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return 'utf-16';
  if (first === 0 || second === 0) return first === 0 ? 'utf-16be' : 'utf-16le';
  return undefined;
}

function decode(bytes: Uint8Array, name: string): string {
  const wide = twoByteEncoding(bytes);
  if (wide !== undefined)
    throw new QuodError('file-unreadable', 'The file is not text in UTF-8: it looks like UTF-16.', {
      place: { file: name },
      remedy: `Convert it: \`iconv -f ${wide} -t utf-8\`.`,
    });
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    // `stream` leaves out a last character that is cut.
    const validText = new TextDecoder('utf-8').decode(bytes.subarray(0, validPrefixLength(bytes)), {
      stream: true,
    });
    throw new QuodError('file-unreadable', 'The file is not text in UTF-8.', {
      place: { file: name, position: new LineIndex(validText).printedAt(validText.length) },
      remedy: bytes.includes(0)
        ? 'It has bytes that no text has: name a source, not what was compiled or packed.'
        : 'Convert it, for instance with `iconv -f latin1 -t utf8`.',
      cause,
    });
  }
}

/** Length of the longest prefix that is UTF-8; its last character may be cut. */
function validPrefixLength(bytes: Uint8Array): number {
  let low = 0;
  let high = bytes.length;
  // With `stream` a decoder accepts a cut last character, so that every prefix of a valid prefix is valid.
  const isValid = (length: number): boolean => {
    try {
      new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, length), { stream: true });
      return true;
    } catch {
      return false;
    }
  };
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (isValid(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

function dominantLineEnd(text: string): LineEnd {
  const all = text.split('\n').length - 1;
  if (all === 0 && text.includes('\r')) return '\r';
  const withReturn = text.split('\r\n').length - 1;
  return withReturn * 2 > all ? '\r\n' : '\n';
}

/** The text with the replacements made; what they insert takes the file's line ends. @throws QuodError `internal`. */
export function applyReplacements(source: SourceFile, replacements: readonly Replacement[]): string {
  const inOrder = [...replacements].sort((left, right) => left.span.start - right.span.start);
  let result = '';
  let done = 0;
  for (const { span, text } of inOrder) {
    if (span.start < done || span.end < span.start || span.end > source.text.length) {
      throw new QuodError('internal', 'Two proofs claim the same place of the file.', {
        place: { file: source.name },
      });
    }
    result += source.text.slice(done, span.start) + text.replace(/\r?\n/g, source.lineEnd);
    done = span.end;
  }
  return result + source.text.slice(done);
}

/** Of bytes that are to be saved. @throws QuodError `invalid-input` where the file could not be opened again. */
export function requireOpenable(name: string, bytes: Uint8Array): void {
  try {
    if (bytes.length > LARGEST_SOURCE_BYTES)
      throw new QuodError('too-large', `It has more than ${LARGEST_SOURCE_BYTES / (1024 * 1024)} MiB.`);
    sourceOf(name, name, bytes);
  } catch (cause) {
    throw new QuodError('invalid-input', `The text could not be opened again: ${clause(errorText(cause))}.`, {
      place: { file: name },
      remedy: 'Nothing was written. Save it without what no source has.',
      cause,
    });
  }
}

/** The bytes of a text that takes the place of the source's. */
export function encode(source: SourceFile, text: string): Buffer {
  return Buffer.from((source.byteOrderMark ? BYTE_ORDER_MARK : '') + text, 'utf8');
}
