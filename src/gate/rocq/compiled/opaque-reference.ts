/** Where the body of an opaque constant is: in the table of a library, to be changed as sections and functors say. */
import { field, listElements, misfit, nameText } from './kernel-shape.ts';
import { Block } from './ocaml-values.ts';

export interface OpaqueReference {
  /** Discharges and substitutions, the library and the place in its table. */
  readonly value: Block;
  /** `Coq.Lists.List` */
  readonly library: string;
  readonly place: number;
}

/** @param body of a constant, which is opaque. */
export function opaqueReference(body: Block): OpaqueReference {
  const value = field(body, 0);
  if (!(value instanceof Block)) throw misfit('a reference to an opaque body');
  const [path, place] = value.fields.slice(-2);
  const parts = path === undefined ? [] : [...listElements(path)].map(nameText);
  // With a dot in a part, two paths would have one name.
  if (typeof place !== 'number' || parts.length === 0 || parts.some((part) => part.includes('.')))
    throw misfit('the place of an opaque body');
  return { value, library: parts.reverse().join('.'), place };
}
