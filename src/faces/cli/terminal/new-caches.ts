/**
 * What Rocq's arithmetic tactics keep beside a project (`.lia.cache` and its like): a run that made one takes it
 * away again, and leaves those that were there.
 */
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

const CACHES = ['.lia.cache', '.nia.cache', '.nra.cache', '.csdp.cache'];

/** @returns what removes the caches that are not there now. */
export function removingNewCaches(folders: readonly string[]): () => Promise<void> {
  const missing = [...new Set(folders)]
    .flatMap((folder) => CACHES.map((name) => join(folder, name)))
    .filter((file) => !existsSync(file));
  return async () => {
    await Promise.all(missing.map((file) => rm(file, { force: true })));
  };
}
