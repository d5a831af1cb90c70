/** The project's own instructions for agents, found beside the task or above it. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { leadsOut } from '../../process/foreign-folder/leads-out.ts';
import { readRegularFileSync } from '../../process/foreign-folder/regular-file.ts';
import { unreadableFile } from '../../process/foreign-folder/unreadable-file.ts';

const NAMES = ['AGENTS.md', 'CLAUDE.md'];

/** Larger ones would leave no room for the work. */
const MOST_CHARACTERS = 20_000;

export interface Instructions {
  readonly text: string;
  /** A file that was found and is not read, since it leads out of its folder: whose it is nobody knows. */
  readonly notFollowed: string | undefined;
}

/** @param named Instead of looking for one. @throws QuodError `not-found`, `file-unreadable`, `too-large`. */
export function readInstructions(folder: string, named: string | undefined): Instructions {
  const found = named === undefined ? nearest(folder) : { file: named, root: undefined };
  if (found === undefined) return { text: '', notFollowed: undefined };
  const { file, root } = found;
  if (root !== undefined && leadsOut(file, root)) return { text: '', notFollowed: file };
  try {
    const text = readRegularFileSync(file).toString('utf8').trim();
    const short = text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS)}\n…`;
    return { text: short, notFollowed: undefined };
  } catch (cause) {
    throw unreadableFile(file, cause, { what: 'The file of instructions' });
  }
}

/**
 * In the folder or the nearest one above it, up to the root of the repository, which is told with it. Outside of a repository
 * only in the folder itself: above, anybody may have put one, as in a folder for temporary files.
 */
function nearest(folder: string): { readonly file: string; readonly root: string } | undefined {
  let found: { file: string; root: string } | undefined;
  for (let at = folder; ; at = dirname(at)) {
    const file = NAMES.map((name) => join(at, name)).find((one) => existsSync(one));
    if (found === undefined && file !== undefined) found = { file, root: at };
    if (existsSync(join(at, '.git'))) return found === undefined ? undefined : { ...found, root: at };
    if (dirname(at) === at) return found?.root === folder ? found : undefined;
  }
}
