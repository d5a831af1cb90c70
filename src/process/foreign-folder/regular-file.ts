/**
 * Files of a folder that may come from somebody else. A named pipe in the place of a file would be waited for without
 * end, a device read without end: only regular files are read, and no more of them than their kind needs. What else in
 * `src` may open files stands in `bench/structure/file-readers.ts`.
 */
import { closeSync, constants, fstatSync, openSync, readSync, statSync, type Stats } from 'node:fs';
import { lstat, open, readlink, realpath, stat, type FileHandle } from 'node:fs/promises';
import { counted } from '../../core/counted.ts';
import { QuodError } from '../../core/errors.ts';

const MEBIBYTE = 1024 * 1024;

/** Far above any settings, prices or instructions that people write. */
const LARGEST_SETTINGS = 4 * MEBIBYTE;

/** Far above any source that people write (the largest of Debian's Rocq libraries has 0.5 MB). */
export const LARGEST_SOURCE_BYTES = 10 * MEBIBYTE;

/** Far above what programs write and Quod reads whole: compiled files, results, stores (Debian's largest has 20 MB). */
export const LARGEST_WRITTEN_BYTES = 512 * MEBIBYTE;

const PIECE = 64 * 1024;

/** Without O_NONBLOCK, opening a named pipe that nobody writes to would wait for ever. */
const READ = constants.O_RDONLY | constants.O_NONBLOCK;

/** Reads what stands at a path itself: no link there is followed. */
export const READ_UNLINKED = READ | constants.O_NOFOLLOW;

/** @throws QuodError `file-unreadable`, `too-large`; what the system says where there is no such file. */
export function readRegularFileSync(path: string, mostBytes = LARGEST_SETTINGS): Buffer {
  const file = openRegularFile(path);
  try {
    const pieces = new Pieces(path, fstatSync(file), mostBytes);
    for (let piece = pieces.next(); ; piece = pieces.next())
      if (!pieces.add(readSync(file, piece))) return pieces.whole();
  } finally {
    closeSync(file);
  }
}

/** @throws as `readRegularFileSync`. */
export async function readRegularFile(path: string, mostBytes = LARGEST_SETTINGS): Promise<Buffer> {
  requireRegular(path, await stat(path));
  const file = await open(path, READ);
  try {
    return await wholeOf(file, path, mostBytes);
  } finally {
    await file.close();
  }
}

/**
 * The file at a path that had no link in it, through none that stands there now, in whatever folder above it.
 *
 * @returns undefined where a link leads elsewhere.
 * @throws as `readRegularFile`.
 */
export async function readUnlinkedFile(
  path: string,
  mostBytes = LARGEST_SETTINGS,
): Promise<Buffer | undefined> {
  const status = await lstat(path);
  if (status.isSymbolicLink()) return undefined;
  requireRegular(path, status);
  const file = await open(path, READ_UNLINKED).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ELOOP') return undefined;
    throw error;
  });
  if (file === undefined) return undefined;
  try {
    const bytes = await wholeOf(file, path, mostBytes);
    return (await isUnlinked(file, path)) ? bytes : undefined;
  } finally {
    await file.close();
  }
}

/** Whether the open file is the one at the path itself. Where the system does not tell its path, that is looked up again. */
async function isUnlinked(file: FileHandle, path: string): Promise<boolean> {
  const held = await readlink(`/proc/self/fd/${file.fd}`).catch(() => undefined);
  // An editor may put the next version in its place at any moment.
  return held === undefined ? (await realpath(path)) === path : held === path || held === `${path} (deleted)`;
}

async function wholeOf(file: FileHandle, path: string, mostBytes: number): Promise<Buffer> {
  const status = await file.stat();
  requireRegular(path, status);
  const pieces = new Pieces(path, status, mostBytes);
  for (let piece = pieces.next(); ; piece = pieces.next())
    if (!pieces.add((await file.read(piece)).bytesRead)) return pieces.whole();
}

/** A source, or what else people write. @throws as `readRegularFileSync`. */
export async function readRegularText(path: string, mostBytes = LARGEST_SOURCE_BYTES): Promise<string> {
  return (await readRegularFile(path, mostBytes)).toString('utf8');
}

/**
 * For those who read a file in pieces.
 *
 * @returns a descriptor that the caller closes.
 * @throws as `readRegularFileSync`.
 */
export function openRegularFile(path: string): number {
  // Opening alone does something to some devices: a watchdog begins to count.
  requireRegular(path, statSync(path));
  const file = openSync(path, READ);
  try {
    requireRegular(path, fstatSync(file));
    return file;
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

function requireRegular(path: string, status: Stats): void {
  if (status.isFile()) return;
  throw new QuodError(
    'file-unreadable',
    status.isDirectory() ? 'This is a directory, not a file.' : 'This is not a regular file.',
    {
      place: { file: path },
      remedy: 'Remove it, or put a file in its place.',
    },
  );
}

/** What was read so far: the size that a file has at the start is not what it has at the end. */
class Pieces {
  readonly #path: string;
  readonly #most: number;
  #bytes: Buffer;
  #length = 0;

  constructor(path: string, { size }: Stats, most: number) {
    this.#path = path;
    this.#most = most;
    if (size > most) throw this.#tooLarge();
    // One byte more than there should be, so that the end is seen by the second read.
    this.#bytes = Buffer.allocUnsafe(Math.max(size + 1, 512));
  }

  /** Where the next bytes go: never none. */
  next(): Buffer {
    if (this.#length === this.#bytes.length)
      this.#bytes = Buffer.concat([this.#bytes, Buffer.allocUnsafe(Math.max(this.#length, PIECE))]);
    return this.#bytes.subarray(this.#length);
  }

  /** @returns whether more may follow. */
  add(count: number): boolean {
    this.#length += count;
    if (this.#length > this.#most) throw this.#tooLarge();
    return count > 0;
  }

  whole(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  #tooLarge(): QuodError {
    return new QuodError('too-large', `The file has more than ${sizeText(this.#most)}.`, {
      place: { file: this.#path },
    });
  }
}

function sizeText(bytes: number): string {
  return bytes % MEBIBYTE === 0 ? `${bytes / MEBIBYTE} MiB` : counted(bytes, 'byte');
}
