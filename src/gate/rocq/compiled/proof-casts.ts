/**
 * Which machines a compiled file asks the kernel to trust: casts in its proofs that were checked by the virtual machine
 * (`vm_compute`) or by compiled code (`native_compute`). `Print Assumptions` does not tell of them.
 */
import { compiledLibrary, libraryNameOf } from './compiled-library.ts';
import type { CompiledFile } from './compiled-file.ts';
import { BODY } from './declaration-layout.ts';
import { constantsAndTypes, namesDeclared } from './declarations.ts';
import { field, hasTag } from './kernel-shape.ts';
import { Block, blocksIn, type OcamlValue } from './ocaml-values.ts';
import { opaqueReference } from './opaque-reference.ts';
import { TERM } from './term-layout.ts';

export type Machine = 'vm' | 'native';

const CAST_KINDS: readonly Machine[] = ['vm', 'native'];

/**
 * Looks at every block that has the shape of a cast, in proofs and everywhere else. What is no term could have the shape
 * too (nothing known has): an innocent file might be refused for that, but no cast is overlooked.
 */
export function machinesUsed(file: CompiledFile): ReadonlySet<Machine> {
  return machinesIn(blocksIn(file.segment('opaques'), file.segment('library')));
}

/** Of a declaration, of a proof, or of what belongs to none. */
export interface MachinesOfPart {
  /** What has it: a proof that modules share belongs to several. */
  readonly names: readonly string[];
  readonly machines: ReadonlySet<Machine>;
  /** Of a constant that stands here: what it says and, where others can look into it, its body. */
  readonly terms?: readonly OcamlValue[];
  /** Of a type or a constant: all of it. */
  readonly value?: OcamlValue;
  /** What an instance of a functor has is the functor's: there it is looked at. */
  readonly isCopy?: boolean;
}

/** Whether a block is a cast that the machine checked, or has its shape. */
export function isCastBy(machine: Machine, { tag, fields }: Block): boolean {
  return tag === TERM.cast && fields.length === 3 && fields[1] === CAST_KINDS.indexOf(machine);
}

/** The same by parts; the last is all that is in none of the others. @throws MalformedValue */
export function* machinesByPart(file: CompiledFile): Generator<MachinesOfPart> {
  const { layout } = compiledLibrary(file);
  const own = libraryNameOf(file);
  const proofs = file.segment('opaques');
  const namesOfProofs = new Map<number, string[]>();
  const copies: { readonly name: string; readonly place: number }[] = [];
  const seen = new Set<Block>();
  const machinesOf = (root: OcamlValue): ReadonlySet<Machine> => {
    const blocks = [...blocksIn(root)];
    for (const block of blocks) seen.add(block);
    return machinesIn(blocks);
  };
  for (const declaration of constantsAndTypes(file)) {
    const { name, kind, value, made } = declaration;
    const body = kind === 'constant' ? layout.constant.of(value, 'body') : undefined;
    const terms =
      body === undefined
        ? []
        : [layout.constant.of(value, 'type'), ...(hasTag(body, BODY.transparent) ? [field(body, 0)] : [])];
    const isCopy = made === 'by-another';
    yield { names: namesDeclared(layout, declaration), machines: machinesOf(value), terms, value, isCopy };
    if (body === undefined || !hasTag(body, BODY.opaque)) continue;
    const kept = opaqueReference(body);
    if (kept.library !== own) continue;
    if (isCopy) copies.push({ name, place: kept.place });
    else namesOfProofs.set(kept.place, [...(namesOfProofs.get(kept.place) ?? []), name]);
  }
  if (proofs instanceof Block)
    for (const [place, proof] of proofs.fields.entries())
      yield { names: namesOfProofs.get(place) ?? [], machines: machinesOf(proof) };
  for (const { name, place } of copies)
    yield { names: [name], machines: machinesIn(blocksIn(field(proofs, place))), isCopy: true };
  const rest = [...blocksIn(proofs, file.segment('library'))].filter((block) => !seen.has(block));
  yield { names: [], machines: machinesIn(rest) };
}

function machinesIn(blocks: Iterable<Block>): ReadonlySet<Machine> {
  const used = new Set<Machine>();
  for (const block of blocks)
    for (const machine of CAST_KINDS) if (isCastBy(machine, block)) used.add(machine);
  return used;
}
