/** Links in a project that lead to where the sandbox does not look. It shows the folders of the load path, and no others. */
import { readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isInside } from '../../../core/inside.ts';
import { speaksOfLibraries } from '../../../provers/rocq/build/uncompiled.ts';
import type { RocqProject } from '../../../provers/rocq/project/project.ts';

/** Above this many entries nothing is said. */
const MOST_ENTRIES = 50_000;
const MOST_SHOWN = 3;

/**
 * A line that says so, where there are any and the prover's message may be about what they lead to.
 * @param readable folders that the sandbox shows besides those of the project
 */
export async function tellOutsideLinks(
  message: string,
  { loadPath }: RocqProject,
  readable: readonly string[],
): Promise<string | undefined> {
  // By `Load` a source is taken in: the message names it, and is about no other link.
  const isSource = /\.v: No such file or directory/u.test(message);
  const speaks = isSource || speaksOfLibraries(message) || /\.vo: No such file or directory/u.test(message);
  if (!speaks) return undefined;
  const shown = [...loadPath.map(({ physical }) => physical), ...readable, ...SYSTEM];
  const real = await Promise.all(shown.map((folder) => realpath(folder).catch(() => folder)));
  const links: string[] = [];
  const pending = [...new Set(loadPath.map(({ physical }) => physical))];
  const seen = new Set(pending);
  let entries = 0;
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop())
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      entries += 1;
      if (entries > MOST_ENTRIES) return undefined;
      const path = join(folder, entry.name);
      if (entry.isDirectory() && !entry.name.includes('.') && !seen.has(path)) {
        seen.add(path);
        pending.push(path);
      } else if (entry.isSymbolicLink()) {
        const told = isSource && !message.includes(path) ? undefined : await leadsOut(path, real);
        if (told !== undefined) links.push(told);
      }
    }
  if (links.length === 0) return undefined;
  const others = links.length > MOST_SHOWN ? ` (and ${links.length - MOST_SHOWN} more)` : '';
  return `${links.slice(0, MOST_SHOWN).join('; ')}${others}: the sandbox shows the folders of the project alone. Put what the link leads to there, or name its folder in the project file (-Q FOLDER NAME).`;
}

const SYSTEM = ['/usr', '/opt', '/nix/store', '/gnu/store'];

async function leadsOut(path: string, shown: readonly string[]): Promise<string | undefined> {
  const target = await realpath(path).catch(() => undefined);
  if (target === undefined || shown.some((folder) => isInside(folder, target))) return undefined;
  const isFolder = (await stat(target).catch(() => undefined))?.isDirectory() === true;
  return isFolder || /\.vo?$/u.test(path)
    ? `The link ${path} leads out of the project, to ${target}`
    : undefined;
}
