/**
 * Which files of the project that a file requires, directly or through others, are not what was
 * compiled, or were never compiled. A prover answers from what was compiled: these are the names that make its
 * answer doubtful.
 */
import type { ProverIdentity } from '../../../core/prover.ts';
import { dependenciesOf } from '../../../provers/rocq/build/project-build.ts';
import { notCompiled } from '../../../provers/rocq/build/project-sources.ts';
import { readsCompiled } from '../../../provers/rocq/build/uncompiled.ts';
import type { RequireItem } from '../../../provers/rocq/syntax/outline.ts';

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
  return (await notCompiled(sources)).map(({ path }) => path);
}
