/**
 * One compiled module: its imports, its constants and what its extensions stored, each read when it is asked for.
 *
 * Since Lean 4.22 a module may consist of three files; the exported first one shows theorems as axioms and leaves out
 * private bodies. Such a module is read from all three or not at all.
 */
import { existsSync } from 'node:fs';
import { QuodError } from '../../../core/errors.ts';
import { at } from '../at.ts';
import type { ConstantDeclaration } from '../declaration.ts';
import type { Name } from '../name.ts';
import type { TermStore } from '../term-store.ts';
import { readConstant, readConstantName, readUses } from './declaration-reader.ts';
import { FileBytes } from './file-bytes.ts';
import { type ObjectAddress, ObjectGraph, type Slot } from './object-graph.ts';
import { TermReader } from './term-reader.ts';

/** What is written after the name of the first file to get those of the others. */
export const FURTHER_PARTS = ['.server', '.private'] as const;

export interface ModuleImport {
  readonly module: Name;
  /** Brings private constants into sight, too (`import all`). */
  readonly importAll: boolean;
}

/** Where something is stored for an environment extension, by the name of the extension. */
export interface ExtensionEntries {
  readonly extension: Name;
  /** Slots of the entries in the object graph, and the array that has them. */
  readonly slots: readonly Slot[];
  readonly array: ObjectAddress;
}

export class CompiledModule {
  readonly files: readonly FileBytes[];
  readonly graph: ObjectGraph;
  readonly terms: TermReader;
  readonly isModule: boolean;
  readonly constantCount: number;
  readonly #root: ObjectAddress;
  readonly #names: ObjectAddress;
  readonly #constants: ObjectAddress;
  readonly #read: (ConstantDeclaration | undefined)[] = [];
  #index: Map<Name, number> | undefined;
  #imports: readonly ModuleImport[] | undefined;

  /** `files` are all parts; the checks that only need the first few words are made here. */
  constructor(files: readonly FileBytes[], store: TermStore) {
    this.files = files;
    const graph = new ObjectGraph(files);
    this.graph = graph;
    this.terms = new TermReader(graph, store);
    this.#root = openRoot(graph, graph.rootSlot);
    this.isModule = readsAsModule(graph, this.#root);
    if (this.isModule !== files.length > 1)
      throw graph.error(this.#root, 'the parts of the module do not agree on whether there are several.');
    this.#names = graph.pointer(graph.field(this.#root, 1), this.#root, 'the names of constants');
    this.#constants = graph.pointer(graph.field(this.#root, 2), this.#root, 'the constants');
    this.constantCount = graph.arrayLength(this.#constants, 'the constants');
    if (graph.arrayLength(this.#names, 'the names of constants') !== this.constantCount)
      throw graph.error(this.#names, 'there are not as many names as constants.');
  }

  /** Opens the module whose first file is at `path`; `whole` reads everything at once. */
  static open(path: string, store: TermStore, { whole = false } = {}): CompiledModule {
    const open = (file: string): FileBytes => (whole ? FileBytes.readWhole(file) : FileBytes.open(file));
    const first = open(path);
    const graph = new ObjectGraph([first]);
    if (!readsAsModule(graph, openRoot(graph, graph.rootSlot))) return new CompiledModule([first], store);
    const parts = FURTHER_PARTS.map((part) => path + part);
    const missing = parts.filter((part) => !existsSync(part));
    if (missing.length > 0)
      throw new QuodError('not-found', `The module lacks ${missing.join(' and ')}.`, {
        place: { file: path },
        remedy: 'Copy all three files of the module: the first alone does not have the proofs.',
      });
    return new CompiledModule([first, ...parts.map(open)], store);
  }

  get path(): string {
    return at(this.files, 0, 'file of the module').path;
  }

  get imports(): readonly ModuleImport[] {
    return (this.#imports ??= this.#readImports());
  }

  constantName(index: number): Name {
    return this.terms.name(this.graph.element(this.#names, index), this.#names);
  }

  constant(index: number): ConstantDeclaration {
    const known = this.#read[index];
    if (known !== undefined) return known;
    const { graph, terms } = this;
    const slot = graph.element(this.#constants, index);
    const constant = terms.store.permanently(() => {
      if (readConstantName(terms, slot, this.#constants) !== this.constantName(index))
        throw graph.error(
          slot,
          `the constant is not named ${this.constantName(index).toString()}, as the list of names says.`,
        );
      return readConstant(terms, slot, this.#constants);
    });
    this.#read[index] = constant;
    return constant;
  }

  /** What a constant rests on, without decoding it. */
  uses(index: number): ReturnType<typeof readUses> {
    const { graph, terms } = this;
    const seen = new Set<ObjectAddress>();
    return readUses(terms, graph.element(this.#constants, index), this.#constants, (object) => {
      if (seen.has(object)) return true;
      seen.add(object);
      return false;
    });
  }

  find(name: Name): ConstantDeclaration | undefined {
    const index = this.names.get(name);
    return index === undefined ? undefined : this.constant(index);
  }

  /** The names of all constants, with their number. Two constants of one name are an error. */
  get names(): ReadonlyMap<Name, number> {
    if (this.#index === undefined) {
      const index = new Map<Name, number>();
      for (let number = 0; number < this.constantCount; number++) {
        const name = this.constantName(number);
        if (index.has(name))
          throw this.graph.error(
            this.graph.element(this.#names, number),
            `a second constant of the name ${name.toString()}.`,
          );
        index.set(name, number);
      }
      this.#index = index;
    }
    return this.#index;
  }

  *constants(): Generator<ConstantDeclaration> {
    for (let index = 0; index < this.constantCount; index++) yield this.constant(index);
  }

  /** What extensions stored, over all parts; nothing of it is decoded. */
  *extensionEntries(): Generator<ExtensionEntries> {
    for (const part of this.files.keys()) {
      const { graph, terms } = this;
      const root = openRoot(graph, graph.rootSlotOf(part));
      const list = graph.pointer(graph.field(root, 4), root, 'the entries of extensions');
      const count = graph.arrayLength(list, 'the entries of extensions');
      for (let number = 0; number < count; number++) {
        const pair = graph.pointer(graph.element(list, number), list, 'the entries of an extension');
        graph.constructorOf(pair, 0, 2, 24, 'the entries of an extension');
        const array = graph.pointer(graph.field(pair, 1), pair, 'the entries of an extension');
        const length = graph.arrayLength(array, 'the entries of an extension');
        yield {
          extension: terms.name(graph.field(pair, 0), pair),
          slots: Array.from({ length }, (_, index) => graph.element(array, index)),
          array,
        };
      }
    }
  }

  #readImports(): ModuleImport[] {
    const { graph, terms } = this;
    const array = graph.pointer(graph.field(this.#root, 0), this.#root, 'the imports');
    return Array.from({ length: graph.arrayLength(array, 'the imports') }, (_, index) => {
      const object = graph.pointer(graph.element(array, index), array, 'an import');
      graph.constructorOf(object, 0, 1, 24, 'an import');
      // Until 4.18 the first byte was `runtimeOnly`, which no finished module has set.
      return {
        module: terms.name(graph.field(object, 0), object),
        importAll: terms.flag(object, 1, 0, 'importAll'),
      };
    });
  }
}

/** The root object: imports, names, constants, extra names, entries; since 4.20 also whether it has parts. */
function openRoot(graph: ObjectGraph, slot: Slot): ObjectAddress {
  const root = graph.pointer(slot, undefined, 'the root');
  const size = graph.size(root) === 48 ? 48 : 56;
  graph.constructorOf(root, 0, 5, size, 'the root of the module');
  return root;
}

function readsAsModule(graph: ObjectGraph, root: ObjectAddress): boolean {
  if (graph.size(root) === 48) return false;
  const byte = graph.scalarByte(root, 5, 0);
  if (byte > 1) throw graph.error(root + 48, 'a flag that is neither true nor false.');
  return byte === 1;
}
