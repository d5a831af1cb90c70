/**
 * What declarations say that a recursive function may use: which arguments of a constructor hold values of its own type,
 * and what constants stand for.
 */
import type { FindLibrary } from '../compiled/closed-proofs.ts';
import type { CompiledFile } from '../compiled/compiled-file.ts';
import { compiledLibrary, libraryNameOf } from '../compiled/compiled-library.ts';
import { BODY } from '../compiled/declaration-layout.ts';
import { declarationsIn } from '../compiled/declarations.ts';
import type { KernelLayout } from '../compiled/kernel-layout.ts';
import { field, hasTag, listElements, misfit } from '../compiled/kernel-shape.ts';
import { insideOf, libraryOf } from '../compiled/module-paths.ts';
import { Block, type OcamlValue } from '../compiled/ocaml-values.ts';
import { declaredByParameters, libraryBinding } from './functor-parameters.ts';
import { argumentsOfSections } from './section-arguments.ts';
import { elementsOf, TermReader, wholeNumber, type Term, type TypeName } from './kernel-terms.ts';

/**
 * What the kernel notes of a type: for each argument of each constructor whether it holds values of the type, and if so
 * what it is made of. Infinite, so it is kept as it is written: a node, and the nodes that it may refer to.
 */
export interface Tree {
  readonly node: Block;
  /** Innermost first. */
  readonly around: readonly (readonly OcamlValue[])[];
}

/** Of the three kinds of types: inductive, coinductive, and what never holds itself. */
const COINDUCTIVE = 1;

/** From the end of what is kept of a type, where constructors stand with what they take: what stands before differs by release. */
const CONSTRUCTORS = -8;
/** The tag of what a context defines; the other one is that of what it assumes. */
const LET = 1;

/** Of each constructor of a type of a block all that it takes, parameters among them, the last first. @throws MalformedValue */
export function takenByConstructors(type: OcamlValue | undefined): readonly (readonly OcamlValue[])[] {
  const constructors = type instanceof Block ? type.fields.at(CONSTRUCTORS) : undefined;
  if (constructors === undefined) throw misfit('an inductive type');
  return elementsOf(constructors).map((one) => [...listElements(field(one, 0))]);
}

/** Of what stands in a context. */
export function isLet(entry: OcamlValue): boolean {
  return hasTag(entry, LET);
}

const NODE = { reference: 0, node: 1, recursive: 2 } as const;

/** Of each argument of each constructor; undefined for one that holds nothing of the type. */
export function argumentsOf(tree: Tree, layout: KernelLayout): readonly (readonly (Tree | undefined)[])[] {
  const { node, around } = unfolded(tree);
  return elementsOf(field(node, 1)).map((constructor) => {
    // Until 8.18 a constructor is a node of its own.
    const found = layout.release >= 819 ? constructor : field(constructor, 1);
    return elementsOf(found).map((argument) => {
      const part = unfolded({ node: blockOf(argument), around });
      return field(part.node, 0) === 0 ? undefined : part;
    });
  });
}

/** Whether two trees come to what is written in one place. */
export function isSameTree(one: Tree, other: Tree): boolean {
  const [here, there] = [unfolded(one), unfolded(other)];
  return (
    here.node === there.node &&
    here.around.length === there.around.length &&
    here.around.every((nodes, place) => nodes === there.around[place])
  );
}

function unfolded(tree: Tree): Tree {
  let { node, around } = tree;
  for (let steps = 0; node.tag !== NODE.node; steps += 1) {
    if (steps > 1000) throw misfit('a tree of recursive arguments');
    if (node.tag === NODE.recursive) {
      const nodes = elementsOf(field(node, 1));
      around = [nodes, ...around];
      node = blockOf(nodes[wholeNumber(field(node, 0))]);
    } else {
      around = around.slice(wholeNumber(field(node, 0)));
      node = blockOf(around[0]?.[wholeNumber(field(node, 1))]);
    }
  }
  return { node, around };
}

function blockOf(value: OcamlValue | undefined): Block {
  if (!(value instanceof Block)) throw misfit('a tree of recursive arguments');
  return value;
}

/** A library that has to be read before it can be said. */
export class LibraryNeeded extends Error {
  readonly library: string;

  constructor(library: string) {
    super(`${library} has not been read.`);
    this.library = library;
  }
}

interface Library {
  readonly layout: KernelLayout;
  readonly reader: TermReader;
  /** By the names inside the library, or those by which functors refer to their parameters; undefined where it declares several by one name. */
  readonly constants: ReadonlyMap<string, OcamlValue | undefined>;
  readonly types: ReadonlyMap<string, OcamlValue | undefined>;
}

/** What libraries declare, each read when it is asked for first. */
export class Declarations {
  readonly #find: FindLibrary;
  readonly #libraries = new Map<string, Library | undefined>();
  /** Of the file that is looked at. */
  readonly own: Library;

  constructor(file: CompiledFile, find: FindLibrary) {
    this.#find = find;
    this.own = indexed(file);
    this.#libraries.set(libraryNameOf(file), this.own);
  }

  /** Reads what is in an opaque proof of the file, by the reference to it; undefined: what is elsewhere. */
  readerOf(proof: Block | undefined): TermReader {
    if (proof === undefined) return this.own.reader;
    const added = argumentsOfSections(proof);
    return added.size === 0 ? this.own.reader : new TermReader(this.own.layout, added);
  }

  async read(library: string): Promise<void> {
    const file = await this.#find(library);
    this.#libraries.set(library, file && indexed(file));
  }

  /** What the kernel notes of a type; undefined where it is not declared. @throws LibraryNeeded, MalformedValue */
  tree(name: TypeName): Tree | undefined {
    const type = this.#type(name);
    if (type === undefined) return undefined;
    // What follows it there: relevance, three numbers or tables of compiled code.
    return { node: blockOf(type instanceof Block ? type.fields.at(-5) : undefined), around: [] };
  }

  /** Which of the variables that a branch binds for a constructor are a `let`; undefined where it is not declared with so many. @throws LibraryNeeded, MalformedValue */
  letsOf(name: TypeName, constructor: number, bound: number): readonly boolean[] | undefined {
    const type = this.#type(name);
    const taken = type === undefined ? [] : (takenByConstructors(type)[constructor] ?? []).slice(0, bound);
    return taken.length === bound ? taken.reverse().map(isLet) : undefined;
  }

  /** Whether values of a type may go on for ever; undefined where it is not declared. @throws LibraryNeeded, MalformedValue */
  isCoinductive({ block }: TypeName): boolean | undefined {
    const found = this.#declared('types', block);
    return found && found.library.layout.inductive.of(found.value, 'recursion') === COINDUCTIVE;
  }

  /** How many parameters a type has, and how many that are the same in all of it; undefined where it is not declared. */
  parameters({ block }: TypeName): { readonly all: number; readonly uniform: number } | undefined {
    const found = this.#declared('types', block);
    if (found === undefined) return undefined;
    const { inductive } = found.library.layout;
    return {
      all: wholeNumber(inductive.of(found.value, 'parameters')),
      uniform: wholeNumber(inductive.of(found.value, 'uniform parameters')),
    };
  }

  /** What a constant stands for; undefined where nobody can look into it. @throws LibraryNeeded, MalformedValue */
  value(constant: string): Term | undefined {
    const found = this.#declared('constants', constant);
    if (found === undefined) return undefined;
    const body = found.library.layout.constant.of(found.value, 'body');
    return hasTag(body, BODY.transparent) ? found.library.reader.term(field(body, 0)) : undefined;
  }

  #type({ block, place }: TypeName): OcamlValue | undefined {
    const found = this.#declared('types', block);
    return found && elementsOf(found.library.layout.inductive.of(found.value, 'types'))[place];
  }

  #declared(
    kind: 'constants' | 'types',
    name: string,
  ): { readonly library: Library; readonly value: OcamlValue } | undefined {
    const binding = libraryBinding(name);
    const library = this.#library(binding ?? libraryOf(name));
    const value = library?.[kind].get(binding === undefined ? insideOf(name) : name);
    return library === undefined || value === undefined ? undefined : { library, value };
  }

  #library(name: string): Library | undefined {
    if (!this.#libraries.has(name)) throw new LibraryNeeded(name);
    return this.#libraries.get(name);
  }
}

function indexed(file: CompiledFile): Library {
  const { layout } = compiledLibrary(file);
  const constants = new Map<string, OcamlValue | undefined>();
  const types = new Map<string, OcamlValue | undefined>();
  for (const { name, kind, value } of declarationsIn(file)) {
    if (kind === 'constant') constants.set(name, value);
    if (kind === 'inductive') types.set(name, value);
  }
  for (const { name, kind, value } of declaredByParameters(file)) {
    const declared = kind === 'constant' ? constants : types;
    const known = declared.get(name);
    declared.set(
      name,
      declared.has(name) && !(known !== undefined && isSame(known, value)) ? undefined : value,
    );
  }
  return { layout, reader: new TermReader(layout), constants, types };
}

/** Whether two values are written alike. @param alike what was found to be, since values are shared. */
function isSame(one: OcamlValue, other: OcamlValue, alike = new Map<Block, Block>()): boolean {
  if (!(one instanceof Block) || !(other instanceof Block)) return one === other;
  if (one === other || alike.get(one) === other) return true;
  const isIt =
    one.tag === other.tag &&
    one.fields.length === other.fields.length &&
    one.fields.every((part, place) => isSame(part, field(other, place), alike));
  if (isIt) alike.set(one, other);
  return isIt;
}
