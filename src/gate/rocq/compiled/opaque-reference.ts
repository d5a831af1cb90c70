/** Where the body of an opaque constant is: in the table of a library, to be changed as sections and functors say. */
import { field, misfit } from './kernel-shape.ts';
import { Block, type OcamlValue } from './ocaml-values.ts';

export interface OpaqueReference {
  /** Discharges and substitutions, the library and the place in its table. */
  readonly value: Block;
  /** The library's name, as a path that has the last part first. */
  readonly library: OcamlValue;
  readonly place: number;
}

/** @param body of a constant, which is opaque. */
export function opaqueReference(body: Block): OpaqueReference {
  const value = field(body, 0);
  if (!(value instanceof Block)) throw misfit('a reference to an opaque body');
  const [library, place] = value.fields.slice(-2);
  if (library === undefined || typeof place !== 'number') throw misfit('the place of an opaque body');
  return { value, library, place };
}
