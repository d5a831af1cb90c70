/**
 * What a compiled file that Quod did not make says of itself. `coqc` writes the MD5 of the source and the name of the library
 * into the `.glob` beside it, and one for each segment into the compiled file.
 */
import { createHash } from 'node:crypto';
import { closeSync, readSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { openRegularFile } from '../../../process/foreign-folder/regular-file.ts';
import { hasItsCheckSum, segmentTable } from '../segment-table.ts';

const FIRST_LINES = /^DIGEST ([0-9a-f]{32})\n(?:F(\S+)\n)?/u;
const FIRST_BYTES = 2_000;

/**
 * Whether the `.glob` beside a compiled file is of this source; undefined where there is none, or it does not say.
 * @param names Its full logical names, where they are known: under another one it is no file of the project.
 */
export function isCompiledFrom(
  compiled: string,
  source: Uint8Array,
  names?: readonly string[],
): boolean | undefined {
  const [, digest, name] = FIRST_LINES.exec(beginningOf(globOf(compiled))) ?? [];
  if (digest === undefined) return undefined;
  const isOther = name !== undefined && names?.includes(name) === false;
  return !isOther && digest === createHash('md5').update(source).digest('hex');
}

/** What the compiler notes beside a compiled file. */
export function globOf(compiled: string): string {
  return compiled.replace(/\.vo$/u, '.glob');
}

/** Text; nothing of what cannot be read. */
function beginningOf(path: string): string {
  try {
    const file = openRegularFile(path);
    try {
      const bytes = Buffer.alloc(FIRST_BYTES);
      return bytes.toString('utf8', 0, readSync(file, bytes));
    } finally {
      closeSync(file);
    }
  } catch {
    return '';
  }
}

/** Where `coqc -vio`, which early versions have, puts the statements of a file without their proofs. */
export function unfinishedFileOf(compiled: string): string {
  return compiled.replace(/\.vo$/u, '.vio');
}

/** Whether Rocq loads such a file, and not the compiled one beside it, which is older or is not there. */
export async function isUnfinishedLoaded(compiled: string): Promise<boolean> {
  const [made, unfinished] = await Promise.all([compiled, unfinishedFileOf(compiled)].map(changeTime));
  return unfinished !== undefined && (made === undefined || made < unfinished);
}

/** Undefined where there is no such file. */
export async function changeTime(path: string): Promise<number | undefined> {
  return stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => undefined,
  );
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
