/**
 * What a compiled file that Quod did not make says of itself. `coqc` writes the MD5 of the source into the `.glob` beside
 * it, and one for each segment into the compiled file, a header and segments with a table of them at the end.
 */
import { createHash } from 'node:crypto';
import { LARGEST_WRITTEN_BYTES, readRegularText } from '../../../process/foreign-folder/regular-file.ts';

const MAGIC = 0x436f7121;

/** Whether the `.glob` beside a compiled file is of this source. */
export async function isCompiledFrom(compiled: string, source: Uint8Array): Promise<boolean> {
  const glob = compiled.replace(/\.vo$/u, '.glob');
  const text = await readRegularText(glob, LARGEST_WRITTEN_BYTES).catch(() => '');
  return /^DIGEST ([0-9a-f]{32})$/mu.exec(text)?.[1] === md5(source).toString('hex');
}

/** Whether a compiled file is whole, and of the compiler's version. @param version As the compiler prints it. */
export function isWhole(compiled: Uint8Array, version: string): boolean {
  const view = Buffer.from(compiled.buffer, compiled.byteOffset, compiled.byteLength);
  try {
    if (view.readUInt32BE(0) !== MAGIC || !isOfVersion(view.readUInt32BE(4), version)) return false;
    let at = Number(view.readBigInt64BE(8));
    const count = view.readUInt32BE(at);
    at += 4;
    for (let index = 0; index < count; index += 1) {
      at += 4 + view.readUInt32BE(at);
      const start = Number(view.readBigInt64BE(at));
      const end = start + Number(view.readBigInt64BE(at + 8));
      const digest = view.subarray(at + 16, at + 32);
      at += 32;
      if (at > view.length || end > view.length || !md5(view.subarray(start, end)).equals(digest))
        return false;
    }
    return count > 0;
  } catch (error) {
    // A number that leads out of the file.
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** 81601 is 8.16.1. What is no release (`8.20+alpha`) has numbers of its own. */
function isOfVersion(number: number, version: string): boolean {
  const [, major, minor, patch] = /^(\d+)\.(\d+)\.(\d+)(?=\s|$)/u.exec(version) ?? [];
  if (patch === undefined) return true;
  return number === Number(major) * 10_000 + Number(minor) * 100 + Number(patch);
}

function md5(bytes: Uint8Array): Buffer {
  return createHash('md5').update(bytes).digest();
}
