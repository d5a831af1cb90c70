/**
 * Small environments for tests, written in a syntax near to Lean's: `∀ (n : Nat), Eq.{1} Nat n n`, `fun (x : A) =>
 * b`, `A → B`, `let x : A := v; b`, `Sort u`, `Type`, `Prop`, numbers, strings, and `proj(S, 0, t)` for a raw
 * projection.
 */
import type {
  ConstructorConstant,
  Declaration,
  DefinitionConstant,
  InductiveBlock,
  InductiveConstant,
} from '../declaration.ts';
import { Environment } from '../environment.ts';
import type { Expression } from '../expression.ts';
import type { KernelAnswer } from '../kernel/answer.ts';
import type { KernelLimits } from '../kernel/kernel.ts';
import { Kernel } from '../kernel/kernel.ts';
import type { Level } from '../level.ts';
import type { Name } from '../name.ts';
import { TermStore } from '../term-store.ts';

export interface WrittenType {
  readonly name: string;
  readonly type: string;
  /** Names without that of the type, and types. */
  readonly constructors: Readonly<Record<string, string>>;
}

export class WrittenEnvironment {
  readonly store: TermStore;
  readonly environment = new Environment();
  readonly kernel: Kernel;

  constructor(limits?: KernelLimits, store = new TermStore()) {
    this.store = store;
    this.kernel = new Kernel(this.store, this.environment, limits);
  }

  /** A kernel whose environment has what is here except a type and what has its name as prefix, over the same terms. */
  withoutBlock(type: string): Kernel {
    const environment = new Environment();
    const name = this.name(type);
    for (const constant of this.environment.values()) {
      if (constant.name !== name && constant.name.prefix !== name) environment.add(constant);
    }
    return new Kernel(this.store, environment);
  }

  name(text: string): Name {
    return this.store.names.parse(text);
  }

  term(text: string): Expression {
    return new TermReader(this.store, text).read();
  }

  add(declaration: Declaration): KernelAnswer {
    return this.kernel.add(declaration);
  }

  axiom(name: string, type: string, levels: readonly string[] = []): KernelAnswer {
    return this.add({ kind: 'axiom', ...this.#constant(name, type, levels), isUnsafe: false });
  }

  define(name: string, type: string, value: string, levels: readonly string[] = []): KernelAnswer {
    return this.add(this.definition(name, type, value, levels));
  }

  definition(name: string, type: string, value: string, levels: readonly string[] = []): DefinitionConstant {
    const hints = { kind: 'regular', height: 1 } as const;
    const constant = this.#constant(name, type, levels);
    return {
      kind: 'definition',
      ...constant,
      value: this.term(value),
      hints,
      safety: 'safe',
      all: [constant.name],
    };
  }

  theorem(name: string, type: string, value: string, levels: readonly string[] = []): KernelAnswer {
    const constant = this.#constant(name, type, levels);
    return this.add({ kind: 'theorem', ...constant, value: this.term(value), all: [constant.name] });
  }

  opaque(name: string, type: string, value: string): KernelAnswer {
    const constant = this.#constant(name, type, []);
    return this.add({
      kind: 'opaque',
      ...constant,
      value: this.term(value),
      all: [constant.name],
      isUnsafe: false,
    });
  }

  inductive(parameterCount: number, type: WrittenType, levels: readonly string[] = []): KernelAnswer {
    return this.add(this.block(parameterCount, [type], levels));
  }

  /**
   * A block without recursors, which the kernel makes. What the block says about itself is counted here from what
   * is written, for types that are not nested; `claims` replaces some of it.
   */
  block(
    parameterCount: number,
    types: readonly WrittenType[],
    levels: readonly string[] = [],
    claims: Partial<Pick<InductiveConstant, 'nestedCount' | 'isRecursive' | 'isReflexive'>> = {},
  ): InductiveBlock {
    const all = types.map(({ name }) => this.name(name));
    const written = types.map(({ constructors }) =>
      Object.values(constructors).map((text) => this.term(text)),
    );
    const recursive = written
      .flat()
      .flatMap((type) => binderTypes(type).filter((part) => mentions(part, all)));
    return {
      kind: 'inductive-block',
      types: types.map((type): InductiveConstant => {
        const constant = this.#constant(type.name, type.type, levels);
        return {
          kind: 'inductive',
          ...constant,
          parameterCount,
          indexCount: binderTypes(constant.type).length - parameterCount,
          all,
          constructors: Object.keys(type.constructors).map((short) => constant.name.child(short)),
          nestedCount: 0,
          isRecursive: recursive.length > 0,
          isReflexive: recursive.some(({ kind }) => kind === 'pi'),
          isUnsafe: false,
          ...claims,
        };
      }),
      constructors: types.flatMap(({ name, constructors }) =>
        Object.entries(constructors).map(([short, text], index): ConstructorConstant => {
          const constant = this.#constant(`${name}.${short}`, text, levels);
          return {
            kind: 'constructor',
            ...constant,
            inductive: this.name(name),
            index,
            parameterCount,
            fieldCount: binderTypes(constant.type).length - parameterCount,
            isUnsafe: false,
          };
        }),
      ),
      recursors: [],
    };
  }

  #constant(name: string, type: string, levels: readonly string[]) {
    return {
      name: this.name(name),
      levelParameters: levels.map((level) => this.name(level)),
      type: this.term(type),
    };
  }
}

function binderTypes(type: Expression): Expression[] {
  return type.kind === 'pi' ? [type.type, ...binderTypes(type.body)] : [];
}

function mentions(term: Expression, names: readonly Name[]): boolean {
  switch (term.kind) {
    case 'constant':
      return names.includes(term.name);
    case 'application':
      return mentions(term.fn, names) || mentions(term.argument, names);
    case 'pi':
    case 'lambda':
      return mentions(term.type, names) || mentions(term.body, names);
    default:
      return false;
  }
}

const TOKEN = /\s*(=>|:=|→|∀|\.\{|"[^"]*"|\d+|[\p{L}_][\p{L}\p{N}_'.₀-₉]*(?<!\.)|[(){},:;+])/uy;

class TermReader {
  readonly #store: TermStore;
  readonly #tokens: string[] = [];
  #next = 0;
  /** The names of the binders around, the innermost last. */
  readonly #bound: string[] = [];

  constructor(store: TermStore, text: string) {
    this.#store = store;
    const pattern = new RegExp(TOKEN);
    const trimmed = text.trimEnd();
    while (pattern.lastIndex < trimmed.length) {
      const start = pattern.lastIndex;
      const token = pattern.exec(trimmed)?.[1];
      if (token === undefined) throw new Error(`Cannot read ${JSON.stringify(trimmed.slice(start))}`);
      this.#tokens.push(token);
    }
  }

  read(): Expression {
    const term = this.#term();
    if (this.#peek() !== undefined) throw new Error(`Left over: ${this.#tokens.slice(this.#next).join(' ')}`);
    return term;
  }

  #term(): Expression {
    const token = this.#peek();
    if (token === 'fun' || token === '∀') {
      this.#next++;
      return this.#binders(token);
    }
    if (token === 'let') {
      this.#next++;
      const name = this.#take();
      const type = this.#after(':');
      const value = this.#after(':=');
      this.#expect(';');
      return this.#store.let(this.#store.names.of(name), type, value, this.#under(name));
    }
    const left = this.#application();
    if (this.#peek() !== '→') return left;
    this.#next++;
    return this.#store.pi(this.#store.names.of('a'), left, this.#under(''));
  }

  #binders(kind: 'fun' | '∀'): Expression {
    if (this.#peek() !== '(') {
      this.#expect(kind === 'fun' ? '=>' : ',');
      return this.#term();
    }
    this.#expect('(');
    const name = this.#take();
    const type = this.#after(':');
    this.#expect(')');
    this.#bound.push(name);
    const body = this.#binders(kind);
    this.#bound.pop();
    const binder = this.#store.names.of(name);
    return kind === 'fun' ? this.#store.lambda(binder, type, body) : this.#store.pi(binder, type, body);
  }

  #application(): Expression {
    let result = this.#atom();
    if (result === undefined) throw new Error(`No term at ${String(this.#peek())}`);
    for (let next = this.#atom(); next !== undefined; next = this.#atom()) {
      result = this.#store.apply(result, next);
    }
    return result;
  }

  #atom(): Expression | undefined {
    const token = this.#peek();
    const store = this.#store;
    if (token === undefined || /^(=>|:=|→|∀|[){},:;+]|\.\{|fun|let)$/.test(token)) return undefined;
    this.#next++;
    if (token === '(') {
      const term = this.#term();
      this.#expect(')');
      return term;
    }
    if (/^\d/.test(token)) return store.natural(BigInt(token));
    if (token.startsWith('"')) return store.string(token.slice(1, -1));
    if (token === 'Prop') return store.sort(store.levels.zero);
    if (token === 'Type') return store.sort(store.levels.successor(this.#levelAtom() ?? store.levels.zero));
    if (token === 'Sort') return store.sort(this.#levelAtom() ?? store.levels.zero);
    if (token === 'proj') {
      this.#expect('(');
      const structure = store.names.parse(this.#take());
      this.#expect(',');
      const index = Number(this.#take());
      this.#expect(',');
      const subject = this.#term();
      this.#expect(')');
      return store.projection(structure, index, subject);
    }
    const position = this.#bound.lastIndexOf(token);
    if (position >= 0) return store.bound(this.#bound.length - 1 - position);
    return store.constant(store.names.parse(token), this.#levels());
  }

  #levels(): Level[] {
    if (this.#peek() !== '.{') return [];
    this.#next++;
    const levels = [this.#level()];
    while (this.#peek() === ',') {
      this.#next++;
      levels.push(this.#level());
    }
    this.#expect('}');
    return levels;
  }

  #level(): Level {
    const token = this.#peek();
    if (token === 'max' || token === 'imax') {
      this.#next++;
      const [left, right] = [this.#levelAtom(), this.#levelAtom()];
      if (left === undefined || right === undefined) throw new Error('A maximum needs two levels');
      return token === 'max' ? this.#store.levels.max(left, right) : this.#store.levels.imax(left, right);
    }
    let level = this.#levelAtom();
    if (level === undefined) throw new Error('No level');
    while (this.#peek() === '+') {
      this.#next++;
      for (let count = Number(this.#take()); count > 0; count--) level = this.#store.levels.successor(level);
    }
    return level;
  }

  #levelAtom(): Level | undefined {
    const token = this.#peek();
    const { levels, names } = this.#store;
    if (token === '(') {
      this.#next++;
      const level = this.#level();
      this.#expect(')');
      return level;
    }
    if (token === undefined || !/^(\d+|[a-z]\w*)$/.test(token)) return undefined;
    this.#next++;
    if (!/^\d/.test(token)) return levels.parameter(names.of(token));
    let level: Level = levels.zero;
    for (let count = Number(token); count > 0; count--) level = levels.successor(level);
    return level;
  }

  #under(name: string): Expression {
    this.#bound.push(name);
    const body = this.#term();
    this.#bound.pop();
    return body;
  }

  #after(token: string): Expression {
    this.#expect(token);
    return this.#term();
  }

  #peek(): string | undefined {
    return this.#tokens[this.#next];
  }

  #take(): string {
    const token = this.#tokens[this.#next++];
    if (token === undefined) throw new Error('The text ends too soon');
    return token;
  }

  #expect(token: string): void {
    const found = this.#take();
    if (found !== token) throw new Error(`${token} was expected, not ${found}`);
  }
}
