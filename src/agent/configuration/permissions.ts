/**
 * What the user allowed: what their own settings, their environment and their command line name, and what they said
 * yes to, folder by folder. That list is in the user's own folder: nobody who can only write into a project can add
 * to it.
 */
import { existsSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { QuodError } from '../../core/errors.ts';
import { configurationDirectory } from '../../process/configuration-directory.ts';
import { readRegularFileSync } from '../../process/foreign-folder/regular-file.ts';
import { writeWholeFile } from '../../process/whole-file.ts';
import { ownPromptFolders, ownReaches } from './layers.ts';
import type { Layer } from '../settings.ts';
import type { Place } from './layers.ts';
import { reachSchema, isCovered } from './reach.ts';
import type { Permissions, Reach } from './reach.ts';

const allowedSchema = z.array(z.strictObject({ folder: z.string(), reach: reachSchema }));
type Allowed = z.output<typeof allowedSchema>;

/** @param typed What stands on the command line. */
export function permissionsHere(place: Place, typed: Layer = {}): Permissions {
  const here = realpathSync(place.folder);
  const kept = readAllowed(place.environment).filter(({ folder }) => folder === here);
  const allowed = [...ownReaches(place, typed), ...kept.map(({ reach }) => reach)];
  const prompts = ownPromptFolders(place, typed);
  return {
    allows: (reach) => allowed.some((one) => isCovered(reach, one)),
    borderOfPrompts: (folder) => (prompts.includes(resolve(place.folder, folder)) ? undefined : here),
  };
}

/** Remembers that the user allowed it in this folder. */
export async function allow({ folder, environment }: Place, reaches: readonly Reach[]): Promise<void> {
  const here = realpathSync(folder);
  const kept = readAllowed(environment);
  const isKept = (reach: Reach): boolean =>
    kept.some((one) => one.folder === here && isCovered(reach, one.reach));
  const added = reaches.filter((reach) => !isKept(reach)).map((reach) => ({ folder: here, reach }));
  if (added.length === 0) return;
  const text = `${JSON.stringify([...kept, ...added], undefined, 2)}\n`;
  await writeWholeFile(allowedFile(environment), Buffer.from(text));
}

function allowedFile(environment: NodeJS.ProcessEnv): string {
  return join(configurationDirectory(environment), 'allowed.json');
}

/** @throws QuodError `file-unreadable`: a list that cannot be read allows nothing and is not overwritten. */
function readAllowed(environment: NodeJS.ProcessEnv): Allowed {
  const file = allowedFile(environment);
  if (!existsSync(file)) return [];
  try {
    return allowedSchema.parse(JSON.parse(readRegularFileSync(file).toString('utf8')));
  } catch (cause) {
    throw new QuodError('file-unreadable', 'The list of what you allowed cannot be read.', {
      place: { file },
      remedy: 'Mend or delete it; Quod then asks again.',
      cause,
    });
  }
}
