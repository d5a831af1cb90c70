/**
 * Whether what a proof takes from another file of the project is a statement that is open there. The kernel has it as an
 * axiom like any other; the compiled file, which belongs to the target, says as what it was declared.
 */
import { LARGEST_WRITTEN_BYTES, readRegularFile } from '../../../process/foreign-folder/regular-file.ts';
import type { RocqProject } from '../../../provers/rocq/project.ts';
import { readCompiledFile } from '../compiled/compiled-file.ts';
import type { Dependency } from '../compiled/compiled-library.ts';
import { declaredConstants } from '../compiled/declarations.ts';
import { placesInLoadPath } from '../compiled/library-files.ts';
import { declaringLibrary } from './required-libraries.ts';

/**
 * What may be either an axiom or open (a copy, what a signature hides, all in a file that is not the one that was required) is
 * named as open, and needs that the policy allows the axiom.
 */
export type OpenStatement = 'admitted' | 'perhaps';

/** @param axioms full names. @returns those of them that the files of the project declare otherwise than as axioms. */
export async function openElsewhere(
  project: RocqProject,
  libraries: readonly Dependency[],
  axioms: Iterable<string>,
): Promise<ReadonlyMap<string, OpenStatement>> {
  const open = new Map<string, OpenStatement>();
  const found = new Map<Dependency, Promise<ReadonlyMap<string, OpenStatement>>>();
  for (const axiom of axioms) {
    const library = declaringLibrary(libraries, axiom);
    if (library === undefined) continue;
    let inLibrary = found.get(library);
    if (inLibrary === undefined) found.set(library, (inLibrary = openIn(project, library)));
    const how = (await inLibrary).get(axiom.slice(library.name.length + 1));
    if (how !== undefined) open.set(axiom, how);
  }
  return open;
}

async function openIn(
  project: RocqProject,
  { name: library, digest }: Dependency,
): Promise<ReadonlyMap<string, OpenStatement>> {
  let open: ReadonlyMap<string, OpenStatement> = new Map();
  for (const path of placesInLoadPath(project, library)) {
    const bytes = await readRegularFile(path, LARGEST_WRITTEN_BYTES).catch(() => undefined);
    if (bytes === undefined) continue;
    const file = readCompiledFile(bytes);
    const isIt = file.digest('library') === digest;
    if (isIt || open.size === 0)
      open = new Map(
        declaredConstants(file).flatMap(({ name, assumed }): readonly [string, OpenStatement][] =>
          assumed === undefined || assumed === 'axiom'
            ? []
            : [[name, isIt && assumed === 'admitted' ? assumed : 'perhaps']],
        ),
      );
    if (isIt) break;
  }
  return open;
}
