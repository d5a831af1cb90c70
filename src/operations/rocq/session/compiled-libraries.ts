/**
 * What stands compiled below the load path of a project, at one time. A prover that has loaded a library goes on with what it
 * loaded, so one that was compiled anew needs a new prover. Installed libraries are taken not to change.
 */
import { sha256 } from '../../../core/sha256.ts';
import { type FileDigests, fileStamp } from '../../../process/foreign-folder/file-digests.ts';
import { filesOfLoadPath } from '../../../process/foreign-folder/files-below.ts';
import type { DigestsOf } from '../../../provers/rocq/build/dependency-digests.ts';
import { coqArguments, type RocqProject } from '../../../provers/rocq/project/project.ts';

export interface CompiledLibraries {
  /** Of all of them, and of what Rocq is told. */
  readonly digest: string;
  /** What they said at that time. */
  readonly of: DigestsOf;
}

const MOST_COMPILED_FILES = 20_000;

export async function compiledLibraries(
  project: RocqProject,
  digests: FileDigests,
): Promise<CompiledLibraries> {
  const stamps = new Map<string, string>();
  for (const { physical } of project.loadPath) {
    const paths = (await filesOfLoadPath(physical, '.vo')).slice(0, MOST_COMPILED_FILES);
    const found = await Promise.all(paths.map(fileStamp));
    for (const [index, path] of paths.entries()) {
      const stamp = found[index];
      if (stamp !== undefined) stamps.set(path, stamp);
    }
  }
  const compiled = async (path: string): Promise<string | undefined> => {
    const stamp = stamps.get(path);
    return stamp === undefined ? undefined : await digests.asOf(path, stamp);
  };
  return {
    digest: sha256(JSON.stringify([coqArguments(project), ...stamps])),
    of: { compiled, source: (path) => digests.of(path) },
  };
}
