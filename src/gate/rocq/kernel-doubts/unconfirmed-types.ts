/**
 * Which inductive types of a compiled file the kernel compares in ways that have been wrong: those that a module type
 * declares, since a functor is applied to whatever passes for them, and those with a `let`, which it has counted
 * differently on the two sides of a comparison.
 */
import { lastPart } from '../../../core/qualified-name.ts';
import type { CompiledFile } from '../compiled/compiled-file.ts';
import { compiledLibrary } from '../compiled/compiled-library.ts';
import { type Declaration, declarationsIn, declaredTypes, namesDeclared } from '../compiled/declarations.ts';
import type { KernelLayout } from '../compiled/kernel-layout.ts';
import { field, listElements } from '../compiled/kernel-shape.ts';
import { Block } from '../compiled/ocaml-values.ts';
import { elementsOf } from '../recursion/kernel-terms.ts';
import { isLet, takenByConstructors } from '../recursion/recursive-types.ts';

export type Doubt = 'in-module-type' | 'polymorphic-let' | 'let-behind-module-type';

/** Of each type of the submission that the target does not have what speaks against it, by name. @throws MalformedValue */
export async function unconfirmedTypes(
  { target, submission }: { readonly target: CompiledFile; readonly submission: CompiledFile },
  libraries: () => Promise<readonly CompiledFile[]>,
): Promise<ReadonlyMap<string, Doubt>> {
  const { layout } = compiledLibrary(submission);
  const ofTarget = declaredTypes(target);
  const found = new Map<string, Doubt>();
  const withLet: string[] = [];
  for (const declaration of declarationsIn(submission)) {
    if (declaration.kind !== 'inductive' || declaration.made === 'by-another') continue;
    const names = namesDeclared(layout, declaration).filter((name) => !ofTarget.has(name));
    if (declaration.moduleType !== undefined) for (const name of names) found.set(name, 'in-module-type');
    else if (hasLet(declaration, layout)) {
      const isPolymorphic = layout.inductive.of(declaration.value, 'universes') instanceof Block;
      for (const name of names) if (isPolymorphic) found.set(name, 'polymorphic-let');
      for (const name of names) if (!isPolymorphic && name.includes('.')) withLet.push(name);
    }
  }
  if (withLet.length === 0) return found;
  const required = new Set([submission, ...(await libraries())].flatMap((file) => [...typesRequired(file)]));
  for (const name of withLet) if (required.has(lastPart(name))) found.set(name, 'let-behind-module-type');
  return found;
}

/** The short names of the types that modules need to have where a module type says so. */
function* typesRequired(file: CompiledFile): Generator<string> {
  const { layout } = compiledLibrary(file);
  for (const declaration of declarationsIn(file))
    if (declaration.kind === 'inductive' && declaration.moduleType !== undefined)
      for (const name of namesDeclared(layout, declaration)) yield lastPart(name);
}

/** Among the parameters of a mutual block, the arguments of one of its types or of a constructor. */
function hasLet({ value }: Declaration, layout: KernelLayout): boolean {
  const types = elementsOf(layout.inductive.of(value, 'types'));
  const contexts = [layout.inductive.of(value, 'context'), ...types.map((type) => field(type, 1))];
  return (
    contexts.some((context) => [...listElements(context)].some(isLet)) ||
    types.some((type) => takenByConstructors(type).some((taken) => taken.some(isLet)))
  );
}
