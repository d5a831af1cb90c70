/**
 * The sources of a project with the names and places of what is compiled from them, and which of them a `Require`
 * means. Names are matched as Rocq matches them: `-R` lets a file be named without the beginning of its name, `-Q`
 * does only behind `From`.
 */
import { stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { lastPart } from '../../../core/qualified-name.ts';
import { filesOfLoadPath } from '../../../process/foreign-folder/files-below.ts';
import { readRegularText } from '../../../process/foreign-folder/regular-file.ts';
import { changeTime } from './compiled-from.ts';
import type { WhereLoaded } from './loaded-files.ts';
import { isOutdated } from './outdated.ts';
import type { LoadPathEntry } from '../project/load-path.ts';
import { type RocqProject, sourceFolderOf } from '../project/project.ts';
import { outlineOf, type RequireItem } from '../syntax/outline.ts';

export interface ProjectSource {
  /** Absolute path of the `.v` file. */
  readonly path: string;
  /** Absolute path of its `.vo` file, which for dune lies in `_build`. */
  readonly compiled: string;
  /** Full logical name. */
  readonly library: string;
  /** This one, and those under other entries of the load path that it is below. */
  readonly names: readonly string[];
  readonly flag: '-Q' | '-R';
  /** For what it loads. */
  readonly where: WhereLoaded;
}

export type Require = Pick<RequireItem, 'from' | 'modules'>;

export interface ProjectFiles {
  readonly sources: readonly ProjectSource[];
  /** The paths of the files that nothing can compile, each with the part of its name that no module can have. */
  readonly misnamed: ReadonlyMap<string, string>;
  /** Where what they load is looked for. */
  readonly where: WhereLoaded;
}

/** Everything below the load path; of a file without a project, what stands beside it. */
export async function projectFiles(project: RocqProject): Promise<ProjectFiles> {
  const beside: LoadPathEntry = { flag: '-Q', physical: project.root, logical: '' };
  const isAlone = project.source === undefined && project.loadPath.length === 0;
  const found = await Promise.all(
    (isAlone ? [beside] : project.loadPath).map(async (entry) => {
      const folder = sourceFolderOf(project, entry);
      return (await filesOfLoadPath(folder, '.v', !isAlone)).map((path) => sourceAt(path, folder, entry));
    }),
  );
  const all = found.flat();
  const named = all.flatMap(({ wrongPart, source }) => (wrongPart === undefined ? [source] : []));
  const where = { root: project.root, files: [...new Set(all.map(({ source: { path } }) => path))] };
  const namesOf = Map.groupBy(named, ({ path }) => path);
  const sources = named.map((source) => ({
    ...source,
    where,
    names: (namesOf.get(source.path) ?? [source]).map(({ library }) => library),
  }));
  const compiled = new Set(sources.map(({ path }) => path));
  const misnamed = all.flatMap(({ wrongPart, source: { path } }) =>
    wrongPart === undefined || compiled.has(path) ? [] : [[path, wrongPart] as const],
  );
  return { sources, misnamed: new Map(misnamed), where };
}

/** Those that can be compiled. */
export async function projectSources(project: RocqProject): Promise<readonly ProjectSource[]> {
  return (await projectFiles(project)).sources;
}

function sourceAt(path: string, folder: string, { flag, physical, logical }: LoadPathEntry) {
  const inside = relative(folder, path);
  const parts = inside.replace(/\.v$/u, '').split(sep);
  const names = [...(logical === '' ? [] : logical.split('.')), ...parts];
  const wrongPart = names.find((part) => !/^[\p{L}_][\p{L}\p{N}_']*$/u.test(part));
  const source: Omit<ProjectSource, 'names' | 'where'> = {
    path,
    compiled: join(physical, `${inside}o`),
    library: names.join('.'),
    flag,
  };
  return { wrongPart, source };
}

/** What is said of a file or a folder whose name no module can have. */
export function misnamedText(wrongPart: string): { readonly message: string; readonly remedy: string } {
  const rightPart = wrongPart.replace(/[^\p{L}\p{N}_']/gu, '_').replace(/^(?![\p{L}_])/u, '_');
  return {
    message: `Rocq compiles no file under this name: no module can be called ${wrongPart}. The name of a module has letters, digits, _ and ' in it, and begins with a letter or _.`,
    remedy: `Rename ${wrongPart}, such as to ${rightPart}.`,
  };
}

/** The sources that a sentence requires; those of installed libraries are none of them. */
export function directlyRequired(
  requires: readonly Require[],
  sources: readonly ProjectSource[],
): readonly ProjectSource[] {
  const named = sourcesByLastPart(sources);
  return requires.flatMap(({ from, modules }) =>
    modules.flatMap((module) =>
      (named.get(lastPart(module)) ?? []).filter((source) => isMeant(source, from, module)),
    ),
  );
}

/** The sources of a project by the last parts of their names. */
const byLastPart = new WeakMap<readonly ProjectSource[], ReadonlyMap<string, readonly ProjectSource[]>>();

function sourcesByLastPart(sources: readonly ProjectSource[]) {
  const named = byLastPart.get(sources) ?? Map.groupBy(sources, ({ library }) => lastPart(library));
  byLastPart.set(sources, named);
  return named;
}

function isMeant({ library, flag }: ProjectSource, from: string | undefined, module: string): boolean {
  if (library === module) return from === undefined || library.startsWith(`${from}.`);
  if (!library.endsWith(`.${module}`)) return false;
  return from === undefined ? flag === '-R' : library.startsWith(`${from}.`);
}

/** What sources require, by path and time of change. */
const requiresRead = new Map<
  string,
  { readonly mtimeMs: number; readonly requires: readonly RequireItem[] }
>();

/** @throws as reading the file does. */
export async function requiresOf(path: string): Promise<readonly RequireItem[]> {
  const { mtimeMs } = await stat(path);
  const known = requiresRead.get(path);
  if (known?.mtimeMs === mtimeMs) return known.requires;
  const { requires } = outlineOf(await readRegularText(path));
  requiresRead.set(path, { mtimeMs, requires });
  return requires;
}

/** As `requiresOf`; nothing of a file that cannot be read, of which others tell. */
export async function requiresAsRead(path: string): Promise<readonly RequireItem[]> {
  return requiresOf(path).catch(() => []);
}

/** Those whose compiled file is missing, or not of the source as it is now. */
export async function notCompiled(sources: readonly ProjectSource[]): Promise<readonly ProjectSource[]> {
  const stale = await Promise.all(
    sources.map(async (source) =>
      (await changeTime(source.compiled)) === undefined
        ? (await changeTime(source.path)) !== undefined
        : isOutdated(source),
    ),
  );
  return sources.filter((_, index) => stale[index]);
}

/** The paths of those, and of what requires them. @param ordered Each behind what it requires. */
export async function notCompiledWithAllBelow(
  ordered: readonly ProjectSource[],
): Promise<ReadonlySet<string>> {
  const paths = new Set((await notCompiled(ordered)).map(({ path }) => path));
  for (const { path } of ordered) {
    const required = directlyRequired(await requiresAsRead(path), ordered);
    if (required.some((needed) => paths.has(needed.path))) paths.add(path);
  }
  return paths;
}
