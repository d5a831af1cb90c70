/** Files of the cache: compressed, written whole, and read like any file that somebody else could have chosen. */
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { LARGEST_WRITTEN_BYTES, readRegularFile } from '../../process/foreign-folder/regular-file.ts';
import { writeWholeFile } from '../../process/whole-file.ts';

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** Removes the files of a folder that were written longest ago, until there are no more than `most`. @throws of the system. */
export async function keepNewest(folder: string, most: number): Promise<void> {
  const names = await readdir(folder);
  if (names.length <= most) return;
  const files = await Promise.all(
    names.map(async (name) => ({ name, written: (await stat(join(folder, name))).mtimeMs })),
  );
  files.sort((one, other) => one.written - other.written);
  for (const { name } of files.slice(0, names.length - most)) await rm(join(folder, name), { force: true });
}

/** @throws what reading or unpacking throws. */
export async function readPacked(path: string): Promise<Buffer> {
  return decompress(await readRegularFile(path, LARGEST_WRITTEN_BYTES));
}

export async function readPackedText(path: string): Promise<string> {
  return (await readPacked(path)).toString('utf8');
}

export async function writePacked(path: string, content: string | Buffer): Promise<void> {
  await writeWholeFile(path, await compress(content));
}
