/**
 * Whether what a proof takes from another file of the project is a statement that is open there. The kernel has it as an
 * axiom like any other; the compiled file, which belongs to the target, says as what it was declared.
 */
import { lazyByKey } from '../../../core/lazy-constant.ts';
import type { Dependency } from '../compiled/compiled-library.ts';
import { declaredConstants } from '../compiled/declarations.ts';
import type { RequiredLibraries } from './required-libraries.ts';

/**
 * What may be either an axiom or open (a copy, what a signature hides, all in a file that is not the one that was required) is
 * named as open, and needs that the policy allows the axiom.
 */
export type OpenStatement = 'admitted' | 'perhaps';

/**
 * @param required of the submission: what only it requires can be called like what is in one of the target.
 * @param axioms full names. @returns those of them that the files of the project declare otherwise than as axioms.
 */
export async function openElsewhere(
  required: RequiredLibraries,
  axioms: Iterable<string>,
): Promise<ReadonlyMap<string, OpenStatement>> {
  const open = new Map<string, OpenStatement>();
  const inLibrary = lazyByKey((library: Dependency) => openIn(required, library));
  for (const axiom of axioms) {
    const [library, ...others] = await required.mayDeclare(axiom);
    if (library === undefined) continue;
    const how = (await inLibrary(library)).get(axiom.slice(library.name.length + 1));
    if (how !== undefined) open.set(axiom, others.length === 0 ? how : 'perhaps');
  }
  return open;
}

async function openIn(
  required: RequiredLibraries,
  { name: library, digest }: Dependency,
): Promise<ReadonlyMap<string, OpenStatement>> {
  const file = await required.findForeign(library);
  if (file === undefined) return new Map();
  const isIt = file.digest('library') === digest;
  return new Map(
    declaredConstants(file).flatMap(({ name, assumed }): readonly [string, OpenStatement][] =>
      assumed === undefined || assumed === 'axiom'
        ? []
        : [[name, isIt && assumed === 'admitted' ? assumed : 'perhaps']],
    ),
  );
}
