/**
 * What the declarations of a section take in the end, and a proof in the section does not give them: a proof that is kept by itself is
 * written as it stood in its sections, while all that it refers to is written as it stands behind them (`kernel/cooking.ml`).
 */
import { orZero } from '../../../core/entry.ts';
import { entriesOf } from '../compiled/term-layout.ts';
import { field, listElements } from '../compiled/kernel-shape.ts';
import type { Block } from '../compiled/ocaml-values.ts';
import { nameOf } from './kernel-terms.ts';

/** How many arguments each constant and each type has more behind the sections than in them. @param reference to the opaque proof. @throws MalformedValue */
export function argumentsOfSections(reference: Block): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const section of listElements(field(reference, reference.fields.length - 3))) {
    const generalised = field(section, 0);
    for (const kind of [0, 1])
      for (const [, ofOneHash] of entriesOf(field(generalised, kind)))
        for (const [key, instance] of entriesOf(ofOneHash)) {
          const name = nameOf(key);
          counts.set(name, orZero(counts.get(name)) + [...listElements(field(instance, 0))].length);
        }
  }
  return counts;
}
