/**
 * The modules that a module imports, directly or not. Modules are opened when somebody looks at them: looking a
 * constant up walks the imports in breadth, opening one module after the other until the name is found.
 */
import { QuodError } from '../../../core/errors.ts';
import { appendAll } from '../../../core/lists/many.ts';
import type { ConstantDeclaration } from '../declaration.ts';
import type { Name } from '../name.ts';
import type { CompiledModule } from './module.ts';
import { type FoundModule, type SearchRoot, findModule } from './search-path.ts';

export interface ImportedModule extends FoundModule {
  readonly name: Name;
  readonly module: CompiledModule;
}

export class ImportGraph {
  readonly roots: readonly SearchRoot[];
  readonly #open: (path: string) => CompiledModule;
  /** In breadth-first order, as far as the imports were followed. */
  readonly #reached = new Map<Name, ImportedModule>();
  readonly #pending: Name[];
  #followed = 0;
  readonly #missing: Name[] = [];
  readonly #index = new Map<Name, ImportedModule>();
  /** Modules that are opened but whose names are not in the index yet. */
  readonly #unread: ImportedModule[] = [];

  /** The imports of `module`, to be found in `roots`. */
  constructor(module: CompiledModule, roots: readonly SearchRoot[], open: (path: string) => CompiledModule) {
    this.roots = roots;
    this.#open = open;
    this.#pending = module.imports.map((imported) => imported.module);
  }

  /** All imported modules; throws, naming them, when some cannot be found. */
  closure(): readonly ImportedModule[] {
    for (let next = this.#next(); next !== undefined; next = this.#next()) this.#unread.push(next);
    if (this.#missing.length > 0) throw missingModules(this.#missing, this.roots);
    return [...this.#reached.values()];
  }

  /** The imported constant of this name. */
  find(name: Name): ConstantDeclaration | undefined {
    return this.moduleOf(name)?.module.find(name);
  }

  /** The first imported module that has a constant of this name; only modules that are looked through are opened. */
  moduleOf(name: Name): ImportedModule | undefined {
    for (;;) {
      const module = this.#index.get(name);
      if (module !== undefined) return module;
      const next = this.#unread.shift() ?? this.#next();
      if (next === undefined) break;
      for (const constant of next.module.names.keys()) {
        if (!this.#index.has(constant)) this.#index.set(constant, next);
      }
    }
    if (this.#missing.length > 0) throw missingModules(this.#missing, this.roots);
    return undefined;
  }

  /** How many modules were opened so far. */
  get openedCount(): number {
    return this.#reached.size;
  }

  #next(): ImportedModule | undefined {
    for (;;) {
      const name = this.#pending[this.#followed];
      if (name === undefined) return undefined;
      this.#followed++;
      if (this.#reached.has(name) || this.#missing.includes(name)) continue;
      const found = findModule(this.roots, name);
      if (found === undefined) {
        this.#missing.push(name);
        continue;
      }
      const imported = { ...found, name, module: this.#open(found.path) };
      this.#reached.set(name, imported);
      appendAll(
        this.#pending,
        imported.module.imports.map((one) => one.module),
      );
      return imported;
    }
  }
}

const SHOWN = 10;

function missingModules(missing: readonly Name[], roots: readonly SearchRoot[]): QuodError {
  const names = missing.slice(0, SHOWN).map((name) => name.toString());
  const more = missing.length > SHOWN ? ` and ${missing.length - SHOWN} more` : '';
  return new QuodError(
    'library-missing',
    `The imported modules ${names.join(', ')}${more} were not found in ${roots.map((root) => root.folder).join(', ') || 'any folder'}.`,
    { remedy: 'Name the folder that has them with --search-path or LEAN_PATH.' },
  );
}
