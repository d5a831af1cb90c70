/**
 * What the user allowed: what their own settings, their environment and their command line name, and what they said
 * yes to, folder by folder. That list is in the user's own folder: nobody who can only write into a project can add
 * to it.
 */
import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { lazyConstant } from '../../core/lazy-constant.ts';
import { changeAllowed, readAllowed } from '../../process/foreign-folder/allowed.ts';
import type { Allowed, Reach } from '../../process/foreign-folder/allowed.ts';
import { ownPromptFolders, ownReaches } from './layers.ts';
import type { Layer } from '../settings.ts';
import type { Place } from './layers.ts';
import { isCovered } from './reach.ts';
import type { Permissions } from './reach.ts';

/** @param typed What stands on the command line. */
export function permissionsHere(place: Place, typed: Layer = {}): Permissions {
  const here = realpathSync(place.folder);
  const own = ownReaches(place, typed);
  // The list is read when something is asked for that the user did not write: whoever needs none of it has no fault of it.
  const kept = lazyConstant(() => readAllowed(place.environment).filter(({ folder }) => folder === here));
  const prompts = ownPromptFolders(place, typed);
  return {
    allows: (reach) =>
      own.some((one) => isCovered(reach, one)) || kept().some((one) => isCovered(reach, one.reach)),
    borderOfPrompts: (folder) => (prompts.includes(resolve(place.folder, folder)) ? undefined : here),
  };
}

/** Remembers that the user allowed it in this folder. */
export async function allow({ folder, environment }: Place, reaches: readonly Reach[]): Promise<void> {
  const here = realpathSync(folder);
  const missingIn = (kept: Allowed): Allowed =>
    reaches
      .filter((reach) => !kept.some((one) => one.folder === here && isCovered(reach, one.reach)))
      .map((reach) => ({ folder: here, reach }));
  if (missingIn(readAllowed(environment)).length === 0) return;
  await changeAllowed((kept) => [...kept, ...missingIn(kept)], environment);
}
