/**
 * Makes modules for tests, declaration by declaration, without checking them. Recursors are made by the kernel, which
 * is asked in an environment of its own.
 */
import type {
  ConstantDeclaration,
  ConstructorConstant,
  DefinitionConstant,
  InductiveConstant,
} from '../../declaration.ts';
import { Environment } from '../../environment.ts';
import type { Expression } from '../../expression.ts';
import { Kernel } from '../../kernel/kernel.ts';
import type { Name } from '../../name.ts';
import { type ModuleToWrite, type WriterSettings, writeModule } from '../../olean/testing/olean-writer.ts';
import { TermStore } from '../../term-store.ts';
import { parseTerm } from './term-syntax.ts';

export interface TypeToDeclare {
  readonly name: string;
  readonly type: string;
  readonly constructors?: Record<string, string>;
}

interface InductiveSettings {
  readonly levels?: string;
  readonly parameters?: number;
}

export class ModuleBuilder {
  readonly store: TermStore;
  readonly imports: string[];
  readonly constants: ConstantDeclaration[] = [];
  readonly entries: NonNullable<ModuleToWrite['entries']>[number][] = [];
  /** Names for the module's list of names, when it is to lie. */
  claimedNames: readonly Name[] | undefined;
  isModule = false;
  readonly #environment: Environment;
  readonly #kernel: Kernel;

  /** What is built on `base` may use its constants in inductive types. */
  constructor(imports: readonly string[] = [], base: readonly ModuleBuilder[] = []) {
    this.imports = [...imports];
    this.store = base[0]?.store ?? new TermStore();
    const known = new Map(
      base.flatMap(({ constants }) => constants).map((constant) => [constant.name, constant]),
    );
    this.#environment = new Environment((name) => known.get(name) ?? this.find(name));
    this.#kernel = new Kernel(this.store, this.#environment);
  }

  name(text: string): Name {
    return this.store.names.parse(text);
  }

  term(text: string): Expression {
    return parseTerm(text, this.store);
  }

  find(name: Name): ConstantDeclaration | undefined {
    return this.constants.find((constant) => constant.name === name);
  }

  add(...constants: readonly ConstantDeclaration[]): this {
    this.constants.push(...constants);
    return this;
  }

  axiom(name: string, type: string, levels = ''): this {
    return this.add({ ...this.#base(name, type, levels), kind: 'axiom', isUnsafe: false });
  }

  theorem(name: string, type: string, value: string, levels = ''): this {
    const base = this.#base(name, type, levels);
    return this.add({ ...base, kind: 'theorem', value: this.term(value), all: [base.name] });
  }

  definition(
    name: string,
    type: string,
    value: string,
    settings: { readonly levels?: string } & Partial<Pick<DefinitionConstant, 'safety' | 'hints'>> = {},
  ): this {
    const base = this.#base(name, type, settings.levels ?? '');
    return this.add({
      ...base,
      kind: 'definition',
      value: this.term(value),
      hints: settings.hints ?? { kind: 'regular', height: 1 },
      safety: settings.safety ?? 'safe',
      all: [base.name],
    });
  }

  opaque(name: string, type: string, value: string): this {
    const base = this.#base(name, type, '');
    return this.add({ ...base, kind: 'opaque', value: this.term(value), isUnsafe: false, all: [base.name] });
  }

  /** A theorem whose proof is `sorry`. */
  open(name: string, type: string, levels = ''): this {
    return this.theorem(name, type, `sorryAx.{0} (${type}) Bool.false`, levels);
  }

  /** A definition of a type in `Type` whose body is `sorry`. */
  hole(name: string, type: string): this {
    return this.definition(name, type, `sorryAx.{1} (${type}) Bool.false`);
  }

  inductive(type: TypeToDeclare, settings: InductiveSettings = {}): this {
    return this.mutual([type], settings);
  }

  /** A block of types with the recursors that the kernel makes. Throws when it refuses the block. */
  mutual(types: readonly TypeToDeclare[], { levels = '', parameters = 0 }: InductiveSettings = {}): this {
    const all = types.map(({ name }) => this.name(name));
    const guess = { indexCount: 0, nestedCount: 0, isRecursive: false, isReflexive: false };
    const typeConstants = types.map(({ name, type, constructors = {} }): InductiveConstant => {
      const base = this.#base(name, type, levels);
      return {
        ...base,
        kind: 'inductive',
        parameterCount: parameters,
        all,
        constructors: Object.keys(constructors).map((one) => this.name(`${name}.${one}`)),
        isUnsafe: false,
        ...guess,
      };
    });
    const constructors = types.flatMap(({ name, constructors: ofType = {} }) =>
      Object.entries(ofType).map(([one, type], index): ConstructorConstant => {
        const base = this.#base(`${name}.${one}`, type, levels);
        let binders = 0;
        for (let rest = base.type; rest.kind === 'pi'; rest = rest.body) binders++;
        return {
          ...base,
          kind: 'constructor',
          inductive: this.name(name),
          index,
          parameterCount: parameters,
          fieldCount: binders - parameters,
          isUnsafe: false,
        };
      }),
    );
    // The kernel compares what it finds with what is claimed; the few claims are tried out.
    for (const claim of claims()) {
      const claimed = typeConstants.map((type) => ({ ...type, ...claim }));
      const known = new Set(this.constants.map(({ name }) => name));
      const answer = this.#kernel.add({
        kind: 'inductive-block',
        types: claimed,
        constructors,
        recursors: [],
      });
      if (answer.kind !== 'accepted') continue;
      const made = [...this.#environment.values()].filter(
        (constant) => !known.has(constant.name) && belongs(constant, all),
      );
      return this.add(...made);
    }
    throw new Error(`the kernel refuses ${all.map(String).join(', ')}`);
  }

  /** Replaces fields of a constant that was added. */
  change<Kind extends ConstantDeclaration['kind']>(
    name: string,
    kind: Kind,
    changes: Partial<Extract<ConstantDeclaration, { readonly kind: Kind }>>,
  ): this {
    const index = this.constants.findIndex((constant) => constant.name === this.name(name));
    const constant = this.constants[index];
    if (constant?.kind !== kind) throw new Error(`no ${kind} ${name}`);
    this.constants[index] = { ...constant, ...changes };
    return this;
  }

  remove(name: string): this {
    const index = this.constants.findIndex((constant) => constant.name === this.name(name));
    if (index < 0) throw new Error(`no ${name}`);
    this.constants.splice(index, 1);
    return this;
  }

  bytes(settings: WriterSettings = {}): Uint8Array {
    return writeModule(
      {
        imports: this.imports.map((name) => this.name(name)),
        constants: this.constants,
        entries: this.entries,
        isModule: this.isModule,
        ...(this.claimedNames && { claimedNames: this.claimedNames }),
      },
      settings,
    );
  }

  #base(
    name: string,
    type: string,
    levels: string,
  ): Pick<ConstantDeclaration, 'name' | 'levelParameters' | 'type'> {
    return {
      name: this.name(name),
      levelParameters: levels
        .split(' ')
        .filter(Boolean)
        .map((level) => this.name(level)),
      type: this.term(type),
    };
  }
}

function* claims(): Generator<Partial<InductiveConstant>> {
  for (let nestedCount = 0; nestedCount < 3; nestedCount++) {
    for (let indexCount = 0; indexCount < 4; indexCount++) {
      for (const isRecursive of [false, true]) {
        for (const isReflexive of isRecursive ? [false, true] : [false]) {
          yield { nestedCount, indexCount, isRecursive, isReflexive };
        }
      }
    }
  }
}

function belongs(constant: ConstantDeclaration, all: readonly Name[]): boolean {
  switch (constant.kind) {
    case 'inductive':
      return all.includes(constant.name);
    case 'constructor':
      return all.includes(constant.inductive);
    case 'recursor':
      return constant.all.some((name) => all.includes(name));
    case 'axiom':
    case 'definition':
    case 'theorem':
    case 'opaque':
    case 'quotient':
      return false;
  }
}
