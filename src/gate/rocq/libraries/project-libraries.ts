/** What speaks against the project's own libraries on which a target rests: that they are not what was compiled. */
import { existsSync } from 'node:fs';
import { isOutdated } from '../../../provers/rocq/build/compiled-from.ts';
import type { RocqProject } from '../../../provers/rocq/project.ts';
import { placesInLoadPath } from '../compiled/library-files.ts';

/** The libraries whose source was changed after it was compiled, or is of another text than what was. */
export async function staleLibraries(
  project: RocqProject,
  libraries: readonly string[],
): Promise<readonly string[]> {
  const stale = await Promise.all(
    libraries.map(async (library) => {
      const compiled = placesInLoadPath(project, library).find((path) => existsSync(path));
      return compiled !== undefined && (await isOutdated(compiled.replace(/\.vo$/, '.v'), compiled));
    }),
  );
  return libraries.filter((_, index) => stale[index]);
}
