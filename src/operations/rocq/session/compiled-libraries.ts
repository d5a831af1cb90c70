/**
 * What stands compiled below the load path of a project, at one time. A prover that has loaded a library goes on with what it
 * loaded, so one that was compiled anew needs a new prover. Installed libraries are taken not to change.
 */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256 } from '../../../core/sha256.ts';
import { coqArguments, type RocqProject } from '../../../provers/rocq/project.ts';

export interface CompiledLibraries {
  /** Of all of them, and of what Rocq is told. */
  readonly digest: string;
  /** By path: who writes a file anew changes its stamp. */
  readonly stamps: ReadonlyMap<string, string>;
}

const MOST_COMPILED_FILES = 20_000;

export async function compiledLibraries(project: RocqProject): Promise<CompiledLibraries> {
  const stamps = new Map<string, string>();
  for (const { physical } of project.loadPath)
    for (const [path, stamp] of await stampsBelow(physical)) stamps.set(path, stamp);
  return { digest: sha256(JSON.stringify([coqArguments(project), ...stamps])), stamps };
}

async function stampsBelow(folder: string): Promise<(readonly [path: string, stamp: string])[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.vo'));
  return Promise.all(
    files
      .slice(0, MOST_COMPILED_FILES)
      .map(({ parentPath, name }) => join(parentPath, name))
      .sort()
      .map(async (path) => [path, await stampOf(path)] as const),
  );
}

/** Empty where there is no such file. */
export async function stampOf(path: string): Promise<string> {
  return stat(path).then(
    ({ mtimeMs, size }) => `${mtimeMs} ${size}`,
    () => '',
  );
}
