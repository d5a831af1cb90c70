/**
 * The compiled libraries that a file could require: the standard ones, and those below the names of what is loaded. A Rocq of the machine
 * says itself where they lie; of the embedded one they lie in its packages.
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readRegularFile } from '../../../process/foreign-folder/regular-file.ts';
import { shippedLibraries } from '../../../provers/rocq/embedded/installation.ts';
import { readArchived } from '../../../provers/rocq/embedded/package-archive.ts';
import { foldersOf } from '../../../provers/rocq/load-path-answer.ts';

export interface LibraryBytes {
  /** `Coq.Lists.List`. */
  readonly logical: string;
  readonly bytes: () => Promise<Buffer>;
}

/** What Rocq answers to a question, empty where it does not. */
export type Ask = (question: string) => Promise<string>;

const STANDARD = new Set(['Coq', 'Stdlib', 'Corelib']);
const LARGEST_BYTES = 100_000_000;

/** @param embedded The folder of the embedded Rocq, where it is asked. */
export async function installedLibraries(ask: Ask, embedded?: string): Promise<readonly LibraryBytes[]> {
  if (embedded !== undefined) return shipped(embedded);
  const loaded = [...(await ask('Print Libraries.')).matchAll(/^\s+([^\s.]+)\.\S+$/gmu)];
  const roots = new Set([...STANDARD, ...loaded.flatMap(([, root]) => root ?? [])]);
  const folders = foldersOf(await ask('Print LoadPath.')).filter(({ logical }) =>
    roots.has(logical.split('.', 1).join('')),
  );
  const found = await Promise.all(
    folders.map(async ({ logical, physical }) =>
      (await readdir(physical).catch(() => [])).flatMap((name) => {
        const own = /^(.+)\.vo$/u.exec(name)?.[1];
        if (own === undefined) return [];
        const path = join(physical, name);
        return [{ logical: `${logical}.${own}`, bytes: () => readRegularFile(path, LARGEST_BYTES) }];
      }),
    ),
  );
  return inOrder(found.flat());
}

function shipped(root: string): readonly LibraryBytes[] {
  const found = [...shippedLibraries(root)].flatMap(([name, file]) => {
    const path = /^(.+)\.vo$/u.exec(name)?.[1];
    if (path === undefined) return [];
    return [{ logical: path.replaceAll('/', '.'), bytes: () => Promise.resolve(readArchived(file)) }];
  });
  return inOrder(found);
}

function inOrder(libraries: LibraryBytes[]): LibraryBytes[] {
  return libraries.sort((one, other) => (one.logical < other.logical ? -1 : 1));
}
