/**
 * What Quod keeps for itself in a user's folder, under `.quod`. A folder may come from somebody else, and a link in
 * it would lead what is written there to any other place: nothing on the way from `.quod` down is a symbolic link.
 */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { QuodError } from '../core/errors.ts';

export const OWN_FOLDER = '.quod';

/** A folder under `.quod`, which need not exist. @throws QuodError `invalid-input` where a link is in the way. */
export function ownFolder(root: string, name: string): string {
  return ownEntry(ownEntry(root, OWN_FOLDER), name);
}

/** What is kept by this name in a folder of Quod's own. @throws QuodError `invalid-input` where it is a link. */
export function ownEntry(folder: string, name: string): string {
  const path = join(folder, name);
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true) {
    throw new QuodError(
      'invalid-input',
      'What Quod keeps here would be written elsewhere: it is a symbolic link.',
      {
        place: { file: path },
        remedy: 'Remove the link. Another place for the runs of the agent is named by QUOD_RUNS.',
      },
    );
  }
  return path;
}
