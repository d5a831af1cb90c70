/**
 * Writes a file so that whoever reads it, also after a crash, finds all of the content or what was there before.
 * For files that can be made again: nothing is forced to the disk, and modes and owners are not kept.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Makes the folder when there is none. Leaves nothing behind when it fails; a crash may leave a file `….part`. */
export async function writeWholeFile(
  path: string,
  content: Uint8Array | readonly Uint8Array[],
): Promise<void> {
  const temporary = `${path}.${randomUUID()}.part`;
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(temporary, content);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
}
