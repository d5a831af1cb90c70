/**
 * Where a private type is taken apart. Outside of its module Rocq lets nobody write a `match` on it, by which what is
 * declared of it would be contradicted (higher inductive types are made so); but what a tactic computes, or what is added
 * to the module, has one.
 */
import { lazyByKey } from '../../../core/lazy-constant.ts';
import { lastPart } from '../../../core/qualified-name.ts';
import type { FindLibrary } from '../compiled/closed-proofs.ts';
import type { CompiledFile } from '../compiled/compiled-file.ts';
import { compiledLibrary, libraryNameOf } from '../compiled/compiled-library.ts';
import { BODY } from '../compiled/declaration-layout.ts';
import { declarationsIn, declaredConstants, namesDeclared } from '../compiled/declarations.ts';
import { field, hasTag } from '../compiled/kernel-shape.ts';
import { insideOf, libraryOf, PARAMETER } from '../compiled/module-paths.ts';
import { Block, blocksIn, type OcamlValue } from '../compiled/ocaml-values.ts';
import { opaqueReference } from '../compiled/opaque-reference.ts';
import { TERM } from '../compiled/term-layout.ts';
import { nameOf } from '../recursion/kernel-terms.ts';

/** How many parts a `match` has. */
const PARTS = 7;

/**
 * The constants of the submission that take one apart and are not the target's, with what they say of it.
 * @returns by their names, qualified by the modules inside the file. @throws MalformedValue and as `find`
 */
export async function takingPrivateTypesApart(
  { target, submission }: { readonly target: CompiledFile; readonly submission: CompiledFile },
  find: FindLibrary,
): Promise<ReadonlySet<string>> {
  const { layout } = compiledLibrary(submission);
  const own = libraryNameOf(submission);
  const finished = new Set(
    declaredConstants(target).flatMap(({ name, body }) => (body === 'undefined' ? [] : [name])),
  );
  const ofOwn = privateTypesIn(submission);
  const privateIn = lazyByKey(async (library: string) => {
    if (library === own) return ofOwn;
    const file = await find(library);
    return file === undefined ? new Set<string>() : privateTypesIn(file);
  });
  // What a module type has that a functor's parameter is of; where that is a library's, the module it is applied to has it.
  const ofParameters = new Set([...ofOwn].map(lastPart));
  const isPrivate = async (type: string): Promise<boolean> => {
    if (type.startsWith(PARAMETER)) return ofParameters.has(lastPart(type));
    return (await privateIn(libraryOf(type))).has(insideOf(type));
  };
  const found = new Set<string>();
  for (const { name, kind, value } of declarationsIn(submission)) {
    if (kind !== 'constant' || finished.has(name)) continue;
    const body = layout.constant.of(value, 'body');
    const types = typesTakenApart(value, hasTag(body, BODY.opaque) ? proofOf(submission, body, own) : 0);
    for (const type of types) if (await isPrivate(type)) found.add(name);
  }
  return found;
}

/** Nothing for a proof of a library, which a functor of it leaves behind: it is not of the submission. */
function proofOf(file: CompiledFile, body: Block, own: string): OcamlValue {
  const { place, library } = opaqueReference(body);
  const proofs = file.segment('opaques');
  return library === own ? field(proofs, place) : 0;
}

/** By their full names. */
function typesTakenApart(...values: readonly OcamlValue[]): ReadonlySet<string> {
  const types = new Set<string>();
  for (const { tag, fields } of blocksIn(...values)) {
    const [information] = fields;
    if (tag !== TERM.case || fields.length !== PARTS || !(information instanceof Block)) continue;
    const [type] = information.fields;
    if (type instanceof Block && type.fields.length === 2) types.add(nameOf(field(type, 0)));
  }
  return types;
}

function privateTypesIn(file: CompiledFile): ReadonlySet<string> {
  const { layout } = compiledLibrary(file);
  return new Set(
    [...declarationsIn(file)].flatMap((declaration) =>
      declaration.kind === 'inductive' && layout.inductive.of(declaration.value, 'private') instanceof Block
        ? namesDeclared(layout, declaration)
        : [],
    ),
  );
}
