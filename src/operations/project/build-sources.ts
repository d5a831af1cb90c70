/** What a build compiles: files with all that they require, or folders with all that is in them. */
import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { QuodError } from '../../core/errors.ts';
import { isInside } from '../../core/inside.ts';
import type { ProjectBuildRequest } from '../../provers/rocq/build/project-build.ts';
import { misnamedText, projectFiles } from '../../provers/rocq/build/project-sources.ts';
import { sourcesInDependencyOrder } from '../../provers/rocq/build/required-sources.ts';
import { missingFolder } from '../../provers/rocq/missing-folder.ts';
import { findRocqProject, type RocqProject } from '../../provers/rocq/project.ts';
import { sourceFilesBelow, sourceLanguageOf } from '../files/source-language.ts';

export type BuildSources = Pick<ProjectBuildRequest, 'project' | 'sources'>;

export interface SourcesToBuild {
  readonly wanted: readonly BuildSources[];
  /** Files that nothing can compile, each with the part of its name that no module can have. */
  readonly misnamed: ReadonlyMap<string, string>;
}

/**
 * By project: a folder may hold several, or be the root above one.
 * @param path Absolute.
 * @throws QuodError `not-found`; `invalid-input` where no module can be called as all that is there.
 */
export async function sourcesToBuild(name: string, path: string): Promise<SourcesToBuild> {
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
  const wanted: BuildSources[] = [];
  const misnamed = new Map<string, string>();
  for (const project of projects.values()) {
    const below = await projectFiles(project);
    for (const file of files) {
      const wrongPart = below.misnamed.get(file);
      if (wrongPart !== undefined) misnamed.set(file, wrongPart);
    }
    const libraries = below.sources.filter((source) => inside(source.path)).map(({ library }) => library);
    const sources = await sourcesInDependencyOrder([{ modules: libraries }], below.sources, '');
    if (sources.length > 0) wanted.push({ project, sources });
  }
  if (wanted.length > 0) return { wanted, misnamed };
  const [wrongPart] = misnamed.values();
  if (wrongPart !== undefined) {
    const { message, remedy } = misnamedText(wrongPart);
    throw new QuodError('invalid-input', message, { place: { file: name }, remedy });
  }
  for (const project of projects.values()) {
    const missing = missingFolder(project);
    if (missing !== undefined && project.source !== undefined)
      throw new QuodError('not-found', missing.message, {
        place: { file: project.source },
        remedy: missing.remedy,
      });
  }
  throw new QuodError(
    'not-found',
    'There is no Rocq source here that belongs to the load path of a project.',
    {
      place: { file: name },
      remedy: 'Write a _CoqProject with a line such as `-Q theories Name` into the root of the project.',
    },
  );
}
