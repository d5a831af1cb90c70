/**
 * Which files of the project that a file requires, directly or through others, were changed after they were compiled, or
 * were never compiled. A prover answers from what was compiled: these are the names that make its answer doubtful.
 */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { findRocqProject, type LoadPathEntry } from '../../provers/rocq/project.ts';
import { outlineOf, type RequireItem } from '../../provers/rocq/syntax/outline.ts';

interface ProjectSource {
  readonly path: string;
  /** Full logical name. */
  readonly library: string;
}

/** What the sources of a project require, by path and time of change. */
const requiresRead = new Map<
  string,
  { readonly mtimeMs: number; readonly requires: readonly RequireItem[] }
>();

/** Paths of stale sources, in the order in which they are found. Installed libraries are never stale. */
export async function staleDependencies(file: string, requires: readonly RequireItem[]): Promise<string[]> {
  const { loadPath } = await findRocqProject(file);
  if (loadPath.length === 0 || requires.length === 0) return [];
  const sources = (await Promise.all(loadPath.map(sourcesBelow))).flat();
  const seen = new Set<string>([file]);
  const stale: string[] = [];
  const queue = [...required(requires, sources)];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    if (seen.has(next.path)) continue;
    seen.add(next.path);
    const changed = await changeTime(next.path);
    const compiled = await changeTime(`${next.path}o`);
    if (changed === undefined) continue;
    if (compiled === undefined || compiled < changed) stale.push(next.path);
    queue.push(...required(await requiresOf(next.path, changed), sources));
  }
  return stale;
}

async function requiresOf(path: string, mtimeMs: number): Promise<readonly RequireItem[]> {
  const known = requiresRead.get(path);
  if (known?.mtimeMs === mtimeMs) return known.requires;
  const { requires } = outlineOf(await readFile(path, 'utf8'));
  requiresRead.set(path, { mtimeMs, requires });
  return requires;
}

async function sourcesBelow({ physical, logical }: LoadPathEntry): Promise<ProjectSource[]> {
  const entries = await readdir(physical, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.v'))
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const inside = relative(physical, path).replace(/\.v$/u, '').split('/');
      return { path, library: [...(logical === '' ? [] : [logical]), ...inside].join('.') };
    });
}

function required(requires: readonly RequireItem[], sources: readonly ProjectSource[]): ProjectSource[] {
  return requires.flatMap(({ from, modules }) =>
    modules.flatMap((module) =>
      sources.filter(
        ({ library }) =>
          (library === module || library.endsWith(`.${module}`)) &&
          (from === undefined || library === from || library.startsWith(`${from}.`)),
      ),
    ),
  );
}

async function changeTime(path: string): Promise<number | undefined> {
  return stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => undefined,
  );
}
