/** The files of a folder that are of the sources' side: what dune and others put below `_build` are copies and what was made. */
import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

/** Absolute, in the order of their names. @param ending such as `.v`. @param recursive whether folders below are looked into. */
export async function filesBelow(
  folder: string,
  ending: string,
  recursive = true,
): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !relative(folder, path).split(sep).includes('_build'))
    .toSorted((one, other) => (one < other ? -1 : 1));
}
