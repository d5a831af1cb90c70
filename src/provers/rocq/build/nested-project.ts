/**
 * A file belongs to the project whose file is nearest. A project around it may bind its folder, too, and where the two give it other
 * names one of them alone can have it compiled in its place: the nearer one.
 */
import { statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { QuodError } from '../../../core/errors.ts';
import { findRocqProject, isDuneProject, type RocqProject } from '../project.ts';
import { projectSources, type ProjectSource } from './project-sources.ts';

/** @throws QuodError `invalid-input` where a nearer project gives the source other names. */
export async function rejectOfNearerProject(
  { path, library, names }: ProjectSource,
  { root, source: own }: RocqProject,
): Promise<void> {
  if (own === undefined || nearestProjectFile(path) === own) return;
  const nearer = await findRocqProject(path);
  // Dune compiles elsewhere.
  if (nearer.source === undefined || nearer.source === own || isDuneProject(nearer)) return;
  const there = (await projectSources(nearer)).find((source) => source.path === path);
  if (there === undefined || there.names.some((name) => names.includes(name))) return;
  const inside = relative(root, nearer.source);
  throw new QuodError(
    'invalid-input',
    `It belongs to the project of ${inside}, where it is ${there.library}: as ${library} it cannot be compiled in the same place.`,
    {
      place: { file: path },
      remedy: `Bind its folder in ${relative(root, own)} as that project does, and require it as ${there.library}; or delete ${inside}.`,
    },
  );
}

/** Of those that are not dune's. */
function nearestProjectFile(path: string): string | undefined {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    for (const name of ['_RocqProject', '_CoqProject']) {
      const file = join(folder, name);
      if (statSync(file, { throwIfNoEntry: false })?.isFile() === true) return file;
    }
    if (dirname(folder) === folder) return undefined;
  }
}
