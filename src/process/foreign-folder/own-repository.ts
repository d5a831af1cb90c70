/**
 * Whether the repository that git finds for a folder is the folder's. A folder may be a stranger's, and its `.git` may be a
 * file, or have a file or links in it, that lead to any repository of the user's: what is read would be of that one, and a
 * commit would be made there. A real work tree or submodule has such a file too, but its repository knows it.
 */
import { lstatSync, readdirSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { leadsOut } from './leads-out.ts';
import { readRegularFileSync } from './regular-file.ts';

export interface FoundRepository {
  /** In which git was asked. */
  readonly folder: string;
  /** Of this work tree: its HEAD and index. */
  readonly directory: string;
  /** Shared by all work trees: objects and branches. */
  readonly common: string;
  readonly workTree: string;
  /** As the repository's own configuration has it, for submodules; empty where it says nothing. */
  readonly namedWorkTree: string;
}

/** What a commit writes. */
const WRITTEN = ['HEAD', 'index', 'logs', 'objects', 'packed-refs', 'refs'];

/** @throws Error that says what is wrong with it. */
export function requireOwnRepository(found: FoundRepository): void {
  const { folder, directory, common, workTree } = found;
  const link = [directory, common].map(linkIn).find((path) => path !== undefined);
  if (link !== undefined) throw new Error(`The repository is not used: ${link} is a link.`);
  const isInside = !leadsOut(directory, workTree) && !leadsOut(common, workTree);
  if (!leadsOut(folder, workTree) && (isInside || isKnownWorkTree(found) || isKnownSubmodule(found))) return;
  throw new Error(
    `The repository ${directory} is not used: it lies elsewhere and does not know this folder.`,
  );
}

function linkIn(directory: string): string | undefined {
  const paths = WRITTEN.map((name) => join(directory, name)).filter(
    (path) => lstatSync(path, { throwIfNoEntry: false }) !== undefined,
  );
  const below = ['logs', 'refs'].flatMap((name) => {
    const path = join(directory, name);
    if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
    return readdirSync(path, { recursive: true, encoding: 'utf8' }).map((entry) => join(path, entry));
  });
  return [...paths, ...below].find((path) => lstatSync(path).isSymbolicLink());
}

/** `.git/worktrees/NAME/gitdir` of the repository names the file `.git` of the work tree. */
function isKnownWorkTree({ directory, common, workTree }: FoundRepository): boolean {
  const [own, shared] = [realpathSync(directory), realpathSync(common)];
  if (dirname(own) !== join(shared, 'worktrees')) return false;
  const named = resolve(own, lineOf(join(own, 'gitdir')));
  // The folder of that file, not where the file may lead: `.git` can be a link to that of another work tree.
  return basename(named) === '.git' && isSameFolder(dirname(named), workTree);
}

/** `core.worktree` of the submodule's repository names the folder. */
function isKnownSubmodule({ directory, common, workTree, namedWorkTree }: FoundRepository): boolean {
  return (
    namedWorkTree !== '' &&
    isSameFolder(directory, common) &&
    isSameFolder(resolve(realpathSync(directory), namedWorkTree), workTree)
  );
}

function isSameFolder(one: string, other: string): boolean {
  return !leadsOut(one, other) && !leadsOut(other, one);
}

function lineOf(file: string): string {
  try {
    return readRegularFileSync(file).toString('utf8').trim();
  } catch {
    return '';
  }
}
