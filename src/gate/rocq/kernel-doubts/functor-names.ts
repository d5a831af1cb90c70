/**
 * Names of what is inside of a functor, used outside of it. Where a functor has another name of a module in it and is
 * applied by another name of its own, Rocq compares the parts of all copies by the one name inside of the functor
 * (its issue 21685), and takes those of two copies for the same.
 */
import { lazyByKey } from '../../../core/lazy-constant.ts';
import { named, pairsIn } from '../comparison/name-pairs.ts';
import type { FindLibrary } from '../compiled/closed-proofs.ts';
import type { CompiledFile } from '../compiled/compiled-file.ts';
import { compiledLibrary, libraryNameOf } from '../compiled/compiled-library.ts';
import { SIGNATURE } from '../compiled/kernel-layout.ts';
import { hasTag } from '../compiled/kernel-shape.ts';
import { inside, insideOf, libraryOf, PARAMETER } from '../compiled/module-paths.ts';
import { entriesIn } from './required-types.ts';

/** @returns by which names, qualified by the modules inside of their files. @throws MalformedValue and as `find` */
export async function namesComparedInFunctors(
  file: CompiledFile,
  find: FindLibrary,
): Promise<ReadonlySet<string>> {
  const own = libraryNameOf(file);
  const functors = lazyByKey(async (library: string) => {
    const home = library === own ? file : await find(library);
    return home === undefined ? [] : functorsIn(home);
  });
  const found = new Set<string>();
  for (const [user, canonical] of pairsIn(file)) {
    const [name, compared] = [named(user), named(canonical)];
    if (name === compared || compared.startsWith(PARAMETER)) continue;
    const isOutside = (functor: string) =>
      compared.startsWith(`${functor}.`) && !name.startsWith(`${functor}.`);
    if ((await functors(libraryOf(compared))).some(isOutside)) found.add(insideOf(name));
  }
  return found;
}

/** By their full names. */
function functorsIn(file: CompiledFile): readonly string[] {
  const { layout } = compiledLibrary(file);
  const library = libraryNameOf(file);
  return [...entriesIn(file)].flatMap(({ kind, name, value }) =>
    kind === 'module' && hasTag(layout.module.of(value, 'signature'), SIGNATURE.functor)
      ? [inside(library, name)]
      : [],
  );
}
