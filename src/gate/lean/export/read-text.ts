/**
 * Reads lean4export's older text format, version 2. Its lines give types, constructors and recursors of an
 * inductive block apart, and leave out recursors that nothing uses: the blocks are put together when the whole file
 * was read.
 */
import { QuodError } from '../../../core/errors.ts';
import type {
  ConstructorConstant,
  Declaration,
  InductiveConstant,
  QuotientConstant,
  RecursorConstant,
  RecursorRule,
  ReducibilityHints,
} from '../declaration.ts';
import type { BinderInfo } from '../expression.ts';
import type { Name } from '../name.ts';
import type { TermStore } from '../term-store.ts';
import { shownValue } from './json-line.ts';
import { TermNumbers } from './term-numbers.ts';
import { TextLine } from './text-line.ts';

// Maps: a file may say `constructor` or `toString`, which every object has.
const BINDER_INFOS: ReadonlyMap<string, BinderInfo> = new Map([
  ['#BD', 'default'],
  ['#BI', 'implicit'],
  ['#BS', 'strictImplicit'],
  ['#BC', 'instImplicit'],
]);

const QUOTIENT_ROLES: ReadonlyMap<string, QuotientConstant['role']> = new Map([
  ['Quot', 'type'],
  ['Quot.mk', 'constructor'],
  ['Quot.lift', 'lift'],
  ['Quot.ind', 'induction'],
]);

export const VERSION = /^\d{1,4}(?:\.\d{1,4}){0,3}\s*$/u;

export function* readTextExport(
  versionLine: string,
  lines: Iterable<string>,
  store: TermStore,
): Generator<Declaration> {
  if (!/^2\.\d+\.\d+\s*$/.test(versionLine)) {
    // What is no export may be anything, also what its reader may not see.
    const problem = VERSION.test(versionLine)
      ? `An export cannot begin with ${shownValue(versionLine.trim())}.`
      : 'The file is no export: its first line is neither a version nor JSON.';
    throw new QuodError('unsupported', problem, {
      remedy: 'Quod reads NDJSON of lean4export 3 and the text format of version 2.',
    });
  }
  const reader = new TextReader(store);
  // In a file with the line ends of Windows, as git can make them, none of them is the last letter of a name.
  const hasReturns = versionLine.endsWith('\r');
  for (const line of lines) reader.read(hasReturns && line.endsWith('\r') ? line.slice(0, -1) : line);
  reader.end();
  yield* reader.declarations();
}

class TextReader {
  readonly #numbers: TermNumbers;
  readonly #rules = new Map<number, RecursorRule>();
  /** In the order of the file; a block stands where its last constructor does. */
  readonly #declarations: (Declaration | { readonly kind: 'block'; readonly all: readonly Name[] })[] = [];
  readonly #types = new Map<Name, InductiveConstant>();
  readonly #constructors = new Map<Name, ConstructorConstant>();
  readonly #recursors: RecursorConstant[] = [];
  #line: TextLine;

  constructor(store: TermStore) {
    this.#numbers = new TermNumbers(store);
    this.#numbers.line = 1;
    this.#line = new TextLine('', this.#numbers);
  }

  read(line: string): void {
    this.#numbers.line++;
    if (line.trim() === '') return;
    this.#line = new TextLine(line, this.#numbers);
    const first = this.#line.word();
    this.#numbers.awaitsDeclaration = !first.startsWith('#');
    if (!this.#numbers.awaitsDeclaration) this.#declaration(first);
    else this.#primitive(this.#line.numberOf(first), this.#line.word(), line);
  }

  /** To be called behind the last line: what was read must all be part of a declaration. */
  end(): void {
    this.#numbers.end();
    const listed = new Set(
      this.#declarations.flatMap((declaration) => (declaration.kind === 'block' ? declaration.all : [])),
    );
    const constructors = new Set([...listed].flatMap((name) => this.#known(this.#types, name).constructors));
    const stray =
      [...this.#types.keys()].find((name) => !listed.has(name)) ??
      [...this.#constructors.keys()].find((name) => !constructors.has(name)) ??
      this.#recursors.find(({ all: [first] }) => first === undefined || !listed.has(first))?.name;
    if (stray !== undefined)
      throw this.#numbers.malformed(
        `${stray.toString()} is of a block that is not complete: the export was cut`,
      );
  }

  *declarations(): Generator<Declaration> {
    for (const declaration of this.#declarations) {
      if (declaration.kind !== 'block') {
        yield declaration;
        continue;
      }
      const types = declaration.all.map((name) => this.#known(this.#types, name));
      yield {
        kind: 'inductive-block',
        types,
        constructors: types.flatMap((type) =>
          type.constructors.map((name) => this.#known(this.#constructors, name)),
        ),
        recursors: this.#recursors.filter((recursor) => recursor.all[0] === declaration.all[0]),
      };
    }
  }

  #known<Value>(table: ReadonlyMap<Name, Value>, name: Name): Value {
    const value = table.get(name);
    if (value === undefined)
      throw this.#numbers.malformed(`${name.toString()} of a block is not in the file`);
    return value;
  }

  #primitive(number: number, kind: string, line: string): void {
    const numbers = this.#numbers;
    const { store } = numbers;
    const name = () => numbers.name(this.#line.number());
    const level = () => numbers.level(this.#line.number());
    const term = () => numbers.term(this.#line.number());
    switch (kind) {
      case '#NS': {
        const prefix = name();
        // The component may hold spaces.
        const text = /^\S+ #NS \S+ (.*)$/s.exec(line)?.[1];
        numbers.setName(number, prefix.child(numbers.text(text)));
        return;
      }
      case '#NI':
        numbers.setName(number, name().child(numbers.natural(this.#line.word())));
        break;
      case '#US':
        numbers.setLevel(number, store.levels.successor(level()));
        break;
      case '#UM':
        numbers.setLevel(number, store.levels.max(level(), level()));
        break;
      case '#UIM':
        numbers.setLevel(number, store.levels.imax(level(), level()));
        break;
      case '#UP':
        numbers.setLevel(number, store.levels.parameter(name()));
        break;
      case '#EV':
        numbers.setTerm(number, store.bound(this.#line.number()));
        break;
      case '#ES':
        numbers.setTerm(number, store.sort(level()));
        break;
      case '#EC': {
        const constant = name();
        numbers.setTerm(number, store.constant(constant, numbers.levels(this.#line.numbersToEnd())));
        break;
      }
      case '#EA':
        numbers.setTerm(number, store.apply(term(), term()));
        break;
      case '#EL':
      case '#EP': {
        const info = this.#binderInfo();
        const make = kind === '#EL' ? store.lambda.bind(store) : store.pi.bind(store);
        numbers.setTerm(number, make(name(), term(), term(), info));
        break;
      }
      case '#EZ':
        numbers.setTerm(number, store.let(name(), term(), term(), term()));
        break;
      case '#EJ': {
        const structure = name();
        const index = this.#line.number();
        numbers.setTerm(number, store.projection(structure, index, term()));
        break;
      }
      case '#ELN':
        numbers.setTerm(number, store.natural(numbers.natural(this.#line.word())));
        break;
      case '#ELS':
        numbers.setTerm(number, store.string(this.#line.hexText()));
        break;
      case '#RR': {
        const rule = { constructor: name(), fieldCount: this.#line.number(), value: term() };
        if (this.#rules.has(number)) throw numbers.malformed(`the number ${number} is given twice`);
        this.#rules.set(number, rule);
        break;
      }
      default:
        throw numbers.malformed(`${shownValue(kind)} is not known`);
    }
    this.#line.end();
  }

  #declaration(kind: string): void {
    const numbers = this.#numbers;
    const name = numbers.name(this.#line.number());
    const type = numbers.term(this.#line.number());
    const value = () => numbers.term(this.#line.number());
    const levelParameters = () => numbers.names(this.#line.numbersToEnd());
    switch (kind) {
      case '#AX':
        this.#declarations.push({
          kind: 'axiom',
          name,
          type,
          levelParameters: levelParameters(),
          isUnsafe: false,
        });
        break;
      case '#DEF': {
        const common = { kind: 'definition', name, type, value: value(), hints: this.#hints() } as const;
        this.#declarations.push({
          ...common,
          levelParameters: levelParameters(),
          safety: 'safe',
          all: [name],
        });
        break;
      }
      case '#THM': {
        const common = { kind: 'theorem', name, type, value: value() } as const;
        this.#declarations.push({ ...common, levelParameters: levelParameters(), all: [name] });
        break;
      }
      case '#OPAQ': {
        const common = { kind: 'opaque', name, type, value: value() } as const;
        this.#declarations.push({
          ...common,
          levelParameters: levelParameters(),
          isUnsafe: false,
          all: [name],
        });
        break;
      }
      case '#QUOT': {
        const role = QUOTIENT_ROLES.get(name.toString());
        if (role === undefined) throw numbers.malformed(`${name.toString()} is no constant of quotients`);
        this.#declarations.push({ kind: 'quotient', name, type, levelParameters: levelParameters(), role });
        break;
      }
      case '#IND': {
        const constant: InductiveConstant = {
          kind: 'inductive',
          name,
          type,
          isReflexive: this.#line.flag(),
          isRecursive: this.#line.flag(),
          nestedCount: this.#line.number(),
          parameterCount: this.#line.number(),
          indexCount: this.#line.number(),
          all: this.#line.counted().map((number) => numbers.name(number)),
          constructors: this.#line.counted().map((number) => numbers.name(number)),
          levelParameters: levelParameters(),
          isUnsafe: false,
        };
        if (this.#types.has(name)) throw numbers.malformed(`${name.toString()} is declared twice`);
        this.#types.set(name, constant);
        this.#blockIfComplete(constant.all);
        break;
      }
      case '#CTOR': {
        const constant: ConstructorConstant = {
          kind: 'constructor',
          name,
          type,
          inductive: numbers.name(this.#line.number()),
          index: this.#line.number(),
          parameterCount: this.#line.number(),
          fieldCount: this.#line.number(),
          levelParameters: levelParameters(),
          isUnsafe: false,
        };
        if (this.#constructors.has(name)) throw numbers.malformed(`${name.toString()} is declared twice`);
        this.#constructors.set(name, constant);
        this.#blockIfComplete(this.#known(this.#types, constant.inductive).all);
        break;
      }
      case '#REC': {
        const constant: RecursorConstant = {
          kind: 'recursor',
          name,
          type,
          all: this.#line.counted().map((number) => numbers.name(number)),
          parameterCount: this.#line.number(),
          indexCount: this.#line.number(),
          motiveCount: this.#line.number(),
          minorCount: this.#line.number(),
          rules: this.#line.counted().map((number) => this.#rule(number)),
          isK: this.#line.flag(),
          levelParameters: levelParameters(),
          isUnsafe: false,
        };
        this.#recursors.push(constant);
        break;
      }
      default:
        throw numbers.malformed(`${shownValue(kind)} is not known`);
    }
  }

  /** The block goes where its last part stands. */
  #blockIfComplete(all: readonly Name[]): void {
    const complete = all.every((name) => {
      const type = this.#types.get(name);
      return type?.constructors.every((constructor) => this.#constructors.has(constructor)) === true;
    });
    if (complete) this.#declarations.push({ kind: 'block', all });
  }

  #rule(number: number): RecursorRule {
    const rule = this.#rules.get(number);
    if (rule === undefined) throw this.#numbers.malformed(`no rule has the number ${number}`);
    return rule;
  }

  #hints(): ReducibilityHints {
    const kind = this.#line.word();
    switch (kind) {
      case 'O':
        return { kind: 'opaque' };
      case 'A':
        return { kind: 'abbreviation' };
      case 'R':
        return { kind: 'regular', height: this.#line.number() };
      default:
        throw this.#numbers.malformed(`${shownValue(kind)} is no hint`);
    }
  }

  #binderInfo(): BinderInfo {
    const word = this.#line.word();
    const info = BINDER_INFOS.get(word);
    if (info === undefined) throw this.#numbers.malformed(`${shownValue(word)} is no binder info`);
    return info;
  }
}
