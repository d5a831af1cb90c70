import { expect, it } from 'vitest';
import { BODY } from './declaration-layout.ts';
import { MalformedValue, Block, type OcamlValue } from './ocaml-values.ts';
import { opaqueReference } from './opaque-reference.ts';

/** An opaque body in a table of the library with these parts, the last one first. */
function bodyIn(...parts: readonly string[]): Block {
  const path = parts.reduceRight<OcamlValue>((rest, part) => new Block(0, [part, rest]), 0);
  return new Block(BODY.opaque, [new Block(0, [0, 0, path, 3])]);
}

it('says by its name in the table of which library a proof is', () => {
  expect(opaqueReference(bodyIn('List', 'Lists', 'Coq'))).toMatchObject({
    library: 'Coq.Lists.List',
    place: 3,
  });
});

it.each([[['List', 'Coq.Lists']], [['Coq.Lists.List']], [[]]])(
  'refuses a path that has the name of another one, or none: %j',
  (parts) => {
    expect(() => opaqueReference(bodyIn(...parts))).toThrow(MalformedValue);
  },
);
