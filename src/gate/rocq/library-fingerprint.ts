/**
 * What stands for all library files that a prover could find: their places, sizes and times. While it is the same, the same
 * text requires the same files. A file that is added, removed or written again changes it, whether it was required or not.
 */
import { createHash } from 'node:crypto';
import { readdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Turn } from '../../core/concurrency/turn.ts';

export interface LibraryPlaces {
  /** Absolute. Those that do not exist count as empty. */
  readonly folders: readonly string[];
  /** What the names of library files end with. */
  readonly suffixes: readonly string[];
  /** What else says where libraries are. */
  readonly variables: Readonly<Record<string, string>>;
}

/** Above this many entries nothing is said of the folders. */
const MOST_ENTRIES = 300_000;

/** Undefined when there is too much to look at, or it cannot be looked at. Others have their turn meanwhile. */
export async function libraryFingerprint({
  folders,
  suffixes,
  variables,
}: LibraryPlaces): Promise<string | undefined> {
  const hash = createHash('sha256').update(JSON.stringify([folders, variables]));
  const seen = new Set<string>();
  const pending = [...folders].reverse();
  let entries = 0;
  const turn = new Turn();
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    if (turn.isOver) await turn.pass();
    try {
      // Links can lead round in circles.
      const real = realpathSync(folder);
      if (seen.has(real)) continue;
      seen.add(real);
      for (const name of readdirSync(real).sort()) {
        entries += 1;
        if (entries > MOST_ENTRIES) return undefined;
        const isLibrary = suffixes.some((suffix) => name.endsWith(suffix));
        if (!isLibrary && name.includes('.')) continue;
        const path = join(folder, name);
        const { size, ctimeMs, ino, isFolder } = statOf(path);
        if (isFolder) pending.push(path);
        else if (isLibrary) hash.update(`${path}\0${size} ${ctimeMs} ${ino}\n`);
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return undefined;
    }
  }
  return hash.digest('hex');
}

function statOf(path: string): {
  readonly size: number;
  readonly ctimeMs: number;
  readonly ino: number;
  readonly isFolder: boolean;
} {
  const stat = statSync(path, { throwIfNoEntry: false });
  return {
    size: stat?.size ?? -1,
    ctimeMs: stat?.ctimeMs ?? -1,
    ino: stat?.ino ?? -1,
    isFolder: stat?.isDirectory() === true,
  };
}
