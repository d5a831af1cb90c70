/** The declarations of a module's structure, each under a key that no other has. */
import type { KernelLayout } from '../compiled/kernel-layout.ts';
import { field, listElements, misfit, rawText } from '../compiled/kernel-shape.ts';
import { Block, type OcamlValue } from '../compiled/ocaml-values.ts';

/** Modules and other declarations have labels of their own: the same one can stand for one of each. */
export function* namedDeclarations(
  layout: KernelLayout,
  structure: OcamlValue,
): Generator<readonly [key: string, { readonly label: string; readonly declaration: Block }]> {
  for (const entry of listElements(structure)) {
    const declaration = field(entry, 1);
    if (!(declaration instanceof Block)) throw misfit('a declaration');
    const kind = layout.kindOf(declaration);
    const label = rawText(field(entry, 0));
    const space = kind === 'module' || kind === 'module type' ? 'module' : 'other';
    yield [`${space} ${label}`, { label, declaration }];
  }
}
