/** Which declarations of a compiled file recur in ways that only the kernel takes for right. */
import type { FindLibrary } from '../compiled/closed-proofs.ts';
import type { CompiledFile } from '../compiled/compiled-file.ts';
import { compiledLibrary } from '../compiled/compiled-library.ts';
import { BODY } from '../compiled/declaration-layout.ts';
import { declarationsIn, namesDeclared } from '../compiled/declarations.ts';
import { hasTag } from '../compiled/kernel-shape.ts';
import { logicalName } from '../compiled/module-paths.ts';
import { Block, blocksIn } from '../compiled/ocaml-values.ts';
import { opaqueReference } from '../compiled/opaque-reference.ts';
import { isGuarded } from './guarded-recursion.ts';
import { isRecursion, type TermReader } from './kernel-terms.ts';
import { Declarations, LibraryNeeded } from './recursive-types.ts';

/**
 * Of each such function the names of what it is in, qualified by the modules inside the file; none where nothing that is named
 * has it.
 *
 * @throws MalformedValue
 */
export async function unconfirmedRecursion(
  file: CompiledFile,
  findLibrary: FindLibrary,
): Promise<readonly (readonly string[])[]> {
  const functions = recursionsIn(file);
  if (functions.size === 0) return [];
  const known = new Declarations(file, findLibrary);
  const found: string[][] = [];
  for (const [block, { names, proofs }] of functions) {
    const isConfirmed = async (): Promise<boolean> => {
      const readers = proofs.size === 0 ? [known.own.reader] : [...proofs].map((one) => known.readerOf(one));
      for (const reader of readers) if (!(await isConfirmedBy(reader, block, known))) return false;
      return true;
    };
    if (!(await isConfirmed())) found.push([...names]);
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

interface Found {
  /** Of what it is in. */
  readonly names: Set<string>;
  /** References to the opaque proofs that it is in; undefined where it is in something else that has a name. */
  readonly proofs: Set<Block | undefined>;
}

/**
 * Each block that is a recursive function, or has its shape. What an instance of a functor has is the functor's: there it is
 * looked at.
 */
function recursionsIn(file: CompiledFile): ReadonlyMap<Block, Found> {
  const { layout, library } = compiledLibrary(file);
  const own = logicalName(layout.library.of(library, 'name'));
  const proofs = file.segment('opaques');
  const found = new Map<Block, Found>();
  for (const block of blocksIn(file.segment('library'), proofs))
    if (isRecursion(block)) found.set(block, { names: new Set(), proofs: new Set() });
  if (found.size === 0) return found;
  const copied = new Set<Block>();
  for (const declaration of declarationsIn(file)) {
    const { kind, value, made } = declaration;
    if (kind !== 'inductive' && kind !== 'constant') continue;
    const body = kind === 'constant' ? layout.constant.of(value, 'body') : undefined;
    const kept = body !== undefined && hasTag(body, BODY.opaque) ? opaqueReference(body) : undefined;
    const isOwn = kept !== undefined && logicalName(kept.library) === own;
    const proof = isOwn && proofs instanceof Block ? proofs.fields[kept.place] : undefined;
    const note = (block: Block, reference: Block | undefined): void => {
      const one = found.get(block);
      if (one === undefined) return;
      one.proofs.add(reference);
      if (made === 'by-another') copied.add(block);
      else for (const name of namesDeclared(layout, declaration)) one.names.add(name);
    };
    // Definitions that are local to its sections stand in the reference to a proof.
    const elsewhere = value instanceof Block ? value.fields.filter((part) => part !== body) : [];
    for (const block of blocksIn(...elsewhere, ...(body !== undefined && kept === undefined ? [body] : [])))
      note(block, undefined);
    if (kept !== undefined)
      for (const block of blocksIn(kept.value, ...(proof === undefined ? [] : [proof])))
        note(block, kept.value);
  }
  for (const block of copied) if (found.get(block)?.names.size === 0) found.delete(block);
  return found;
}
