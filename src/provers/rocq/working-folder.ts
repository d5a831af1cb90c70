/**
 * The folder in which a session's Rocq works. Tactics keep files there (`lia` its `.lia.cache`), and write them through
 * a link of that name; so it is a folder of the session's own, which ends with it. What a saved text may read by a
 * relative path (`Load "./part"`) is found there by links: the sources and folders of the project's root, no hidden ones.
 */
import { readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { makeScratchFolder, removeScratchFolder } from '../../process/scratch-folder.ts';

export interface WorkingFolder {
  readonly path: string;
  readonly remove: () => void;
}

/** @param root Absolute folder of the project; one that cannot be listed lends nothing. */
export function makeWorkingFolder(root: string): WorkingFolder {
  const path = makeScratchFolder('rocq');
  for (const name of lentBy(root)) symlinkSync(join(root, name), join(path, name));
  return {
    path,
    remove: () => {
      removeScratchFolder(path);
    },
  };
}

function lentBy(root: string): readonly string[] {
  try {
    return readdirSync(root, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() || entry.name.endsWith('.v'))
      .map(({ name }) => name)
      .filter((name) => !name.startsWith('.'));
  } catch {
    return [];
  }
}
