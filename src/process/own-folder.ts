/**
 * What Quod keeps for itself in a user's folder, under `.quod`. A folder may come from somebody else, and a link in
 * it would lead what is written there to any other place: nothing on the way from `.quod` down is a symbolic link.
 */
import { existsSync, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { QuodError } from '../core/errors.ts';
import { unreadableFile, unwritableFile } from './foreign-folder/unreadable-file.ts';

export const OWN_FOLDER = '.quod';

/** A folder under `.quod`, which need not exist. @throws QuodError `invalid-input` where a link is in the way. */
export function ownFolder(root: string, name: string): string {
  return ownEntry(ownEntry(root, OWN_FOLDER), name);
}

/** A folder whose content Quod writes again and again. @throws QuodError `invalid-input` where a link is in it. */
export function requireNoLinks(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isSymbolicLink()) throw writtenElsewhere(join(entry.parentPath, entry.name));
}

/** What is kept by this name in a folder of Quod's own. @throws QuodError `invalid-input` where it is a link. */
export function ownEntry(folder: string, name: string): string {
  const path = join(folder, name);
  if (isLink(path)) throw writtenElsewhere(path);
  return path;
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  } catch (cause) {
    // A file in the place of a folder has nothing in it; who writes there is told.
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOTDIR') return false;
    throw unreadableFile(path, cause, { what: 'What Quod keeps in this folder' });
  }
}

/**
 * Does what writes under `.quod`. That nothing can be written there (a folder of somebody else's, a disk that is full or
 * for reading only) is no defect of Quod, and is told with what can be done.
 *
 * @param path The folder or file, for the message.
 * @param instead What else can be done than to make that place one that can be written to.
 * @throws QuodError `file-unwritable`.
 */
export function keepingIn<Kept>(
  path: string,
  what: string,
  keep: () => Kept,
  instead = 'work in a copy of the folder that can be written to',
): Kept {
  try {
    return keep();
  } catch (cause) {
    if (cause instanceof QuodError || !(cause instanceof Error && 'syscall' in cause)) throw cause;
    throw unwritableFile(path, cause, { what, instead });
  }
}

/** A folder with those above it, one after the other: of all at once the system says ENOENT where nothing can be written. */
export function makeFolders(path: string): void {
  if (existsSync(path) && lstatSync(path).isDirectory()) return;
  const above = dirname(path);
  if (above !== path && !existsSync(above)) makeFolders(above);
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process made it meanwhile.
    if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) throw error;
  }
}

function writtenElsewhere(path: string): QuodError {
  return new QuodError(
    'invalid-input',
    'What Quod keeps here would be written elsewhere: it is a symbolic link.',
    {
      place: { file: path },
      remedy:
        'Remove the link. Another place is named by QUOD_RUNS for the runs of the agent, by --out for results.',
    },
  );
}
