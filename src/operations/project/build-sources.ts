/** What a build compiles: files with all that they require, or folders with all that is in them. */
import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { QuodError } from '../../core/errors.ts';
import { isInside } from '../../core/inside.ts';
import type { BuildSources } from '../../provers/rocq/build/needed-projects.ts';
import { misnamedText, projectFiles, type ProjectFiles } from '../../provers/rocq/build/project-sources.ts';
import { sourcesInDependencyOrder } from '../../provers/rocq/build/required-sources.ts';
import { missingFolder } from '../../provers/rocq/missing-folder.ts';
import { findRocqProject, type RocqProject } from '../../provers/rocq/project.ts';
import { projectFaults } from '../../provers/rocq/project-faults.ts';
import { sourceFilesBelow, sourceLanguageOf } from '../files/source-language.ts';

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
  const owners = new Map<string, RocqProject>();
  for (const folder of new Set(files.map(dirname))) {
    const project = await findRocqProject(join(folder, 'any.v'));
    const key = project.source ?? project.root;
    projects.set(key, projects.get(key) ?? project);
    owners.set(folder, project);
  }
  const filesOf = new Map<RocqProject, ProjectFiles>();
  for (const project of projects.values()) filesOf.set(project, await projectFiles(project));
  const bound = new Set(
    [...filesOf].flatMap(([{ source }, { sources }]) =>
      source === undefined ? [] : sources.map((one) => one.path),
    ),
  );
  const wanted: BuildSources[] = [];
  const misnamed = new Map<string, string>();
  for (const [project, below] of filesOf) {
    for (const file of files) {
      const wrongPart = below.misnamed.get(file);
      if (wrongPart !== undefined) misnamed.set(file, wrongPart);
    }
    const libraries = below.sources
      .filter(({ path: source }) => inside(source) && isOwn(project, owners.get(dirname(source))))
      .filter(({ path: source }) => project.source !== undefined || !bound.has(source))
      .map(({ library }) => library);
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
  throw await nothingBound(name, [...projects.values()]);
}

/**
 * Whether a source that a project binds is its own to build: two that compile the same file, each in its own way, undo what the
 * other did. Where nobody says more of a folder, who binds it builds it, and under its name.
 */
function isOwn(project: RocqProject, owner: RocqProject | undefined): boolean {
  return owner?.source === undefined || owner.source === project.source;
}

/** What the project files say in vain may be why: a misspelt `-Q` binds nothing. */
async function nothingBound(name: string, projects: readonly RocqProject[]): Promise<QuodError> {
  const message = 'There is no Rocq source here that belongs to the load path of a project.';
  for (const project of projects) {
    const faults = await projectFaults(project);
    const [first] = faults;
    if (first === undefined) continue;
    return new QuodError('not-found', [message, ...faults.map((fault) => fault.message)].join(' '), {
      place: { file: first.file, position: { line: first.line, column: 0 } },
      remedy: [
        ...faults.map(({ remedy }) => remedy),
        'A line such as `-Q theories Name` there says where the sources are.',
      ].join(' '),
    });
  }
  return new QuodError('not-found', message, {
    place: { file: name },
    remedy:
      'Write a _CoqProject with a line such as `-Q theories Name` into the root of the project, or such a line into the one that is there.',
  });
}
