/**
 * Writes a file so that whoever reads it, also after a crash, finds all of the content or what was there before.
 * For files that can be made again: nothing is forced to the disk, and modes and owners are not kept.
 */
import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { LARGEST_WRITTEN_BYTES, readRegularFile } from './foreign-folder/regular-file.ts';

/** Makes the folder when there is none. Leaves nothing behind when it fails; a crash may leave a file `….part`. */
export async function writeWholeFile(
  path: string,
  content: Uint8Array | readonly Uint8Array[],
): Promise<void> {
  const temporary = `${path}.${randomUUID()}.part`;
  try {
    await makeFolder(dirname(path));
    await writeFile(temporary, content);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
}

/**
 * Makes a folder with those around it. Node's own way does not end where the system says of a folder that is there that it is not,
 * as below /proc. @throws what the system says.
 */
async function makeFolder(path: string): Promise<void> {
  if (existsSync(path)) return;
  const around = dirname(path);
  if (!existsSync(around)) await makeFolder(around);
  await mkdir(path).catch((error: unknown) => {
    // Somebody else made it.
    if (!existsSync(path)) throw error;
  });
}

const SEAL_BYTES = 32;

/** As {@link writeWholeFile}, with a seal from which a reader knows the content again. */
export function writeSealedFile(path: string, ...content: readonly Uint8Array[]): Promise<void> {
  return writeWholeFile(path, [sealOf(content), ...content]);
}

/** The content of a sealed file; undefined where there is none, or it is not what was written. */
export async function readSealedFile(path: string): Promise<Buffer | undefined> {
  const file = await readRegularFile(path, LARGEST_WRITTEN_BYTES).catch(() => undefined);
  return file && unsealed(file);
}

/** Says that a file was of use. Those that were not for longest go first ({@link removeUnused}). */
export async function markUsed(path: string): Promise<void> {
  const now = new Date();
  await utimes(path, now, now).catch(() => undefined);
}

interface WrittenFile {
  readonly path: string;
  readonly size: number;
}

/**
 * Removes files of a folder until the others have no more than so many bytes.
 * @param suffix of their names.
 * @param written The one file that was written since this was asked last: where it is small, it is seldom time to look.
 */
export async function removeUnused(
  folder: string,
  suffix: string,
  mostBytes: number,
  written?: WrittenFile,
): Promise<void> {
  if (written !== undefined && !isTimeToLook(written, mostBytes)) return;
  const names = (await readdir(folder)).filter((name) => name.endsWith(suffix));
  const files = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      // Another process may have removed it.
      const found = await stat(path).catch(() => undefined);
      return found === undefined ? [] : [{ path, size: found.size, mtimeMs: found.mtimeMs }];
    }),
  );
  let total = 0;
  for (const { path, size } of files.flat().sort((one, other) => other.mtimeMs - one.mtimeMs)) {
    total += size;
    if (total > mostBytes) await rm(path, { force: true });
  }
}

/** One of so many: to look at the thousands of files of a full folder takes longer than many a proof. */
const LOOKS_ONE_IN = 16;
/** What is so large a part of all is looked behind each time. */
const LARGE_PART = 256;

/** The same for the same name: a folder may have some files more than it should, none of them large. */
function isTimeToLook({ path, size }: WrittenFile, mostBytes: number): boolean {
  const [byte = 0] = createHash('sha256').update(basename(path)).digest();
  return size * LARGE_PART > mostBytes || byte % LOOKS_ONE_IN === 0;
}

function unsealed(file: Buffer): Buffer | undefined {
  const content = file.subarray(SEAL_BYTES);
  return file.subarray(0, SEAL_BYTES).equals(sealOf([content])) ? content : undefined;
}

function sealOf(content: readonly Uint8Array[]): Buffer {
  const hash = createHash('sha256');
  for (const part of content) hash.update(part);
  return hash.digest();
}
