/** What speaks against the project's own libraries on which a target rests: that they are older than their sources. */
import { stat } from 'node:fs/promises';
import type { RocqProject } from '../../provers/rocq/project.ts';
import { placesInLoadPath } from './compiled/library-files.ts';

/** The libraries whose source was changed after it was compiled. */
export async function staleLibraries(
  project: RocqProject,
  libraries: readonly string[],
): Promise<readonly string[]> {
  const stale = await Promise.all(
    libraries.map(async (library) => {
      for (const compiled of placesInLoadPath(project, library)) {
        const made = await timeOf(compiled);
        if (made === undefined) continue;
        const changed = await timeOf(compiled.replace(/\.vo$/, '.v'));
        return changed !== undefined && changed > made;
      }
      return false;
    }),
  );
  return libraries.filter((_, index) => stale[index]);
}

async function timeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).mtimeMs;
  } catch {
    return undefined;
  }
}
