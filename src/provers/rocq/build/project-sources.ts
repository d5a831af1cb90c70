/**
 * The sources of a project with the names and places of what is compiled from them, and which of them a `Require`
 * means. Names are matched as Rocq matches them: `-R` lets a file be named without the beginning of its name, `-Q`
 * does only behind `From`.
 */
import { readdir, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { readRegularText } from '../../../process/foreign-folder/regular-file.ts';
import { changeTime, isOutdated } from './compiled-from.ts';
import { type RocqProject, sourceFolderOf } from '../project.ts';
import { outlineOf, type RequireItem } from '../syntax/outline.ts';

export interface ProjectSource {
  /** Absolute path of the `.v` file. */
  readonly path: string;
  /** Absolute path of its `.vo` file, which for dune lies in `_build`. */
  readonly compiled: string;
  /** Full logical name. */
  readonly library: string;
  readonly flag: '-Q' | '-R';
}

export type Require = Pick<RequireItem, 'from' | 'modules'>;

/** Everything below the load path; of a file without a project, what stands beside it. */
export async function projectSources(project: RocqProject): Promise<readonly ProjectSource[]> {
  if (project.loadPath.length === 0) {
    return project.source === undefined
      ? sourcesBelow(project.root, project.root, { flag: '-Q', logical: '' }, false)
      : [];
  }
  const found = await Promise.all(
    project.loadPath.map((entry) =>
      sourcesBelow(sourceFolderOf(project, entry), entry.physical, entry, true),
    ),
  );
  return found.flat();
}

async function sourcesBelow(
  folder: string,
  compiledFolder: string,
  { flag, logical }: Pick<ProjectSource, 'flag'> & { readonly logical: string },
  recursive: boolean,
): Promise<ProjectSource[]> {
  const entries = await readdir(folder, { recursive, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.v'))
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const inside = relative(folder, path);
      const parts = inside.replace(/\.v$/u, '').split(sep);
      return {
        path,
        compiled: join(compiledFolder, `${inside}o`),
        library: [...(logical === '' ? [] : [logical]), ...parts].join('.'),
        flag,
      };
    })
    .filter(({ library }) => library.split('.').every((part) => /^[\p{L}_][\p{L}\p{N}_']*$/u.test(part)))
    .toSorted((one, other) => (one.path < other.path ? -1 : 1));
}

/** The sources that a sentence requires; those of installed libraries are none of them. */
export function directlyRequired(
  requires: readonly Require[],
  sources: readonly ProjectSource[],
): readonly ProjectSource[] {
  return requires.flatMap(({ from, modules }) =>
    modules.flatMap((module) => sources.filter((source) => isMeant(source, from, module))),
  );
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

/**
 * The sources that a text requires, directly or through others, each behind what it requires itself. Of sources that
 * require each other in a circle the first that is met comes last.
 */
export async function sourcesInDependencyOrder(
  requires: readonly Require[],
  sources: readonly ProjectSource[],
  except: string,
): Promise<readonly ProjectSource[]> {
  const ordered: ProjectSource[] = [];
  const seen = new Set<string>([except]);
  const visit = async (source: ProjectSource): Promise<void> => {
    if (seen.has(source.path)) return;
    seen.add(source.path);
    for (const needed of directlyRequired(await requiresOf(source.path), sources)) await visit(needed);
    ordered.push(source);
  };
  for (const source of directlyRequired(requires, sources)) await visit(source);
  return ordered;
}

/** Those whose compiled file is missing, or not of the source as it is now. */
export async function notCompiled(sources: readonly ProjectSource[]): Promise<readonly ProjectSource[]> {
  const stale = await Promise.all(
    sources.map(async ({ path, compiled }) =>
      (await changeTime(compiled)) === undefined
        ? (await changeTime(path)) !== undefined
        : isOutdated(path, compiled),
    ),
  );
  return sources.filter((_, index) => stale[index]);
}
