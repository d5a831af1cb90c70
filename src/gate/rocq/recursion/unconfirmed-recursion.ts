/** Which declarations of a compiled file recur in ways that only the kernel takes for right. */
import type { FindLibrary } from '../compiled/closed-proofs.ts';
import type { CompiledFile } from '../compiled/compiled-file.ts';
import { compiledLibrary, libraryNameOf } from '../compiled/compiled-library.ts';
import { BODY } from '../compiled/declaration-layout.ts';
import { constantsAndTypes, namesDeclared } from '../compiled/declarations.ts';
import { field, hasTag, type Shape } from '../compiled/kernel-shape.ts';
import { Block, blocksIn, type OcamlValue } from '../compiled/ocaml-values.ts';
import { opaqueReference } from '../compiled/opaque-reference.ts';
import { isGuarded } from './guarded-recursion.ts';
import { isRecursion, type TermReader } from './kernel-terms.ts';
import { Declarations, LibraryNeeded } from './recursive-types.ts';

const NOTHING = 0;
/** The tag of a term that is a variable of a section, by its name. */
const SECTION_VARIABLE = 1;

/** What is compared as a whole: a declaration without its opaque proof, or a proof. */
export interface Part {
  /** Which part of which declaration it is. */
  readonly key: string;
  readonly shape: Shape;
  readonly value: OcamlValue;
  /** What is done to a proof when its sections are closed and its modules renamed. */
  readonly origin: OcamlValue;
}

export interface UnconfirmedRecursion {
  /** Of what the function is in, qualified by the modules inside the file; none where nothing that is named has it. */
  readonly names: readonly string[];
  readonly function: Block;
  /** It has no variable that is bound outside of it. */
  readonly isClosed: boolean;
  readonly parts: readonly Part[];
}

/** @throws MalformedValue */
export async function unconfirmedRecursion(
  file: CompiledFile,
  findLibrary: FindLibrary,
): Promise<readonly UnconfirmedRecursion[]> {
  const functions = recursionsIn(file);
  if (functions.size === 0) return [];
  const known = new Declarations(file, findLibrary);
  const found: UnconfirmedRecursion[] = [];
  for (const [block, { names, proofs, parts }] of functions) {
    const isConfirmed = async (): Promise<boolean> => {
      const readers = proofs.size === 0 ? [known.own.reader] : [...proofs].map((one) => known.readerOf(one));
      for (const reader of readers) if (!(await isConfirmedBy(reader, block, known))) return false;
      return true;
    };
    if (await isConfirmed()) continue;
    const isClosed = known.own.reader.term(block).opening === 0 && !namesVariables(block);
    found.push({ names: [...names], function: block, isClosed, parts: [...parts.values()] });
  }
  return found;
}

async function isConfirmedBy(reader: TermReader, block: Block, known: Declarations): Promise<boolean> {
  for (;;) {
    try {
      const recursion = reader.term(block);
      if (recursion.kind !== 'fix' && recursion.kind !== 'cofix') return false;
      return isGuarded(recursion, known);
    } catch (error) {
      if (!(error instanceof LibraryNeeded)) throw error;
      await known.read(error.library);
    }
  }
}

/** Whether a term has variables of a section, or something of their shape: another section can have others of these names. */
function namesVariables(term: Block): boolean {
  for (const { tag, fields } of blocksIn(term))
    if (tag === SECTION_VARIABLE && fields.length === 1 && typeof fields[0] === 'string') return true;
  return false;
}

interface Found {
  /** Of what it is in. */
  readonly names: Set<string>;
  /** References to the opaque proofs that it is in; undefined where it is in something else that has a name. */
  readonly proofs: Set<Block | undefined>;
  readonly parts: Map<string, Part>;
}

/**
 * Each block that is a recursive function, or has its shape. What an instance of a functor has is the functor's: there it is
 * looked at.
 */
function recursionsIn(file: CompiledFile): ReadonlyMap<Block, Found> {
  const { layout } = compiledLibrary(file);
  const own = libraryNameOf(file);
  const proofs = file.segment('opaques');
  const found = new Map<Block, Found>();
  for (const block of blocksIn(file.segment('library'), proofs))
    if (isRecursion(block)) found.set(block, { names: new Set(), proofs: new Set(), parts: new Map() });
  if (found.size === 0) return found;
  const copied = new Set<Block>();
  for (const declaration of constantsAndTypes(file)) {
    const { kind, value, made } = declaration;
    const body = kind === 'constant' ? layout.constant.of(value, 'body') : undefined;
    const kept = body !== undefined && hasTag(body, BODY.opaque) ? opaqueReference(body) : undefined;
    const isOwn = kept !== undefined && kept.library === own;
    const proof = isOwn && proofs instanceof Block ? proofs.fields[kept.place] : undefined;
    const note = (block: Block, part: Part, reference: Block | undefined): void => {
      const one = found.get(block);
      if (one === undefined) return;
      one.proofs.add(reference);
      one.parts.set(part.key, part);
      if (made === 'by-another') copied.add(block);
      else for (const name of namesDeclared(layout, declaration)) one.names.add(name);
    };
    const shape = layout[kind].shape;
    const whole: Part = { key: `${kind} ${declaration.name}`, shape, value, origin: NOTHING };
    // Definitions that are local to its sections stand in the reference to a proof.
    const elsewhere = value instanceof Block ? value.fields.filter((part) => part !== body) : [];
    for (const block of blocksIn(...elsewhere, ...(body !== undefined && kept === undefined ? [body] : [])))
      note(block, whole, undefined);
    if (kept === undefined) continue;
    const term = proof === undefined ? NOTHING : field(field(proof, 0), 0);
    const origin = new Block(kept.value.tag, kept.value.fields.slice(0, -1));
    const ofProof: Part = { key: `proof ${declaration.name}`, shape: layout.term, value: term, origin };
    for (const block of blocksIn(kept.value, ...(proof === undefined ? [] : [proof])))
      note(block, ofProof, kept.value);
  }
  for (const block of copied) if (found.get(block)?.names.size === 0) found.delete(block);
  return found;
}
