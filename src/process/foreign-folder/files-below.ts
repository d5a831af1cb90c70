/**
 * Which files belong to a project: all below its folder, but not those of builds, packages and hidden folders, nor the
 * copies that a benchmark works on.
 */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CELLS_FOLDER, mayHoldSources, RESULTS_FILE, SCRATCH_FOLDER } from './source-folders.ts';
import { leadsOut } from './leads-out.ts';

/** What is hidden is a lock or a copy of some editor. */
const isHidden = (name: string): boolean => name.startsWith('.');

/**
 * Paths that begin with that of the folder, in no order. A folder below that cannot be read has none; links to folders
 * are not followed, links to files that lead out of `border` are left out.
 *
 * @throws as readdir does, for the folder itself.
 */
export async function* filesBelow(folder: string, border = folder): AsyncGenerator<string> {
  yield* filesOf(folder, border);
}

async function* filesOf(folder: string, border: string): AsyncGenerator<string> {
  const entries = await readdir(folder, { withFileTypes: true });
  const worked = entries.some(({ name }) => name === RESULTS_FILE) ? [CELLS_FOLDER, SCRATCH_FOLDER] : [];
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (mayHoldSources(entry.name) && !worked.includes(entry.name)) yield* filesOfReadable(path, border);
    } else if (
      !isHidden(entry.name) &&
      (entry.isFile() || (entry.isSymbolicLink() && (await isFileInside(path, border))))
    )
      yield path;
  }
}

async function isFileInside(link: string, border: string): Promise<boolean> {
  return !leadsOut(link, border) && (await stat(link)).isFile();
}

/**
 * The files of a folder of a load path whose names end so, in the order of their paths: a prover takes them from folders that are
 * no part of a project elsewhere, such as `_lib`. What dune and others put below `_build` are copies and what was made; links are
 * none of them. None of a folder that cannot be read.
 *
 * @param ending such as `.v`. @param isDeep whether folders below are looked into.
 */
export async function filesOfLoadPath(folder: string, ending: string, isDeep = true): Promise<string[]> {
  const found: string[] = [];
  const pending = [folder];
  for (let next = pending.pop(); next !== undefined; next = pending.pop())
    for (const entry of await readdir(next, { withFileTypes: true }).catch(() => [])) {
      const path = join(next, entry.name);
      if (entry.isFile() && entry.name.endsWith(ending)) found.push(path);
      if (isDeep && entry.isDirectory() && !isHidden(entry.name) && entry.name !== '_build')
        pending.push(path);
    }
  return found.sort();
}

async function* filesOfReadable(folder: string, border: string): AsyncGenerator<string> {
  try {
    yield* filesOf(folder, border);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
  }
}
