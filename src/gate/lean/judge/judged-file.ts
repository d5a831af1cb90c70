/**
 * A compiled module that is judged, with what it imports divided in two: modules that are taken as they are, and modules
 * that are checked like the module itself. Names are looked up in both.
 */
import { realpathSync } from 'node:fs';
import { QuodError } from '../../../core/errors.ts';
import type { ConstantDeclaration } from '../declaration.ts';
import type { Name } from '../name.ts';
import type { TermStore } from '../term-store.ts';
import { ImportGraph, type ImportedModule } from '../olean/import-graph.ts';
import { CompiledModule } from '../olean/module.ts';
import { type SearchSettings, findModule, searchRoots } from '../olean/search-path.ts';

/** Modules that were opened, by real path, so that target and submission share what they both import. */
export class ModuleShelf {
  readonly store: TermStore;
  readonly #modules = new Map<string, CompiledModule>();

  constructor(store: TermStore) {
    this.store = store;
  }

  open(path: string): CompiledModule {
    const real = realpathSync(path);
    let module = this.#modules.get(real);
    if (module === undefined) {
      module = CompiledModule.open(real, this.store);
      this.#modules.set(real, module);
    }
    return module;
  }
}

export interface FileDigest {
  readonly path: string;
  readonly sha256: string;
}

export class JudgedFile {
  readonly path: string;
  readonly module: CompiledModule;
  readonly graph: ImportGraph;
  /** The parts of the module with what they contained when they were read. */
  readonly digests: readonly FileDigest[];
  #trusted: readonly ImportedModule[] = [];
  #checked: readonly ImportedModule[] = [];
  readonly #trustedPlaces = new Map<Name, CompiledModule>();
  readonly #places = new Map<Name, CompiledModule>();

  /** Reads the whole file at once; what is judged is what was read. */
  constructor(path: string, shelf: ModuleShelf, settings: SearchSettings) {
    this.path = path;
    this.module = CompiledModule.open(path, shelf.store, { whole: true });
    this.digests = this.module.files.map((file) => ({ path: file.path, sha256: file.sha256() }));
    this.graph = new ImportGraph(this.module, searchRoots(path, settings), (file) => shelf.open(file));
  }

  /** Of the file that was named. */
  get firstDigest(): FileDigest {
    const [first] = this.digests;
    if (first === undefined) throw new QuodError('internal', `${this.path} was read and has no files.`);
    return first;
  }

  /** Modules taken as they are. */
  get trusted(): readonly ImportedModule[] {
    return this.#trusted;
  }

  /** Imported modules to be checked, each after what it imports. */
  get checked(): readonly ImportedModule[] {
    return this.#checked;
  }

  /** Follows all imports (throwing when some are missing) and divides them. */
  divideImports(isTrusted: (module: ImportedModule) => boolean): void {
    const closure = this.graph.closure();
    this.#trusted = closure.filter(isTrusted);
    this.#checked = inImportOrder(closure).filter((module) => !this.#trusted.includes(module));
    for (const { module } of this.#trusted) {
      for (const name of module.names.keys()) this.#trustedPlaces.set(name, module);
    }
    for (const { module } of this.#checked) {
      for (const name of module.names.keys()) this.#places.set(name, module);
    }
    for (const name of this.module.names.keys()) this.#places.set(name, this.module);
  }

  /** A constant of the modules that are taken as they are. */
  findTrusted(name: Name): ConstantDeclaration | undefined {
    return this.#trustedPlaces.get(name)?.find(name);
  }

  /** Where a name is declared; the kernel refuses files in which there is more than one place. */
  placeOf(name: Name): CompiledModule | undefined {
    return this.#places.get(name) ?? this.#trustedPlaces.get(name);
  }

  find(name: Name): ConstantDeclaration | undefined {
    return this.placeOf(name)?.find(name);
  }

  /** Whether a module that another file imports is a library for this file, too: installed, and the very same file. */
  hasInstalled({ name, path }: ImportedModule): boolean {
    const found = findModule(this.graph.roots, name);
    return (
      found !== undefined &&
      (found.root.origin === 'toolchain' || found.root.origin === 'package') &&
      realpathSync(found.path) === realpathSync(path)
    );
  }
}

/** Each module after those that it imports. */
function inImportOrder(closure: readonly ImportedModule[]): ImportedModule[] {
  const byName = new Map(closure.map((module) => [module.name, module]));
  const ordered: ImportedModule[] = [];
  const state = new Map<ImportedModule, 'open' | 'done'>();
  for (const root of closure) {
    const pending = [root];
    for (let module = pending.at(-1); module !== undefined; module = pending.at(-1)) {
      if (state.has(module)) {
        pending.pop();
        if (state.get(module) === 'open') ordered.push(module);
        state.set(module, 'done');
        continue;
      }
      state.set(module, 'open');
      for (const { module: name } of module.module.imports) {
        const imported = byName.get(name);
        if (imported === undefined || state.get(imported) === 'done') continue;
        if (state.get(imported) === 'open')
          throw new QuodError('invalid-input', `The module ${name.toString()} imports itself.`, {
            place: { file: imported.path },
          });
        pending.push(imported);
      }
    }
  }
  return ordered;
}
