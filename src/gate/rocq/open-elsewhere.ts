/**
 * Whether what a proof takes from another file of the project is a statement that is open there. The kernel has it as an
 * axiom like any other; the compiled file, which belongs to the target, says as what it was declared.
 */
import { LARGEST_WRITTEN_BYTES, readRegularFile } from '../../process/foreign-folder/regular-file.ts';
import type { RocqProject } from '../../provers/rocq/project.ts';
import { readCompiledFile } from './compiled/compiled-file.ts';
import { declaredConstants } from './compiled/declarations.ts';
import { placesInLoadPath } from './compiled/library-files.ts';

/** @param axioms full names. @returns those of them that the files of the project declare otherwise than as axioms. */
export async function openElsewhere(
  project: RocqProject,
  libraries: readonly string[],
  axioms: Iterable<string>,
): Promise<ReadonlySet<string>> {
  const open = new Set<string>();
  const found = new Map<string, Promise<ReadonlySet<string>>>();
  for (const axiom of axioms) {
    const [library] = libraries
      .filter((name) => axiom.startsWith(`${name}.`))
      .sort((one, other) => other.length - one.length);
    if (library === undefined) continue;
    let inLibrary = found.get(library);
    if (inLibrary === undefined) found.set(library, (inLibrary = openIn(project, library)));
    if ((await inLibrary).has(axiom.slice(library.length + 1))) open.add(axiom);
  }
  return open;
}

async function openIn(project: RocqProject, library: string): Promise<ReadonlySet<string>> {
  for (const path of placesInLoadPath(project, library)) {
    const bytes = await readRegularFile(path, LARGEST_WRITTEN_BYTES).catch(() => undefined);
    if (bytes === undefined) continue;
    const constants = declaredConstants(readCompiledFile(bytes));
    return new Set(
      constants.flatMap(({ name, assumed }) => (assumed === undefined || assumed === 'axiom' ? [] : [name])),
    );
  }
  return new Set();
}
