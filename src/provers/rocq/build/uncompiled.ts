/** What to say where Rocq does not find a library, and a file of the project that is not compiled is the reason. */
import { relative } from 'node:path';
import { someOf } from '../../../core/counted.ts';
import type { ProverIdentity } from '../../../core/prover.ts';
import { RUN_REMEDIES } from '../../../core/remedies/run-remedies.ts';
import { missingLibrary } from '../known-libraries.ts';
import { NO_DEFAULT_CONTEXT } from '../project/dune-theory.ts';
import { missingFolder, type MissingFolder } from '../project/missing-folder.ts';
import { findRocqProject, isDuneProject, type RocqProject } from '../project/project.ts';
import type { FileOutline } from '../syntax/outline.ts';
import { dependenciesOf } from './project-build.ts';
import { isUnfinishedLoaded, unfinishedFileOf } from './compiled-from.ts';
import { notCompiled, type ProjectSource } from './project-sources.ts';

/** Whether a Rocq reads what was compiled of a project: the embedded one compiles by itself what a file requires. */
export function readsCompiled({ backend }: Pick<ProverIdentity, 'backend'>): boolean {
  return backend !== 'embedded';
}

/** @param sources what a file requires of its project. Undefined when all of it is compiled. */
export async function uncompiledMessage(sources: readonly ProjectSource[]): Promise<string | undefined> {
  const uncompiled = await notCompiled(sources);
  if (uncompiled.length === 0) return undefined;
  const names = someOf(
    uncompiled.map(({ path, library }) => `${relative(process.cwd(), path)} (${library})`),
  );
  const count = uncompiled.length === 1 ? 'One file' : `${uncompiled.length} files`;
  const verb = uncompiled.length === 1 ? 'is' : 'are';
  const areUnfinished = await Promise.all(uncompiled.map(({ compiled }) => isUnfinishedLoaded(compiled)));
  const unfinished = uncompiled.find((_, index) => areUnfinished[index]);
  const why = unfinished === undefined ? '' : ` ${unfinishedText(unfinished)}`;
  return `${count} of the project that it requires ${verb} not compiled, or not from the source as it is now: ${names}.${why}`;
}

/** That Rocq does not load a compiled file, what it loads in its place, and what to do. */
export function unfinishedText({ compiled, library }: Pick<ProjectSource, 'compiled' | 'library'>): string {
  const file = relative(process.cwd(), unfinishedFileOf(compiled));
  return `${file} has the statements of ${library} without their proofs (\`coqc -vio\`), and no newer compiled file stands beside it: Rocq loads it in place of that. Delete it.`;
}

/** Whether it is what Rocq says where a library is missing, or is of another compilation than what it was made with. */
export function speaksOfLibraries(message: string): boolean {
  return /Cannot find a physical path|[Uu]nable to locate library|inconsistent assumptions over library/u.test(
    message,
  );
}

/** How what is not compiled comes to be. */
export function buildRemedy(project: RocqProject): string {
  if (project.unread?.some((one) => one.includes(NO_DEFAULT_CONTEXT)) === true)
    return 'No context of dune-workspace builds into `_build/default`, where Quod looks: add `(context default)` to it, and build the project.';
  return isDuneProject(project) ? RUN_REMEDIES.buildWithDune : RUN_REMEDIES.buildFirst;
}

export interface LibraryCause {
  readonly message: string;
  readonly remedy: string;
  /** Files of the project are not compiled. */
  readonly needsBuild: boolean;
}

/**
 * Why a library of the project is missing, where that can be told.
 * @param file Absolute path. @param message What Rocq says.
 */
export async function causeOfMissing(
  file: string,
  outline: Pick<FileOutline, 'requires'>,
  message: string,
): Promise<LibraryCause | undefined> {
  const unbound = await unboundLibrary(file, message);
  return unbound === undefined
    ? await uncompiledDependencies(file, outline)
    : { ...unbound, needsBuild: false };
}

/** Where the project of the file binds the library that is missing to a folder that is not there. */
async function unboundLibrary(file: string, message: string): Promise<MissingFolder | undefined> {
  const library = missingLibrary(message);
  return library === undefined ? undefined : missingFolder(await findRocqProject(file), library);
}

/** Undefined when all that the file requires of its project is compiled. */
export async function uncompiledDependencies(
  file: string,
  outline: Pick<FileOutline, 'requires'>,
): Promise<LibraryCause | undefined> {
  const { project, sources } = await dependenciesOf(file, outline.requires);
  const message = await uncompiledMessage(sources);
  if (message === undefined) return undefined;
  return { message, remedy: buildRemedy(project), needsBuild: true };
}
