/**
 * The bodies of a compiled file's opaque constants. They stand in a segment of their own, a table; the constant has the
 * place in the table, and what is to be done to the body when its sections are closed and its modules renamed.
 */
import { lazyConstant } from '../../../core/lazy-constant.ts';
import type { CompiledFile } from '../compiled/compiled-file.ts';
import { libraryNameOf } from '../compiled/compiled-library.ts';
import { field, misfit } from '../compiled/kernel-shape.ts';
import { Block, type OcamlValue } from '../compiled/ocaml-values.ts';
import { opaqueReference } from '../compiled/opaque-reference.ts';

export type OpaqueBody =
  | {
      readonly kind: 'own';
      /** What is done to it: substitutions and discharges. */
      readonly origin: OcamlValue;
      readonly term: OcamlValue;
      /** Universes that only the body has. */
      readonly universes: OcamlValue;
    }
  /** It is in the table of another library, from where a functor or an inclusion has copied it. */
  | { readonly kind: 'of-library'; readonly reference: OcamlValue };

export class OpaqueBodies {
  readonly #library: string;
  readonly #table: () => readonly OcamlValue[];

  constructor(file: CompiledFile) {
    this.#library = libraryNameOf(file);
    this.#table = lazyConstant(() => {
      const table = file.segment('opaques');
      if (!(table instanceof Block)) throw misfit('a table of opaque bodies');
      return table.fields;
    });
  }

  /** @param body a constant's, which is opaque. Undefined where its place in the table holds nothing. */
  bodyOf(body: Block): OpaqueBody | undefined {
    const { value: reference, library, place } = opaqueReference(body);
    if (library !== this.#library) return { kind: 'of-library', reference };
    const held = this.#table()[place];
    if (!(held instanceof Block)) return undefined;
    const proof = field(held, 0);
    return {
      kind: 'own',
      origin: new Block(reference.tag, reference.fields.slice(0, -1)),
      term: field(proof, 0),
      universes: field(proof, 1),
    };
  }
}
