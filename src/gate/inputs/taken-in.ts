/**
 * The files besides libraries that Rocq takes in for a text: what `Load` names, what these name in turn, files of extra
 * dependencies. Which of several with one name Rocq takes is not guessed: all that stand on the load path are told. Nothing here
 * decides on a verdict.
 */
import { readdirSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { Turn } from '../../core/concurrency/turn.ts';
import { QuodError } from '../../core/errors.ts';
import { isInside } from '../../core/inside.ts';
import { sha256 } from '../../core/sha256.ts';
import { LARGEST_WRITTEN_BYTES, readRegularFile } from '../../process/foreign-folder/regular-file.ts';
import type { RocqProject } from '../../provers/rocq/project/project.ts';
import type { JudgeBackend } from '../rocq/backends/judge-backend.ts';
import { filesNamedIn } from './named-files.ts';
import type { ProjectPaths } from './project-options.ts';

export interface TakenIn {
  /** SHA-256 by the path from the project, absolute outside of what it names. */
  readonly files: ReadonlyMap<string, string>;
  /** Why there may be others: what the text, or a file that it takes in, has. */
  readonly more: readonly string[];
}

/** Where files are looked for, and what they are called. */
export interface Surroundings {
  /** Absolute folders, with those below them: of the project, and others. */
  readonly own: readonly string[];
  readonly others: readonly string[];
  readonly paths: ProjectPaths;
}

export async function surroundingsOf(
  project: RocqProject,
  paths: ProjectPaths,
  backend: Pick<JudgeBackend, 'libraryPlaces'> | undefined,
): Promise<Surroundings> {
  const own = [...project.loadPath.map(({ physical }) => physical), ...project.ocamlPath];
  const { folders = [], loadable = [] } = (await backend?.libraryPlaces(project)) ?? {};
  const others = [...folders, ...loadable].filter((folder) => isAbsolute(folder) && !own.includes(folder));
  return { own, others, paths };
}

export async function takenIn(text: string, around: Surroundings): Promise<TakenIn> {
  const { own, others, paths } = around;
  const files = new Map<string, string>();
  const more = new Set<string>();
  const seen = new Set<string>();
  const names = new Set<string>();
  const roots = new Set([...own, ...others]);
  const isVisible = (path: string): boolean =>
    [...own, ...others, SYSTEM].some((root) => isInside(root, path));
  const read = (content: string): void => {
    const named = filesNamedIn(content);
    for (const what of named.more) more.add(what);
    for (const name of named.names) if (!isAbsolute(name) || isVisible(name)) names.add(name);
    for (const folder of named.folders) if (isVisible(folder)) roots.add(folder);
    // Whoever judges for others tells nothing of what lies elsewhere, not even whether it is there.
    for (const path of [...named.names.filter(isAbsolute), ...named.folders])
      if (!isVisible(path)) more.add(`the name of ${path}, which is not looked at`);
  };
  read(text);
  // What is found can name others, and folders in which others are found.
  for (let found = -1; found < seen.size && names.size > 0;) {
    found = seen.size;
    const folders = await foldersBelow([...roots]);
    if (folders.isCut) more.add('a name that is looked for in too many folders');
    for (const path of [...names].flatMap((name) => placesOf(name, folders.all))) {
      if (seen.has(path)) continue;
      seen.add(path);
      const called = paths.nameOf(
        path,
        own.some((folder) => isInside(folder, path)),
      );
      const bytes = await contentWithin([...own, ...others, SYSTEM], path);
      if (bytes === undefined) more.add(`the name of ${called}, which cannot be read, or leads out`);
      else {
        files.set(called, sha256(bytes));
        read(bytes.toString('utf8'));
      }
    }
  }
  return { files, more: [...more] };
}

/** The machine code on the paths of the project: what a library of it loads with `Declare ML Module`. */
export async function pluginsOf({ own, paths }: Surroundings): Promise<TakenIn> {
  const files = new Map<string, string>();
  const more = new Set<string>();
  const { all, isCut } = await foldersBelow(own);
  if (isCut) more.add('plugins that are looked for in too many folders');
  for (const folder of all)
    for (const name of namesIn(folder).filter((one) => /\.(?:cmxs|cma)$/u.test(one))) {
      const path = join(folder, name);
      const bytes = await contentWithin([...own, SYSTEM], path);
      if (bytes === undefined)
        more.add(`the plugin ${paths.nameOf(path)}, which cannot be read, or leads out`);
      else files.set(paths.nameOf(path), sha256(bytes));
    }
  return { files, more: [...more] };
}

/** What every sandbox shows of the machine. */
const SYSTEM = '/usr';
/** Above this many folders nobody looks further. */
const MOST_FOLDERS = 20_000;
/** Rocq looks into no other folder below one of the load path. */
const IDENTIFIER = /^[\p{L}_][\p{L}\p{N}_']*$/u;

async function foldersBelow(
  roots: readonly string[],
): Promise<{ readonly all: readonly string[]; readonly isCut: boolean }> {
  const all: string[] = [];
  const seen = new Set<string>();
  const pending = roots.toReversed();
  const turn = new Turn();
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    if (turn.isOver) await turn.pass();
    // Links can lead round in circles.
    const real = realPathOf(folder);
    if (real === undefined || seen.has(real)) continue;
    if (all.length >= MOST_FOLDERS) return { all, isCut: true };
    seen.add(real);
    all.push(folder);
    for (const name of namesIn(folder))
      if (IDENTIFIER.test(name) && isFolderAt(join(folder, name))) pending.push(join(folder, name));
  }
  return { all, isCut: false };
}

/** Names with `.` and `..` in front mean the folder that Rocq runs in, which has nothing but the text. */
function placesOf(name: string, folders: readonly string[]): readonly string[] {
  if (isAbsolute(name)) return isFileAt(name) ? [name] : [];
  if (/^\.\.?(?:\/|$)/u.test(name)) return [];
  return folders.map((folder) => join(folder, name)).filter(isFileAt);
}

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

function isFolderAt(path: string): boolean {
  return statOf(path)?.isDirectory() === true;
}

/** Not only a regular one: what is none is named, and cannot be read. */
function isFileAt(path: string): boolean {
  return statOf(path)?.isDirectory() === false;
}

function statOf(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** As `contentOf`; undefined, too, where a link leads out of all of the folders. */
async function contentWithin(folders: readonly string[], path: string): Promise<Buffer | undefined> {
  const real = realPathOf(path);
  const isWithin = folders.some((folder) => {
    const within = realPathOf(folder);
    return real !== undefined && within !== undefined && isInside(within, real);
  });
  return isWithin ? contentOf(path) : undefined;
}

/** Undefined where there is none, or none that can be read. */
export async function contentOf(path: string): Promise<Buffer | undefined> {
  try {
    return await readRegularFile(path, LARGEST_WRITTEN_BYTES);
  } catch (error) {
    if (error instanceof QuodError || (error as NodeJS.ErrnoException).code !== undefined) return undefined;
    throw error;
  }
}
