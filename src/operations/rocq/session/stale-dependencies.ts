/**
 * Which files of the project that a file requires, directly or through others, are not what was
 * compiled, or were never compiled. A prover answers from what was compiled: these are the names that make its
 * answer doubtful.
 */
import type { ProverIdentity } from '../../../core/prover.ts';
import { sha256 } from '../../../core/sha256.ts';
import { dependencyDigests } from '../../../provers/rocq/build/dependency-digests.ts';
import { dependenciesOf } from '../../../provers/rocq/build/project-build.ts';
import { notCompiled, type ProjectSource } from '../../../provers/rocq/build/project-sources.ts';
import { readsCompiled } from '../../../provers/rocq/build/uncompiled.ts';
import type { RequireItem } from '../../../provers/rocq/syntax/outline.ts';
import type { MadeWith } from '../../definition/rests-on.ts';
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
 * from the libraries: the compiled files as they stood when the file was read, or the sources where nothing is compiled or
 * a Rocq reads nothing that is. A compiled file that has no source is not in it.
 */
export async function librariesRead(
  { context, outline: { requires }, libraries }: RocqFile,
  identity: Pick<ProverIdentity, 'backend' | 'version'>,
): Promise<Pick<MadeWith, 'stale' | 'libraries'>> {
  const { backend, version } = identity;
  const isFromCompiled = readsCompiled(identity);
  const of = isFromCompiled ? libraries : { ...libraries, compiled: () => Promise.resolve(undefined) };
  const { sources, digests } = await dependencyDigests(context.file, requires, of);
  const name = sha256(JSON.stringify([backend, version, ...digests])).slice(0, NAME_LENGTH);
  return { stale: isFromCompiled ? pathsOf(await notCompiled(sources)) : [], libraries: name };
}

const NAME_LENGTH = 16;

function pathsOf(sources: readonly ProjectSource[]): string[] {
  return sources.map(({ path }) => path);
}
