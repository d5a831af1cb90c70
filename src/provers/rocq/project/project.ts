/**
 * Where Rocq finds the libraries of a file: the nearest `_RocqProject`, `_CoqProject`, dune theory, or what coq_makefile
 * was told, in its folder or above. The answer is made of absolute paths, so it does not depend on where Quod runs.
 */
import { statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { isInside } from '../../../core/inside.ts';
import { appendAll } from '../../../core/lists/many.ts';
import { filesOfLoadPath } from '../../../process/foreign-folder/files-below.ts';
import { parseCoqProject, parseMakefileConf } from './coq-project.ts';
import { DuneFiles, builtPath, workspaceRoot } from './dune-project.ts';
import { installedLibraryOf } from './installed-library.ts';
import type { LoadPathEntry } from './load-path.ts';
import { makefileOptions } from './makefile-options.ts';
import { madeMakefilesIn, makefileOptionsIn } from './project-makefiles.ts';
import { DUNE_FILES, MAKEFILES, PROJECT_FILES } from './project-sayings.ts';
import { isFile, projectText } from './project-text.ts';
import { withoutReporting } from './reporting-options.ts';

export type { LoadPathEntry };

export interface RocqProject {
  /** Absolute folder in which Rocq runs. */
  readonly root: string;
  /** The file that said so; undefined when there is none. */
  readonly source: string | undefined;
  readonly loadPath: readonly LoadPathEntry[];
  /** Absolute folders of plugins. */
  readonly ocamlPath: readonly string[];
  /** Other arguments for Rocq, but those that say what it reports. */
  readonly arguments: readonly string[];
  /** What names options of which nobody knows what they are. Rocq is not told of them, so that a judge has to. */
  readonly unread?: readonly string[];
}

/**
 * The project of a file, which need not exist. A folder may be of dune and of a project file above: as it was built before,
 * it is built again, since dune refuses what is compiled in its place; else by make, which builds for files outside of the
 * theories, too; and by dune where there is no makefile.
 * @throws QuodError `file-unreadable`, `invalid-input`.
 */
export async function findRocqProject(file: string): Promise<RocqProject> {
  const home = dirname(resolve(file));
  let ofDune: RocqProject | undefined;
  /** Of dune files that are nearer: one that cannot be read may have a theory. */
  const unread: string[] = [];
  const dune = new DuneFiles(home);
  for (let folder = home; ; folder = dirname(folder)) {
    if (ofDune === undefined) {
      const project = await projectIn(folder, dune);
      if (project !== undefined && !isDuneProject(project))
        return unread.length > 0 && (await isBuiltByMake([home], project))
          ? project
          : withUnread(project, unread);
      if (project === undefined) appendAll(unread, await dune.unread(folder));
      ofDune = project && withUnread(project, unread);
    } else {
      // What is wrong with a file that may not count costs nothing.
      const project = await projectFileIn(folder).catch(() => undefined);
      if (project !== undefined && (await isBuiltAbove(ofDune, project))) return project;
    }
    if (dirname(folder) === folder) break;
  }
  if (ofDune !== undefined) return ofDune;
  const installed = installedLibraryOf(resolve(file));
  const given = installed === undefined ? await makefileOptionsIn(home, []) : undefined;
  // Beside a lone file there may be a makefile of something else.
  const beside = given?.namesRocq === true ? given : undefined;
  const { loadPath = [], arguments: others = beside?.flags ?? [] } = installed ?? {};
  const project = {
    root: home,
    source: undefined,
    loadPath,
    ocamlPath: [],
    arguments: withoutReporting(others),
  };
  return withUnread(project, [...unread, ...(beside?.unread ?? [])]);
}

function withUnread(project: RocqProject, more: readonly string[]): RocqProject {
  const unread = [...(project.unread ?? []), ...more];
  return unread.length === 0 ? project : { ...project, unread };
}

/** What Rocq must be told on its command line. */
export function coqArguments(project: RocqProject): readonly string[] {
  return [
    ...project.ocamlPath.flatMap((folder) => ['-I', folder]),
    ...project.loadPath.flatMap(({ flag, physical, logical }) => [flag, physical, logical]),
    ...project.arguments,
  ];
}

/** The full name of a source's library, `Foo.bar.baz`; undefined when no entry of the load path holds the file. */
export function libraryNameIn(project: RocqProject, file: string): string | undefined {
  const { root, loadPath } = project;
  const path = resolve(file);
  const nearest = loadPath.toSorted((one, other) => other.physical.length - one.physical.length);
  for (const { physical, logical } of nearest) {
    // Of a dune theory the load path has the folder in which dune compiles copies of the sources.
    for (const place of [path, ...(isInside(root, path) ? [builtPath(path, root)] : [])]) {
      if (!isInside(physical, place)) continue;
      const parts = relative(physical, place).replace(/\.v$/u, '').split(sep);
      // Rocq does not look into such folders: what is compiled in one is in no library's folder.
      if (parts.slice(0, -1).some((folder) => PASSED_OVER.has(folder))) return undefined;
      return [...(logical === '' ? [] : [logical]), ...parts].join('.');
    }
  }
  return undefined;
}

/** Folders that Rocq skips below those of its load path (its `System.exclude_directory`), besides those whose names are none. */
const PASSED_OVER: ReadonlySet<string> = new Set(['CVS', '_darcs']);

/** Where the sources of an entry of the load path are: dune compiles copies of them, in another folder. */
export function sourceFolderOf({ root }: RocqProject, { physical }: LoadPathEntry): string {
  const built = builtPath(root, root);
  return isInside(built, physical) ? join(root, relative(built, physical)) : physical;
}

/** Whether the other project, which has a folder of the theories, too, is the one that builds it. */
async function isBuiltAbove(ofDune: RocqProject, other: RocqProject): Promise<boolean> {
  const { root } = ofDune;
  const isBound = (entry: LoadPathEntry): boolean =>
    other.loadPath.some(({ physical }) => isInside(physical, sourceFolderOf(ofDune, entry)));
  // The theory's own folder: what the other project does not bind it cannot build. What is extracted has none.
  if (ofDune.loadPath.some((entry) => entry.flag === '-R' && !isBound(entry))) return false;
  const folders = ofDune.loadPath.filter(isBound).map((entry) => sourceFolderOf(ofDune, entry));
  return folders.length > 0 && (await isBuiltByMake(folders, other, root));
}

async function isBuiltByMake(
  folders: readonly string[],
  project: RocqProject,
  workspace = workspaceRoot(project.root),
): Promise<boolean> {
  if (await isCompiledIn(folders)) return true;
  // Without a makefile, it may be there for an editor alone.
  return hasMakefile(project) && !(await isCompiledIn(folders.map((folder) => builtPath(folder, workspace))));
}

async function isCompiledIn(folders: readonly string[]): Promise<boolean> {
  for (const folder of folders) if ((await filesOfLoadPath(folder, '.vo')).length > 0) return true;
  return false;
}

/** Whether make can be asked to build the project. */
export function hasMakefile({ root }: RocqProject): boolean {
  return MAKEFILES.some((name) => isFile(join(root, name)));
}

/** Whether a person wrote a project file for Rocq. */
export function hasProjectFile({ source }: RocqProject): boolean {
  return source !== undefined && PROJECT_FILES.includes(basename(source));
}

/** Whether dune builds the project. */
export function isDuneProject({ source }: RocqProject): boolean {
  return source !== undefined && DUNE_FILES.includes(basename(source));
}

async function projectIn(folder: string, dune: DuneFiles): Promise<RocqProject | undefined> {
  return (await projectFileIn(folder)) ?? (await dune.project(folder)) ?? (await makefileProjectIn(folder));
}

async function projectFileIn(folder: string): Promise<RocqProject | undefined> {
  const source = PROJECT_FILES.map((name) => join(folder, name)).find(isFile);
  if (source === undefined) return undefined;
  const written = await projectText(source);
  const found = parseCoqProject(written, folder, source);
  const made = await madeMakefilesIn(folder);
  // What coq_makefile was told on its command line it wrote there, with all that the project file says; an older one it writes anew.
  const told = made
    .filter(({ conf }) => statSync(conf).mtimeMs >= statSync(source).mtimeMs)
    .map(({ text, conf }) => parseMakefileConf(text, folder, conf).arguments)
    .find((words) => !words.every((word) => found.arguments.includes(word)));
  const beside = await makefileOptionsIn(folder, made, written);
  const flags = [...found.arguments, ...(told ?? []), ...beside.flags];
  const { unread = [], ...rest } = { ...found, arguments: withoutReporting(flags) };
  return withUnread({ root: folder, source, ...rest }, [...unread, ...beside.unread]);
}

/** Of a project whose makefile alone says what coq_makefile is told. */
async function makefileProjectIn(folder: string): Promise<RocqProject | undefined> {
  const made = await madeMakefilesIn(folder);
  for (const { conf, text } of made) {
    const { loadPath, ocamlPath, arguments: told } = parseMakefileConf(text, folder, conf);
    if (loadPath.length === 0) continue;
    // Variables that the project file gave to make.
    const own = makefileOptions(text.replaceAll(/^COQMF_.*$/gmu, ''));
    const beside = await makefileOptionsIn(folder, made);
    return withUnread(
      {
        ...{ root: folder, source: conf, loadPath, ocamlPath },
        arguments: withoutReporting([...told, ...own.flags, ...beside.flags]),
      },
      [...own.unread, ...beside.unread],
    );
  }
  return undefined;
}
