/** The project's own instructions for agents, found beside the task or above it. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { QuodError } from '../../core/errors.ts';

const NAMES = ['AGENTS.md', 'CLAUDE.md'];

/** Larger ones would leave no room for the work. */
const MOST_CHARACTERS = 20_000;

/** @param named Instead of looking for one. @throws QuodError `not-found` when there is no such file. */
export function readInstructions(folder: string, named: string | undefined): string {
  const file = named ?? nearest(folder);
  if (file === undefined) return '';
  try {
    const text = readFileSync(file, 'utf8').trim();
    return text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS)}\n…`;
  } catch (cause) {
    throw new QuodError('not-found', 'The instructions cannot be read.', { place: { file }, cause });
  }
}

/** In the folder or the nearest one above it, up to the root of the repository. */
function nearest(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const found = NAMES.map((name) => join(at, name)).find((file) => existsSync(file));
    if (found !== undefined || existsSync(join(at, '.git')) || dirname(at) === at) return found;
  }
}
