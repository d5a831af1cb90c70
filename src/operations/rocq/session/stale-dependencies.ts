/**
 * Which files of the project that a file requires, directly or through others, are not what was
 * compiled, or were never compiled. A prover answers from what was compiled: these are the names that make its
 * answer doubtful.
 */
import type { ProverIdentity } from '../../../core/prover.ts';
import { sha256 } from '../../../core/sha256.ts';
import { dependenciesOf } from '../../../provers/rocq/build/project-build.ts';
import { notCompiled, type ProjectSource } from '../../../provers/rocq/build/project-sources.ts';
import { readsCompiled } from '../../../provers/rocq/build/uncompiled.ts';
import { coqArguments, findRocqProject } from '../../../provers/rocq/project.ts';
import type { RequireItem } from '../../../provers/rocq/syntax/outline.ts';
import type { MadeWith } from '../../definition/rests-on.ts';
import { stampOf } from './compiled-libraries.ts';
import type { RocqFile } from './rocq-file.ts';

/**
 * Paths of stale sources, each behind those that it requires. Installed libraries are never stale, and nothing is for a
 * Rocq that reads nothing compiled.
 */
export async function staleDependencies(
  file: string,
  requires: readonly RequireItem[],
  identity: Pick<ProverIdentity, 'backend'>,
): Promise<string[]> {
  if (requires.length === 0 || !readsCompiled(identity)) return [];
  const { sources } = await dependenciesOf(file, requires);
  return pathsOf(await notCompiled(sources));
}

/**
 * The same for a file that was read before, with a name for the prover, for what the project tells it, and for what it has
 * from the libraries: the compiled files as they stood when the file was read, or the sources where a Rocq reads nothing
 * compiled. A compiled file that has no source is not in it.
 */
export async function librariesRead(
  { context, outline: { requires }, compiled }: RocqFile,
  identity: Pick<ProverIdentity, 'backend' | 'version'>,
): Promise<Pick<MadeWith, 'stale' | 'libraries'>> {
  const { backend, version } = identity;
  const { project, sources } =
    requires.length === 0
      ? { project: await findRocqProject(context.file), sources: [] }
      : await dependenciesOf(context.file, requires);
  const isFromCompiled = readsCompiled(identity);
  const stamps = await Promise.all(
    sources.map(async ({ path, compiled: made }) =>
      isFromCompiled ? compiled.get(made) : await stampOf(path),
    ),
  );
  const parts = [backend, version, coqArguments(project), pathsOf(sources), stamps];
  return { stale: isFromCompiled ? pathsOf(await notCompiled(sources)) : [], libraries: named(parts) };
}

const NAME_LENGTH = 16;

function named(parts: readonly unknown[]): string {
  return sha256(JSON.stringify(parts)).slice(0, NAME_LENGTH);
}

function pathsOf(sources: readonly ProjectSource[]): string[] {
  return sources.map(({ path }) => path);
}
