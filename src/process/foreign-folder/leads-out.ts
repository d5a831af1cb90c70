/**
 * Links of a folder that may come from somebody else: one that leads out of it names files of the user's, and what is
 * read of a project may be sent to a model.
 */
import { realpathSync } from 'node:fs';
import { isInside } from '../../core/inside.ts';

/** Whether a path, its links followed, lies in none of the folders. What is not there lies in none. */
export function leadsOut(path: string, ...folders: readonly string[]): boolean {
  const real = realPath(path);
  if (real === undefined) return true;
  return !folders.map(realPath).some((folder) => folder !== undefined && isInside(folder, real));
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}
