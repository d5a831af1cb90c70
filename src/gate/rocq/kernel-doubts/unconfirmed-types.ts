/**
 * Which inductive types the kernel compares in ways that have been wrong: those that a module type declares, since a functor
 * is applied to whatever passes for them, and those with a `let`, which it has counted differently on the two sides of a
 * comparison.
 */
import type { CompiledFile } from '../compiled/compiled-file.ts';
import { compiledLibrary } from '../compiled/compiled-library.ts';
import { declarationsIn, declaredTypes, namesDeclared } from '../compiled/declarations.ts';
import { Block } from '../compiled/ocaml-values.ts';
import type { Compared } from '../recursion/recursion-of-target.ts';
import { comparesModules, hasLet, unlikeRequired } from './required-types.ts';

export type Doubt = 'in-module-type' | 'polymorphic-let' | 'unlike-required';

/**
 * What speaks against types, by name: of the submission where the target does not have them, and, where the submission has modules
 * compared, any that passes for a required one and is another.
 *
 * @throws MalformedValue, TooMuchWork
 */
export async function unconfirmedTypes(
  { target, submission, work }: Compared,
  libraries: () => Promise<readonly CompiledFile[]>,
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
  if (!comparesModules(submission, target)) return found;
  for (const name of unlikeRequired(submission, await libraries(), work))
    if (!found.has(name)) found.set(name, 'unlike-required');
  return found;
}
