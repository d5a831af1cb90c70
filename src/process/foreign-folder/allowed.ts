/**
 * What the user said yes to, folder by folder: addresses with keys, and programs. The list is in the user's own folder:
 * nobody who can only write into a project can add to it.
 */
import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { QuodError } from '../../core/errors.ts';
import { isInside } from '../../core/inside.ts';
import { configurationDirectory } from '../configuration-directory.ts';
import { withFileLock } from './file-lock.ts';
import { readRegularFileSync } from './regular-file.ts';

export const reachSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('address'), address: z.url(), keyVariable: z.string().nullable() }),
  z.strictObject({ kind: z.literal('program'), program: z.string() }),
]);

/** What settings reach for outside of Quod. */
export type Reach = z.output<typeof reachSchema>;

const allowedSchema = z.array(z.strictObject({ folder: z.string(), reach: reachSchema }));
export type Allowed = z.output<typeof allowedSchema>;

/** Whether the user lets a project run a program: in the folder of the file or in one above it. */
export function isProgramAllowed(
  program: string,
  folder: string,
  environment: NodeJS.ProcessEnv = process.env,
): boolean {
  const here = existsSync(folder) ? realpathSync(folder) : folder;
  return readAllowed(environment).some(
    ({ folder: allowedIn, reach }) =>
      reach.kind === 'program' && reach.program === program && isInside(allowedIn, here),
  );
}

/** @throws QuodError `file-unreadable`: a list that cannot be read allows nothing and is not overwritten. */
export function readAllowed(environment: NodeJS.ProcessEnv): Allowed {
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

/**
 * Changes the list. Other processes that do so wait, so that no entry is lost and none that was taken back returns.
 * @param change Of what is there now.
 */
export async function changeAllowed(
  change: (kept: Allowed) => Allowed,
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  const file = allowedFile(environment);
  const folder = dirname(file);
  mkdirSync(folder, { recursive: true });
  await withFileLock(folder, basename(file), async (lock) => {
    const fresh = lock.path('new');
    await writeFile(fresh, `${JSON.stringify(change(readAllowed(environment)), undefined, 2)}\n`);
    await rename(fresh, file);
  });
}

function allowedFile(environment: NodeJS.ProcessEnv): string {
  return join(configurationDirectory(environment), 'allowed.json');
}
