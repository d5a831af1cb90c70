/** What the kernel was told not to check of declarations. */
import type { CompiledFile } from './compiled-file.ts';
import { compiledLibrary } from './compiled-library.ts';
import { FLAG } from './declaration-layout.ts';
import { type ConstantOrType, constantsAndTypes, namesDeclared } from './declarations.ts';
import type { KernelLayout } from './kernel-layout.ts';
import { field, misfit } from './kernel-shape.ts';
import { Block } from './ocaml-values.ts';

/** `set`: that a type which speaks of all of `Set` is none of them. `uip`: proofs of equality in SProp are equal by themselves. */
export type Unchecked = 'guarded' | 'positive' | 'universes' | 'set' | 'uip';

export function uncheckedOf(
  layout: KernelLayout,
  { kind, value }: Pick<ConstantOrType, 'kind' | 'value'>,
): readonly Unchecked[] {
  const flags = layout[kind].of(value, 'flags');
  if (!(flags instanceof Block)) throw misfit('flags');
  const checks = ['guarded', 'positive', 'universes'] as const;
  const off: Unchecked[] = checks.filter((check) => field(flags, FLAG[check]) !== 1);
  if (field(flags, FLAG.impredicativeSet) !== 0) off.push('set');
  return flags.fields.at(-1) === 0 ? off : [...off, 'uip'];
}

/** Of all constants and types of a file, by names that are qualified by the modules inside it. @throws MalformedValue */
export function uncheckedDeclarations(file: CompiledFile): ReadonlyMap<string, readonly Unchecked[]> {
  const { layout } = compiledLibrary(file);
  const found = new Map<string, readonly Unchecked[]>();
  for (const declaration of constantsAndTypes(file)) {
    const unchecked = uncheckedOf(layout, declaration);
    for (const name of namesDeclared(layout, declaration)) found.set(name, unchecked);
  }
  return found;
}
