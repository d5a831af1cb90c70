/** What a build compiles: files with all that they require, or folders with all that is in them. */
import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { QuodError } from '../../core/errors.ts';
import { isInside } from '../../core/inside.ts';
import { allSources, type ProjectBuildRequest } from '../../provers/rocq/build/project-build.ts';
import { sourcesInDependencyOrder } from '../../provers/rocq/build/project-sources.ts';
import { findRocqProject, type RocqProject } from '../../provers/rocq/project.ts';
import { sourceFilesBelow, sourceLanguageOf } from '../files/source-language.ts';

export type BuildSources = Pick<ProjectBuildRequest, 'project' | 'sources'>;

/**
 * By project: a folder may hold several, or be the root above one.
 * @param path Absolute.
 * @throws QuodError `not-found`.
 */
export async function sourcesToBuild(name: string, path: string): Promise<readonly BuildSources[]> {
  const status = await stat(path).catch((cause: unknown) => {
    throw new QuodError('not-found', 'There is no such file or directory.', { place: { file: name }, cause });
  });
  const inside = (file: string): boolean => (status.isDirectory() ? isInside(path, file) : file === path);
  const isRocqFile = (file: string): boolean => sourceLanguageOf(file) === 'rocq';
  const files = status.isDirectory() ? (await sourceFilesBelow(path)).filter(isRocqFile) : [path];
  const projects = new Map<string, RocqProject>();
  for (const folder of new Set(files.map(dirname))) {
    const project = await findRocqProject(join(folder, 'any.v'));
    projects.set(project.source ?? project.root, project);
  }
  const found: BuildSources[] = [];
  for (const project of projects.values()) {
    const all = await allSources(project);
    const libraries = all.filter((source) => inside(source.path)).map(({ library }) => library);
    const sources = await sourcesInDependencyOrder([{ modules: libraries }], all, '');
    if (sources.length > 0) found.push({ project, sources });
  }
  if (found.length > 0) return found;
  throw new QuodError(
    'not-found',
    'There is no Rocq source here that belongs to the load path of a project.',
    {
      place: { file: name },
      remedy: 'Write a _CoqProject with a line such as `-Q theories Name` into the root of the project.',
    },
  );
}
