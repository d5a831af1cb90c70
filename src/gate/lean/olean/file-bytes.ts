/**
 * The bytes of a file, read when they are looked at, in pages of 64 KiB. Node has no memory mapping; this keeps its
 * promise that opening a file costs nothing and reading one declaration of a large file costs a few pages. No file
 * stays open between reads: five thousand modules need no five thousand descriptors. A file that changes under the
 * reader is an error, never a mixture of two files.
 */
import { createHash } from 'node:crypto';
import { type Stats, closeSync, fstatSync, readSync } from 'node:fs';
import { QuodError, errorText } from '../../../core/errors.ts';
import { clause } from '../../../core/sentence.ts';
import { openRegularFile } from '../../../process/foreign-folder/regular-file.ts';

const PAGE_SHIFT = 16;
const PAGE_SIZE = 1 << PAGE_SHIFT;
const PAGE_MASK = PAGE_SIZE - 1;

type FileStamp = Pick<Stats, 'size' | 'mtimeMs' | 'ino' | 'dev'>;

export class FileBytes {
  readonly path: string;
  readonly size: number;
  /** How many bytes were read from the file so far. */
  bytesRead = 0;
  readonly #pages: (DataView | undefined)[] = [];
  readonly #stamp: FileStamp | undefined;

  private constructor(path: string, size: number, stamp: FileStamp | undefined) {
    this.path = path;
    this.size = size;
    this.#stamp = stamp;
  }

  /** Looks at the file without reading it. */
  static open(path: string): FileBytes {
    const descriptor = openFile(path);
    try {
      const stamp = fstatSync(descriptor);
      const file = new FileBytes(path, stamp.size, stamp);
      if (stamp.size > 0) file.#fill(descriptor, 0);
      return file;
    } finally {
      closeSync(descriptor);
    }
  }

  /** Reads all of the file at once. */
  static readWhole(path: string): FileBytes {
    const file = FileBytes.open(path);
    file.readAll();
    return file;
  }

  /** Bytes that are in memory already; they must not change any more. */
  static of(bytes: Uint8Array, path: string): FileBytes {
    const file = new FileBytes(path, bytes.length, undefined);
    for (let start = 0; start < bytes.length; start += PAGE_SIZE) {
      const length = Math.min(PAGE_SIZE, bytes.length - start);
      file.#pages.push(new DataView(bytes.buffer, bytes.byteOffset + start, length));
    }
    return file;
  }

  u8(at: number): number {
    return this.#page(at).getUint8(at & PAGE_MASK);
  }

  u32(at: number): number {
    return this.#page(at).getUint32(at & PAGE_MASK, true);
  }

  /** A copy of `length` bytes; the caller has checked that the file has them. */
  slice(at: number, length: number): Uint8Array {
    const bytes = new Uint8Array(length);
    for (let done = 0; done < length;) {
      const page = this.#page(at + done);
      const start = (at + done) & PAGE_MASK;
      const count = Math.min(length - done, PAGE_SIZE - start);
      bytes.set(new Uint8Array(page.buffer, page.byteOffset + start, count), done);
      done += count;
    }
    return bytes;
  }

  readAll(): void {
    const missing = [...this.#pageNumbers()].filter((page) => this.#pages[page] === undefined);
    if (missing.length > 0)
      this.#reopened((descriptor) => missing.forEach((page) => this.#fill(descriptor, page)));
  }

  /** Of the whole file, in lower-case hexadecimal digits. */
  sha256(): string {
    this.readAll();
    const hash = createHash('sha256');
    for (const number of this.#pageNumbers()) {
      const page = this.#page(number * PAGE_SIZE);
      hash.update(new Uint8Array(page.buffer, page.byteOffset, page.byteLength));
    }
    return hash.digest('hex');
  }

  #pageNumbers(): Iterable<number> {
    return Array(Math.ceil(this.size / PAGE_SIZE)).keys();
  }

  #page(at: number): DataView {
    const number = Math.floor(at / PAGE_SIZE);
    const page = this.#pages[number];
    if (page !== undefined) return page;
    return this.#reopened((descriptor) => this.#fill(descriptor, number));
  }

  #reopened<Result>(read: (descriptor: number) => Result): Result {
    const descriptor = openFile(this.path);
    try {
      const now = fstatSync(descriptor);
      const then = this.#stamp;
      if (
        then === undefined ||
        now.size !== then.size ||
        now.mtimeMs !== then.mtimeMs ||
        now.ino !== then.ino ||
        now.dev !== then.dev
      )
        throw this.#changed();
      return read(descriptor);
    } finally {
      closeSync(descriptor);
    }
  }

  #fill(descriptor: number, number: number): DataView {
    const start = number * PAGE_SIZE;
    const bytes = new Uint8Array(Math.min(PAGE_SIZE, this.size - start));
    for (let done = 0; done < bytes.length;) {
      const count = readSync(descriptor, bytes, done, bytes.length - done, start + done);
      if (count === 0) throw this.#changed();
      done += count;
    }
    this.bytesRead += bytes.length;
    const page = new DataView(bytes.buffer);
    this.#pages[number] = page;
    return page;
  }

  #changed(): QuodError {
    return new QuodError('file-changed', 'The file changed while it was read.', {
      place: { file: this.path },
      remedy: 'Run the command again when nothing writes to it.',
    });
  }
}

function openFile(path: string): number {
  try {
    return openRegularFile(path);
  } catch (error) {
    if (error instanceof QuodError) throw error;
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw new QuodError(
      missing ? 'not-found' : 'file-unreadable',
      missing ? 'There is no such file.' : `It cannot be read: ${clause(errorText(error))}.`,
      { place: { file: path }, cause: error },
    );
  }
}
