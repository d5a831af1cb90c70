/**
 * Replaces a file in one step: whoever reads it, also after a crash or kill -9 at any moment, finds all of the old
 * bytes or all of the new ones. The mode, the owner, an access control list and extended attributes stay. A file that is no
 * longer what was read is left alone, also where another writer of Quod, in whatever process, is about to write it. An
 * editor takes no lock: the file is compared at the last moment, what was displaced is looked at afterwards and comes back
 * when it is not what was compared, and `replaceFile` returns only when the file has the new bytes. A file that its owner
 * made read-only is not replaced, whoever runs Quod, nor one that has another name: the other name would keep the old bytes.
 * `requireReplaceable` tells that early.
 */
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  ftruncateSync,
  linkSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { lstat, open, readlink, realpath, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import {
  attributesCannotBeKept,
  copyAttributes,
  CP_REMEDY,
  type AttributedFile,
} from '../../process/foreign-folder/file-attributes.ts';
import {
  LARGEST_WRITTEN_BYTES,
  READ_UNLINKED,
  readRegularFileSync,
} from '../../process/foreign-folder/regular-file.ts';
import { QuodError } from '../../core/errors.ts';
import { clause } from '../../core/sentence.ts';
import { unwritableFile } from '../../process/foreign-folder/unreadable-file.ts';
import { sha256 } from '../../core/sha256.ts';
import { withFileLock } from '../../process/foreign-folder/file-lock.ts';
import type { SourceFile } from './source-file.ts';

/**
 * A file that has the new bytes already, because another writer had the same, is left as it is.
 *
 * @throws QuodError `file-changed`, `file-unwritable`; unless the message says otherwise nothing was written.
 */
export async function replaceFile(source: SourceFile, bytes: Uint8Array): Promise<void> {
  try {
    await inFolderOf(source, (folder) => replaceIn(folder, source, bytes));
  } catch (error) {
    throw notReplaced(source, error);
  }
}

/**
 * Tries all of it but the last step, so that nobody pays for what could not be written in the end; the file stays as it is.
 *
 * @throws QuodError as `replaceFile`.
 */
export async function requireReplaceable(source: SourceFile): Promise<void> {
  const name = basename(source.path);
  try {
    await inFolderOf(source, (folder) =>
      withFileLock(folder, name, (lock) => makeFresh(join(folder, name), lock.path('new'), new Uint8Array())),
    );
  } catch (error) {
    throw notReplaced(source, error);
  }
}

function notReplaced(source: SourceFile, error: unknown): QuodError {
  const place = { file: source.name };
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  // It was a regular file when it was read.
  const isGone = code === 'ENOENT' || code === 'ELOOP';
  const isOther = error instanceof QuodError && error.reason !== 'file-changed';
  const told = isGone || isOther ? fileChanged(error) : error;
  if (told instanceof QuodError) {
    const { message, remedy, cause } = told;
    // Named as the user did: where the work is done, the file has another path.
    return new QuodError('file-changed', message, { place, ...(remedy !== undefined && { remedy }), cause });
  }
  if (error instanceof NotReplaceable)
    return new QuodError('file-unwritable', `The file cannot be replaced: ${clause(error.message)}.`, {
      place,
      remedy: `It is unchanged. ${error.remedy}`,
      cause: error,
    });
  const instead = 'work on a copy of it that can be written to';
  return unwritableFile(source.name, error, { unchanged: 'It is unchanged.', instead });
}

class NotReplaceable extends Error {
  override readonly name = 'NotReplaceable';
  readonly remedy: string;

  constructor(message: string, remedy: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.remedy = remedy;
  }
}

async function replaceIn(folder: string, source: SourceFile, bytes: Uint8Array): Promise<void> {
  const name = basename(source.path);
  const path = join(folder, name);
  await withFileLock(folder, name, async (lock) => {
    if (has(path, sha256(bytes))) return;
    const fresh = lock.path('new');
    await makeFresh(path, fresh, bytes);
    if (hashOf(path) !== source.hash) throw fileChanged();
    exchange({ path, fresh, old: lock.path('old') }, source.hash);
    if (!has(path, sha256(bytes)))
      throw new QuodError('file-changed', 'The file was written, and somebody else changed it at once.', {
        remedy: 'Look at what is there now.',
      });
  });
}

const ANY_WRITE_BIT = 0o222;

/** A file with all but the bytes of the one whose place it takes. @throws NotReplaceable, and what the system says. */
async function makeFresh(path: string, fresh: string, bytes: Uint8Array): Promise<void> {
  // It was one when it was read, with no link in its path.
  if (!(await lstat(path)).isFile()) throw fileChanged();
  const there = await open(path, READ_UNLINKED);
  try {
    await makeLike({ path, handle: there }, fresh, bytes);
  } finally {
    await there.close();
  }
}

interface OpenFile {
  readonly path: string;
  readonly handle: FileHandle;
}

async function makeLike({ path, handle: there }: OpenFile, fresh: string, bytes: Uint8Array): Promise<void> {
  const { mode, uid, gid, nlink } = await there.stat();
  if ((mode & ANY_WRITE_BIT) === 0)
    throw new NotReplaceable('its mode lets nobody write it', 'If Quod may write it, `chmod u+w` says so.');
  if (nlink > 1)
    throw new NotReplaceable(
      'it has another name (a hard link), under which the old text would stay',
      'Make it a file of its own: copy it, and move the copy into its place.',
    );
  const handle = await open(fresh, 'wx', 0o600);
  try {
    const made = await handle.stat();
    if (made.uid !== uid || made.gid !== gid)
      await handle.chown(uid, gid).catch((cause: unknown) => {
        const owner = `the user ${uid} and the group ${gid}`;
        throw new NotReplaceable(
          `it belongs to ${owner}, and whoever runs Quod cannot keep that so`,
          'Give it to yourself and a group of yours (`chown`, `chgrp`).',
          cause,
        );
      });
    const lost = copyAttributes({ path, descriptor: there.fd }, { path: fresh, descriptor: handle.fd });
    if (lost !== undefined) throw new NotReplaceable(attributesCannotBeKept(lost), CP_REMEDY);
    await handle.truncate();
    await handle.writeFile(bytes);
    await handle.chmod(mode & 0o7777);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

interface Exchanged {
  readonly path: string;
  /** Takes the place of what is at `path`. */
  readonly fresh: string;
  /** Where what was at `path` can be found afterwards; nothing is there before. */
  readonly old: string;
}

/**
 * Puts a file in the place of one that was compared just now, and takes it out again when what it displaced is not what
 * was compared: somebody wrote it in place meanwhile. All of it happens without a pause. What remains open is a file
 * that another program renames into the place within the microseconds between the last look and the rename, and what
 * a program writes into the displaced file after it was looked at: no system offers Node a way to close that.
 *
 * @throws QuodError `file-changed`: what is there is what somebody else wrote.
 */
export function exchange({ path, fresh, old }: Exchanged, hash: string): void {
  const opened = openSync(path, READ_UNLINKED);
  try {
    const { ino } = fstatSync(opened);
    const isKept = link(path, old) && lstatSync(old).ino === ino;
    const own = lstatSync(fresh).ino;
    if (lstatSync(path).ino !== ino) throw fileChanged();
    renameSync(fresh, path);
    const displaced = readFileSync(opened);
    if (sha256(displaced) === hash) return;
    // Who exchanged it once more meant what is there now.
    if (lstatSync(path, { throwIfNoEntry: false })?.ino === own) {
      if (!isKept) writeLike({ path, descriptor: opened }, old, displaced);
      renameSync(old, path);
    }
    throw fileChanged();
  } finally {
    closeSync(opened);
  }
}

/** That the bytes come back is more than that all comes back which the file has beside them. */
function writeLike(like: AttributedFile, path: string, bytes: Uint8Array): void {
  const descriptor = openSync(path, 'w', 0o600);
  try {
    const lost = copyAttributes(like, { path, descriptor });
    ftruncateSync(descriptor);
    writeFileSync(descriptor, bytes);
    if (lost !== undefined) fchmodSync(descriptor, fstatSync(like.descriptor).mode & 0o7777);
  } finally {
    closeSync(descriptor);
  }
}

/** @returns whether the file has a second name now; some file systems, and some files of others, allow none. */
function link(path: string, second: string): boolean {
  try {
    linkSync(path, second);
    return true;
  } catch {
    return false;
  }
}

function hashOf(path: string): string {
  return sha256(readRegularFileSync(path, LARGEST_WRITTEN_BYTES));
}

function has(path: string, hash: string): boolean {
  try {
    return hashOf(path) === hash;
  } catch {
    return false;
  }
}

/**
 * Works in the folder of a file that was read, held open: where the folder, or one above it, was exchanged for a link
 * since, nothing is written. Where the system gives no path to an open folder, the path is only looked at.
 */
async function inFolderOf(source: SourceFile, work: (folder: string) => Promise<void>): Promise<void> {
  const folder = dirname(source.path);
  const handle = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    const held = `/proc/self/fd/${handle.fd}`;
    const heldPath = await readlink(held).catch(() => undefined);
    if ((heldPath ?? (await realpath(folder))) !== folder) throw fileChanged();
    await work(heldPath === undefined ? folder : held);
    // Makes the rename itself survive a power cut. Some file systems refuse; the content is safe anyway.
    await handle.sync().catch(() => undefined);
  } finally {
    await handle.close();
  }
}

/** The place is added where the file's name is known. */
function fileChanged(cause?: unknown): QuodError {
  return new QuodError('file-changed', 'The file changed on disk while Quod worked on it.', {
    remedy: 'Nothing was written. Run the command again.',
    ...(cause !== undefined && { cause }),
  });
}
