/** What a build compiles: files with all that they require, or folders with all that is in them. */
import { stat } from 'node:fs/promises';
import { QuodError } from '../../core/errors.ts';
import { isInside } from '../../core/inside.ts';
import type { KnownProjects } from '../../provers/rocq/build/known-projects.ts';
import type { BuildSources } from '../../provers/rocq/build/needed-projects.ts';
import { misnamedText } from '../../provers/rocq/build/project-sources.ts';
import { sourcesInDependencyOrder } from '../../provers/rocq/build/required-sources.ts';
import { missingFolder } from '../../provers/rocq/project/missing-folder.ts';
import type { RocqProject } from '../../provers/rocq/project/project.ts';
import { projectFaults } from '../../provers/rocq/project/project-faults.ts';
import { sourceFilesBelow, sourceLanguageOf, type SourceLanguage } from '../files/source-language.ts';

export interface SourcesToBuild {
  readonly wanted: readonly BuildSources[];
  /** Files that nothing can compile, each with the part of its name that no module can have. */
  readonly misnamed: ReadonlyMap<string, string>;
}

/** How files of other languages are built or looked at. */
const BUILT_OTHERWISE: Readonly<Record<Exclude<SourceLanguage, 'rocq'>, string>> = {
  hol4: 'Build the theories of its folder with `holmake`, or run this script with `proof_check`.',
  fstar: 'Check it with `proof_check`, which needs nothing built before.',
  lean: 'Build it with `lake build`; what that compiles (.olean) is judged by `gate_verify`.',
};

/**
 * By project: a folder may hold several, or be the root above one.
 * @param path Absolute.
 * @throws QuodError `not-found`; `invalid-input` where no module can be called as all that is there.
 */
export async function sourcesToBuild(
  name: string,
  path: string,
  known: KnownProjects,
): Promise<SourcesToBuild> {
  const status = await stat(path).catch((cause: unknown) => {
    throw new QuodError('not-found', 'There is no such file or directory.', { place: { file: name }, cause });
  });
  const language = status.isDirectory() ? 'rocq' : sourceLanguageOf(path);
  if (language !== undefined && language !== 'rocq')
    throw new QuodError('unsupported', 'Projects of Rocq are built, and this is no Rocq file.', {
      ...{ place: { file: name }, remedy: BUILT_OTHERWISE[language] },
    });
  const inside = (file: string): boolean => (status.isDirectory() ? isInside(path, file) : file === path);
  const isRocqFile = (file: string): boolean => sourceLanguageOf(file) === 'rocq';
  const files = status.isDirectory() ? (await sourceFilesBelow(path)).filter(isRocqFile) : [path];
  const projects = new Set<RocqProject>();
  for (const file of files) projects.add(await known.ownerOf(file));
  const bound = new Set<string>();
  for (const project of projects) {
    if (project.source === undefined) continue;
    for (const { path } of (await known.filesOf(project)).sources) bound.add(path);
  }
  /**
   * Whether a source that a project binds is its own to build: two that compile the same file, each in its own way, undo what the
   * other did. Where nobody says more of a folder, who binds it builds it, and under its name.
   */
  const isOwn = async (project: RocqProject, source: string): Promise<boolean> => {
    if (project.source === undefined && bound.has(source)) return false;
    const owner = await known.ownerOf(source);
    return owner === project || owner.source === undefined || !projects.has(owner);
  };
  const wanted: BuildSources[] = [];
  const misnamed = new Map<string, string>();
  for (const project of projects) {
    const below = await known.filesOf(project);
    for (const file of files) {
      const wrongPart = below.misnamed.get(file);
      if (wrongPart !== undefined) misnamed.set(file, wrongPart);
    }
    const modules: string[] = [];
    for (const { path: source, library } of below.sources)
      if (inside(source) && (await isOwn(project, source))) modules.push(library);
    const sources = await sourcesInDependencyOrder([{ modules }], below.sources);
    if (sources.length > 0) wanted.push({ project, sources });
  }
  if (wanted.length > 0) return { wanted, misnamed };
  const [wrongPart] = misnamed.values();
  if (wrongPart !== undefined) {
    const { message, remedy } = misnamedText(wrongPart);
    throw new QuodError('invalid-input', message, { place: { file: name }, remedy });
  }
  for (const project of projects) {
    const missing = missingFolder(project);
    if (missing !== undefined && project.source !== undefined)
      throw new QuodError('not-found', missing.message, {
        place: { file: project.source },
        remedy: missing.remedy,
      });
  }
  throw await nothingBound(name, projects);
}

/** What the project files say in vain may be why: a misspelt `-Q` binds nothing. */
async function nothingBound(name: string, projects: Iterable<RocqProject>): Promise<QuodError> {
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
