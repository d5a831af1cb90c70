/**
 * Replaces a file in one step: whoever reads it, also after a crash or kill -9 at any moment, finds all of the old
 * bytes or all of the new ones. The mode and the owner stay. A file that is no longer what was read is left alone.
 */
import { constants } from 'node:fs';
import { open, readdir, readlink, realpath, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { LARGEST_WRITTEN_BYTES, readRegularFile } from '../../process/foreign-folder/regular-file.ts';
import { isAlive } from '../../process/process-table.ts';
import { QuodError, errorText } from '../../core/errors.ts';
import { sha256 } from '../../core/sha256.ts';
import type { SourceFile } from './source-file.ts';

/** @throws QuodError `file-changed`, `file-unreadable`; in both cases nothing was written. */
export async function replaceFile(source: SourceFile, bytes: Uint8Array): Promise<void> {
  try {
    await inFolderOf(source, (folder) => replaceIn(folder, source, bytes));
  } catch (error) {
    if (error instanceof QuodError) throw error;
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT') throw fileChanged(source);
    throw new QuodError('file-unreadable', `The file cannot be written: ${errorText(error)}.`, {
      place: { file: source.name },
      remedy: 'Check the permissions of its directory; the file is unchanged.',
      cause: error,
    });
  }
}

async function replaceIn(folder: string, source: SourceFile, bytes: Uint8Array): Promise<void> {
  const name = basename(source.path);
  const prefix = `.${name}.quod-`;
  const path = join(folder, name);
  const temporary = join(folder, `${prefix}${process.pid}`);
  try {
    await removeLeftovers(folder, prefix);
    const { mode, uid, gid } = await stat(path);
    const handle = await open(temporary, 'w', 0o600);
    try {
      await handle.writeFile(bytes);
      const made = await handle.stat();
      if (made.uid !== uid || made.gid !== gid) await handle.chown(uid, gid);
      await handle.chmod(mode & 0o7777);
      await handle.sync();
    } finally {
      await handle.close();
    }
    // The last look: what remains between here and the rename is microseconds, and no file system offers less.
    if (sha256(await readRegularFile(path, LARGEST_WRITTEN_BYTES)) !== source.hash) throw fileChanged(source);
    await rename(temporary, path);
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw error;
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
    if ((heldPath ?? (await realpath(folder))) !== folder) throw fileChanged(source);
    await work(heldPath === undefined ? folder : held);
    // Makes the rename itself survive a power cut. Some file systems refuse; the content is safe anyway.
    await handle.sync().catch(() => undefined);
  } finally {
    await handle.close();
  }
}

function fileChanged(source: SourceFile): QuodError {
  return new QuodError('file-changed', 'The file changed on disk while Quod worked on it.', {
    place: { file: source.name },
    remedy: 'Nothing was written. Run the command again.',
  });
}

/** Temporary files of writers that were killed. */
async function removeLeftovers(folder: string, prefix: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const writer = name.startsWith(prefix) ? Number(name.slice(prefix.length)) : Number.NaN;
    if (Number.isInteger(writer) && writer > 0 && !isAlive(writer)) await unlink(join(folder, name));
  }
}
