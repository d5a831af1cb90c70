/**
 * A project may bind folders of another, with a project file and a makefile of its own: what is there is built first, and as
 * that one says. What dune has in one workspace it builds by itself.
 */
import { dirname } from 'node:path';
import { findRocqProject, type RocqProject } from '../project.ts';
import { projectSources, type ProjectSource } from './project-sources.ts';
import { sourcesInDependencyOrder } from './required-sources.ts';

export interface BuildSources {
  readonly project: RocqProject;
  /** Each behind what it requires. */
  readonly sources: readonly ProjectSource[];
}

/** Each behind what it needs of other projects, which may then be there more than once. */
export async function neededFirst(wanted: readonly BuildSources[]): Promise<readonly BuildSources[]> {
  const ordered: BuildSources[] = [];
  const owners = new Map<string, RocqProject>();
  const ownerOf = async ({ path }: ProjectSource): Promise<RocqProject> => {
    const folder = dirname(path);
    const owner = owners.get(folder) ?? (await findRocqProject(path));
    owners.set(folder, owner);
    return owner;
  };
  const add = async ({ project, sources }: BuildSources, above: readonly string[]): Promise<void> => {
    const foreign = new Map<string, { readonly owner: RocqProject; readonly paths: Set<string> }>();
    for (const source of sources) {
      const owner = await ownerOf(source);
      if (owner.source === undefined || owner.root === project.root || above.includes(owner.root)) continue;
      const known = foreign.get(owner.source) ?? { owner, paths: new Set() };
      foreign.set(owner.source, known);
      known.paths.add(source.path);
    }
    for (const { owner, paths } of foreign.values()) {
      const own = await projectSources(owner);
      const modules = own.flatMap(({ path, library }) => (paths.has(path) ? [library] : []));
      const needed = await sourcesInDependencyOrder([{ modules }], own, '');
      if (needed.length > 0) await add({ project: owner, sources: needed }, [...above, project.root]);
    }
    ordered.push({ project, sources });
  };
  for (const one of wanted) await add(one, []);
  return ordered;
}
