/**
 * Which files of the project that a file requires, directly or through others, are not what was
 * compiled, or were never compiled. A prover answers from what was compiled: these are the names that make its
 * answer doubtful.
 */
import { dependenciesOf } from '../../../provers/rocq/build/project-build.ts';
import { notCompiled } from '../../../provers/rocq/build/project-sources.ts';
import type { RequireItem } from '../../../provers/rocq/syntax/outline.ts';

/** Paths of stale sources, each behind those that it requires. Installed libraries are never stale. */
export async function staleDependencies(file: string, requires: readonly RequireItem[]): Promise<string[]> {
  if (requires.length === 0) return [];
  const { sources } = await dependenciesOf(file, requires);
  return (await notCompiled(sources)).map(({ path }) => path);
}
