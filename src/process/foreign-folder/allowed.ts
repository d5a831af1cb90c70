/**
 * What the user said yes to, folder by folder: addresses with keys, and programs. The list is in the user's own folder:
 * nobody who can only write into a project can add to it.
 */
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { QuodError } from '../../core/errors.ts';
import { isInside } from '../../core/inside.ts';
import { configurationDirectory } from '../configuration-directory.ts';
import { inLockedFolder } from './folder-lock.ts';
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
  const work = (): void => {
    replaceFile(file, `${JSON.stringify(change(readAllowed(environment)), undefined, 2)}\n`);
  };
  await inLockedFolder(folder, work, (owner) => `Process ${owner} changes the list of what you allowed.`);
}

/** Whoever reads the file finds all of the text or what was there before. */
function replaceFile(file: string, text: string): void {
  const fresh = `${file}.${randomUUID()}.part`;
  try {
    writeFileSync(fresh, text);
    renameSync(fresh, file);
  } finally {
    rmSync(fresh, { force: true });
  }
}

function allowedFile(environment: NodeJS.ProcessEnv): string {
  return join(configurationDirectory(environment), 'allowed.json');
}
