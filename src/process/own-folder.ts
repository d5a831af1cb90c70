/**
 * What Quod keeps for itself in a user's folder, under `.quod`. A folder may come from somebody else, and a link in
 * it would lead what is written there to any other place: nothing on the way from `.quod` down is a symbolic link.
 */
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { QuodError } from '../core/errors.ts';

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
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true) throw writtenElsewhere(path);
  return path;
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
