/**
 * What a compiled file that Quod did not make says of itself. `coqc` writes the MD5 of the source into the `.glob` beside
 * it, and one for each segment into the compiled file.
 */
import { createHash } from 'node:crypto';
import { LARGEST_WRITTEN_BYTES, readRegularText } from '../../../process/foreign-folder/regular-file.ts';
import { hasItsCheckSum, segmentTable } from '../segment-table.ts';

/** Whether the `.glob` beside a compiled file is of this source. */
export async function isCompiledFrom(compiled: string, source: Uint8Array): Promise<boolean> {
  const glob = compiled.replace(/\.vo$/u, '.glob');
  const text = await readRegularText(glob, LARGEST_WRITTEN_BYTES).catch(() => '');
  const md5 = createHash('md5').update(source).digest('hex');
  return /^DIGEST ([0-9a-f]{32})$/mu.exec(text)?.[1] === md5;
}

/** Whether a compiled file is whole, and of the compiler's version. @param version As the compiler prints it. */
export function isWhole(compiled: Uint8Array, version: string): boolean {
  const table = segmentTable(compiled);
  if (typeof table === 'string' || !isOfVersion(table.version, version)) return false;
  return table.segments.length > 0 && table.segments.every(hasItsCheckSum);
}

/** 81601 is 8.16.1. What is no release (`8.20+alpha`) has numbers of its own. */
function isOfVersion(number: number, version: string): boolean {
  const [, major, minor, patch] = /^(\d+)\.(\d+)\.(\d+)(?=\s|$)/u.exec(version) ?? [];
  if (patch === undefined) return true;
  return number === Number(major) * 10_000 + Number(minor) * 100 + Number(patch);
}
