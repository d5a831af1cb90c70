/** A file of a task as the last commit and the index of its repository have it. */
import { realpathSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { inView } from '../../process/foreign-folder/git.ts';
import type { Ask, Entry, IndexFlag, Repository } from '../../process/foreign-folder/git.ts';

/** From the top of the work tree. */
export function pathIn({ workTree }: Repository, file: string): string {
  return relative(realpathSync(workTree), join(realpathSync(dirname(file)), basename(file)));
}

/** What the last commit has of a file. */
export async function entryOf({ head }: Repository, path: string, ask: Ask): Promise<Entry | undefined> {
  if (head === undefined) return undefined;
  const [known] = entriesOf(await ask('ls-tree', '-z', '--full-tree', head, '--', path));
  return known;
}

/** What `ls-tree -z` lists. */
export function entriesOf(listed: string): Entry[] {
  return listed.split('\0').flatMap((line) => {
    const [, mode, object, path] = /^(\d+) \w+ ([0-9a-f]+)\t(.*)$/su.exec(line) ?? [];
    return mode === undefined || object === undefined || path === undefined ? [] : [{ mode, object, path }];
  });
}

/** What the index says of a file. */
export interface Staged {
  /** Several in the middle of a merge, and none where it is not there. */
  readonly objects: readonly string[];
  readonly flags: readonly IndexFlag[];
}

/** By file. */
export async function stagedIn(
  repository: Repository,
  files: readonly string[],
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, Staged>> {
  const view = { index: 'repository', ...(signal !== undefined && { signal }) } as const;
  return await inView(repository, view, async (ask) => {
    const staged = new Map<string, Staged>();
    for (const file of files) {
      const lines = (await ask('ls-files', '-v', '--stage', '-z', '--', file)).split('\0');
      const found = lines.flatMap((line) => {
        const [, tag, object] = /^(\w) \d+ ([0-9a-f]+) \d\t/u.exec(line) ?? [];
        return tag === undefined || object === undefined ? [] : [{ tag, object }];
      });
      const flags: IndexFlag[] = [];
      // `S` is what git does not look for; a small letter what it takes as unchanged.
      if (found.some(({ tag }) => tag.toUpperCase() === 'S')) flags.push('skip-worktree');
      if (found.some(({ tag }) => tag !== tag.toUpperCase())) flags.push('assume-unchanged');
      staged.set(file, { objects: found.map(({ object }) => object), flags });
    }
    return staged;
  });
}

/** Why Quod can neither tell whether a file is changed nor commit it, where it has a filter. */
export const FILTERED =
  'has a filter for it in .gitattributes or .git/info/attributes, which Quod does not run';

/** How git says that an attribute is not there. */
const NOT_THERE = ['unspecified', 'unset'];

/** What git has of these attributes of a file, in their order. */
export async function valuesOf(
  file: string,
  attributes: readonly string[],
  ask: Ask,
): Promise<readonly string[]> {
  const said = (await ask('check-attr', '-z', ...attributes, '--', file)).split('\0');
  return said.filter((_word, index) => index % 3 === 2);
}

export function isThere(value: string): boolean {
  return !NOT_THERE.includes(value);
}

export async function hasFilter(file: string, ask: Ask): Promise<boolean> {
  return (await valuesOf(file, ['filter'], ask)).some(isThere);
}
