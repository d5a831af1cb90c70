/**
 * Links of a folder that may come from somebody else: one that leads out of it names files of the user's, and what is
 * read of a project may be sent to a model.
 */
import { realpathSync } from 'node:fs';
import { isAbsolute, relative, sep } from 'node:path';

/** Whether a path, its links followed, lies in none of the folders. What is not there lies in none. */
export function leadsOut(path: string, ...folders: readonly string[]): boolean {
  const real = realPath(path);
  return real === undefined || !folders.some((folder) => isBelow(real, realPath(folder)));
}

function isBelow(real: string, folder: string | undefined): boolean {
  if (folder === undefined) return false;
  const way = relative(folder, real);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}
