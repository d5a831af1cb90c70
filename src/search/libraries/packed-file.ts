/** Files of the cache: compressed, written whole, and read like any file that somebody else could have chosen. */
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { LARGEST_WRITTEN_BYTES, readRegularFile } from '../../process/foreign-folder/regular-file.ts';
import { writeWholeFile } from '../../process/whole-file.ts';

const compress = promisify(gzip);
const decompress = promisify(gunzip);

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
