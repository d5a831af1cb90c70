/**
 * Which inductive types the kernel compares in ways that have been wrong: those that a module type declares, since a functor
 * is applied to whatever passes for them, and those with a `let`, which it has counted differently on the two sides of a
 * comparison.
 */
import { compiledLibrary } from '../compiled/compiled-library.ts';
import { declarationsIn, declaredTypes, namesDeclared } from '../compiled/declarations.ts';
import { Block } from '../compiled/ocaml-values.ts';
import type { RequiredLibraries } from '../libraries/required-libraries.ts';
import type { Compared } from '../recursion/recursion-of-target.ts';
import { namesComparedInFunctors } from './functor-names.ts';
import { takingPrivateTypesApart } from './private-types.ts';
import { comparesModules, hasLet, unlikeRequired, type UnlikeRequired } from './required-types.ts';

export type Doubt = 'in-module-type' | 'polymorphic-let' | UnlikeRequired['doubt'] | 'private' | 'in-functor';

/**
 * What speaks against types, and against what takes them apart or compares them, by name.
 * @throws MalformedValue, TooMuchWork and as `find`
 */
export async function unconfirmedTypes(
  { target, submission, work }: Compared,
  { contents, find }: Pick<RequiredLibraries, 'contents' | 'find'>,
): Promise<ReadonlyMap<string, Doubt>> {
  const { layout } = compiledLibrary(submission);
  const ofTarget = declaredTypes(target);
  const found = new Map<string, Doubt>();
  for (const declaration of declarationsIn(submission)) {
    if (declaration.kind !== 'inductive' || declaration.made === 'by-another') continue;
    const names = namesDeclared(layout, declaration).filter((name) => !ofTarget.has(name));
    const isPolymorphic = layout.inductive.of(declaration.value, 'universes') instanceof Block;
    if (declaration.moduleType !== undefined) for (const name of names) found.set(name, 'in-module-type');
    else if (isPolymorphic && hasLet({ value: declaration.value, layout }))
      for (const name of names) found.set(name, 'polymorphic-let');
  }
  for (const name of await takingPrivateTypesApart({ target, submission }, find)) found.set(name, 'private');
  for (const name of await namesComparedInFunctors(submission, find)) found.set(name, 'in-functor');
  if (!comparesModules(submission, target)) return found;
  for (const { name, doubt } of unlikeRequired(submission, await contents(), work))
    if (!found.has(name)) found.set(name, doubt);
  return found;
}
