/**
 * Which files of the project that a file requires, directly or through others, are not what was
 * compiled, or were never compiled. A prover answers from what was compiled: these are the names that make its
 * answer doubtful.
 */
import type { ProverIdentity } from '../../../core/prover.ts';
import { dependenciesOf } from '../../../provers/rocq/build/project-build.ts';
import { notCompiled } from '../../../provers/rocq/build/project-sources.ts';
import type { RequireItem } from '../../../provers/rocq/syntax/outline.ts';

/**
 * Paths of stale sources, each behind those that it requires. Installed libraries are never stale, and for the
 * embedded Rocq nothing is: it compiles what a file requires by itself.
 */
export async function staleDependencies(
  file: string,
  requires: readonly RequireItem[],
  { backend }: Pick<ProverIdentity, 'backend'>,
): Promise<string[]> {
  if (requires.length === 0 || backend === 'embedded') return [];
  const { sources } = await dependenciesOf(file, requires);
  return (await notCompiled(sources)).map(({ path }) => path);
}
