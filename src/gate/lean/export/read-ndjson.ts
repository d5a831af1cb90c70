/**
 * Reads lean4export's NDJSON, versions 3.0 and 3.1, one line at a time. `mdata` is dropped. Every field is checked: what does not
 * belong there is an error that names the line.
 */
import type {
  ConstructorConstant,
  Declaration,
  DefinitionConstant,
  DefinitionSafety,
  InductiveBlock,
  InductiveConstant,
  OpaqueConstant,
  QuotientConstant,
  RecursorConstant,
  RecursorRule,
  ReducibilityHints,
  TheoremConstant,
} from '../declaration.ts';
import type { BinderInfo } from '../expression.ts';
import type { TermStore } from '../term-store.ts';
import { TermNumbers } from './term-numbers.ts';

/** What the first line says about the file. */
export interface ExportOrigin {
  readonly format: string;
  readonly exporter: string;
  readonly lean: string;
}

type Fields = Readonly<Record<string, unknown>>;

const BINDER_INFOS: ReadonlySet<unknown> = new Set<BinderInfo>([
  'default',
  'implicit',
  'strictImplicit',
  'instImplicit',
]);

const QUOTIENT_ROLES = { type: 'type', ctor: 'constructor', lift: 'lift', ind: 'induction' } as const;

export class NdjsonReader {
  readonly #numbers: TermNumbers;
  #origin: ExportOrigin | undefined;

  constructor(store: TermStore) {
    this.#numbers = new TermNumbers(store);
  }

  /** Undefined until the first line was read. */
  get origin(): ExportOrigin | undefined {
    return this.#origin;
  }

  /** The declarations that the line completes: none for names, levels and terms. */
  read(line: string): readonly Declaration[] {
    const numbers = this.#numbers;
    numbers.line++;
    if (line.trim() === '') return [];
    let parsed: unknown;
    try {
      parsed = JSON.parse(line);
    } catch (error) {
      throw numbers.malformed('it is not JSON', error);
    }
    const fields = this.#fields(parsed);
    if (this.#origin === undefined) {
      this.#origin = this.#readOrigin(fields);
      return [];
    }
    if ('ie' in fields) numbers.setTerm(fields['ie'], this.#term(fields));
    else if ('in' in fields) this.#name(fields, line);
    else if ('il' in fields) this.#level(fields);
    else return this.#declarations(fields);
    return [];
  }

  #readOrigin(fields: Fields): ExportOrigin {
    if (fields['meta'] === undefined) {
      throw this.#numbers.malformed('the file does not begin with the meta object of lean4export 3');
    }
    const meta = this.#fields(fields['meta']);
    const { format, exporter, lean } = {
      format: this.#numbers.text(this.#fields(meta['format'])['version']),
      exporter: this.#fields(meta['exporter']),
      lean: this.#fields(meta['lean']),
    };
    if (!/^3\.[01]\./.test(format)) {
      throw this.#numbers.malformed(`version ${format} of the format is not known (3.0 and 3.1 are)`);
    }
    return {
      format,
      exporter: `${this.#numbers.text(exporter['name'])} ${this.#numbers.text(exporter['version'])}`,
      lean: this.#numbers.text(lean['version']),
    };
  }

  #name(fields: Fields, line: string): void {
    const numbers = this.#numbers;
    if (fields['str'] !== undefined) {
      const { pre, str } = this.#fields(fields['str']);
      numbers.setName(fields['in'], numbers.name(pre).child(numbers.text(str)));
    } else {
      const { pre, i } = this.#fields(fields['num']);
      numbers.setName(fields['in'], numbers.name(pre).child(this.#exactNatural(i, line)));
    }
  }

  /** `i` of a numeric name, which may be beyond what a JSON parser keeps exactly. */
  #exactNatural(value: unknown, line: string): bigint {
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return BigInt(value);
    const digits = /"i"\s*:\s*([0-9]+)\s*[,}]/.exec(line)?.[1];
    return this.#numbers.natural(digits ?? '');
  }

  #level(fields: Fields): void {
    const numbers = this.#numbers;
    const { levels } = numbers.store;
    const pair = (value: unknown) => {
      const both = numbers.levels(value);
      const [left, right] = both;
      if (left === undefined || right === undefined || both.length !== 2) {
        throw numbers.malformed('a maximum is not of two levels');
      }
      return [left, right] as const;
    };
    if (fields['succ'] !== undefined) {
      numbers.setLevel(fields['il'], levels.successor(numbers.level(fields['succ'])));
    } else if (fields['max'] !== undefined) {
      numbers.setLevel(fields['il'], levels.max(...pair(fields['max'])));
    } else if (fields['imax'] !== undefined) {
      numbers.setLevel(fields['il'], levels.imax(...pair(fields['imax'])));
    } else if (fields['param'] !== undefined) {
      numbers.setLevel(fields['il'], levels.parameter(numbers.name(fields['param'])));
    } else {
      throw numbers.malformed('no level of a known kind');
    }
  }

  #term(fields: Fields) {
    const numbers = this.#numbers;
    const { store } = numbers;
    // The number of the term is one of the two fields: the other says its kind.
    for (const kind in fields) {
      switch (kind) {
        case 'app': {
          const { fn, arg } = this.#fields(fields[kind]);
          return store.apply(numbers.term(fn), numbers.term(arg));
        }
        case 'lam': {
          const { name, type, body, binderInfo } = this.#fields(fields[kind]);
          const info = this.#binderInfo(binderInfo);
          return store.lambda(numbers.name(name), numbers.term(type), numbers.term(body), info);
        }
        case 'forallE': {
          const { name, type, body, binderInfo } = this.#fields(fields[kind]);
          const info = this.#binderInfo(binderInfo);
          return store.pi(numbers.name(name), numbers.term(type), numbers.term(body), info);
        }
        case 'const': {
          const { name, us } = this.#fields(fields[kind]);
          return store.constant(numbers.name(name), numbers.levels(us));
        }
        case 'bvar':
          return store.bound(numbers.count(fields[kind]));
        case 'sort':
          return store.sort(numbers.level(fields[kind]));
        case 'letE': {
          const { name, type, value, body, nondep } = this.#fields(fields[kind]);
          return store.let(
            numbers.name(name),
            numbers.term(type),
            numbers.term(value),
            numbers.term(body),
            nondep === undefined ? false : numbers.boolean(nondep),
          );
        }
        case 'proj': {
          const { typeName, idx, struct } = this.#fields(fields[kind]);
          return store.projection(numbers.name(typeName), numbers.count(idx), numbers.term(struct));
        }
        case 'natVal':
          return store.natural(numbers.natural(numbers.text(fields[kind])));
        case 'strVal':
          return store.string(numbers.text(fields[kind]));
        case 'mdata':
          return numbers.term(this.#fields(fields[kind])['expr']);
      }
    }
    throw numbers.malformed('no term of a known kind');
  }

  #declarations(fields: Fields): readonly Declaration[] {
    for (const kind in fields) {
      const content = fields[kind];
      switch (kind) {
        case 'axiom':
        case 'axiomInfo': {
          const axiom = this.#fields(content);
          const isUnsafe = this.#numbers.boolean(axiom['isUnsafe']);
          return [{ kind: 'axiom', ...this.#constant(axiom), isUnsafe }];
        }
        case 'def':
          // Version 3.0 keeps the definitions and opaque constants of a block together.
          return this.#oneOrMore(content).map((one) =>
            'isUnsafe' in one ? this.#opaque(one) : this.#definition(one),
          );
        case 'thm':
          return this.#oneOrMore(content).map((one) => this.#theorem(one));
        case 'opaque':
          return [this.#opaque(this.#fields(content))];
        case 'quot':
        case 'quotInfo':
          return [this.#quotient(this.#fields(content))];
        case 'inductive':
          return [this.#block(this.#fields(content))];
      }
    }
    throw this.#numbers.malformed('nothing of a known kind');
  }

  #oneOrMore(content: unknown): readonly Fields[] {
    return Array.isArray(content)
      ? content.map((one: unknown) => this.#fields(one))
      : [this.#fields(content)];
  }

  #constant(fields: Fields) {
    return {
      name: this.#numbers.name(fields['name']),
      levelParameters: this.#numbers.names(fields['levelParams']),
      type: this.#numbers.term(fields['type']),
    };
  }

  #definition(fields: Fields): DefinitionConstant {
    return {
      kind: 'definition',
      ...this.#constant(fields),
      value: this.#numbers.term(fields['value']),
      hints: this.#hints(fields['hints']),
      safety: this.#safety(fields['safety']),
      all: this.#numbers.names(fields['all']),
    };
  }

  #theorem(fields: Fields): TheoremConstant {
    return {
      kind: 'theorem',
      ...this.#constant(fields),
      value: this.#numbers.term(fields['value']),
      all: this.#numbers.names(fields['all']),
    };
  }

  #opaque(fields: Fields): OpaqueConstant {
    return {
      kind: 'opaque',
      ...this.#constant(fields),
      value: this.#numbers.term(fields['value']),
      isUnsafe: this.#numbers.boolean(fields['isUnsafe']),
      all: this.#numbers.names(fields['all']),
    };
  }

  #quotient(fields: Fields): QuotientConstant {
    const { kind } = fields;
    if (kind !== 'type' && kind !== 'ctor' && kind !== 'lift' && kind !== 'ind') {
      throw this.#numbers.malformed(`${JSON.stringify(kind)} is no kind of quotient constant`);
    }
    return { kind: 'quotient', ...this.#constant(fields), role: QUOTIENT_ROLES[kind] };
  }

  #block(fields: Fields): InductiveBlock {
    const each = <Value>(value: unknown, read: (one: Fields) => Value): Value[] =>
      this.#numbers.array(value).map((one) => read(this.#fields(one)));
    return {
      kind: 'inductive-block',
      types: each(fields['types'] ?? fields['inductiveVals'], (one) => this.#inductive(one)),
      constructors: each(fields['ctors'] ?? fields['constructorVals'], (one) =>
        this.#constructorConstant(one),
      ),
      recursors: each(fields['recs'] ?? fields['recursorVals'], (one) => this.#recursor(one)),
    };
  }

  #inductive(fields: Fields): InductiveConstant {
    const numbers = this.#numbers;
    return {
      kind: 'inductive',
      ...this.#constant(fields),
      parameterCount: numbers.count(fields['numParams']),
      indexCount: numbers.count(fields['numIndices']),
      all: numbers.names(fields['all']),
      constructors: numbers.names(fields['ctors']),
      nestedCount: numbers.count(fields['numNested']),
      isRecursive: numbers.boolean(fields['isRec']),
      isUnsafe: numbers.boolean(fields['isUnsafe']),
      isReflexive: numbers.boolean(fields['isReflexive']),
    };
  }

  #constructorConstant(fields: Fields): ConstructorConstant {
    const numbers = this.#numbers;
    return {
      kind: 'constructor',
      ...this.#constant(fields),
      inductive: numbers.name(fields['induct']),
      index: numbers.count(fields['cidx']),
      parameterCount: numbers.count(fields['numParams']),
      fieldCount: numbers.count(fields['numFields']),
      isUnsafe: numbers.boolean(fields['isUnsafe']),
    };
  }

  #recursor(fields: Fields): RecursorConstant {
    const numbers = this.#numbers;
    return {
      kind: 'recursor',
      ...this.#constant(fields),
      all: numbers.names(fields['all']),
      parameterCount: numbers.count(fields['numParams']),
      indexCount: numbers.count(fields['numIndices']),
      motiveCount: numbers.count(fields['numMotives']),
      minorCount: numbers.count(fields['numMinors']),
      rules: numbers.array(fields['rules']).map((rule) => this.#rule(this.#fields(rule))),
      isK: numbers.boolean(fields['k']),
      isUnsafe: numbers.boolean(fields['isUnsafe']),
    };
  }

  #rule(fields: Fields): RecursorRule {
    const numbers = this.#numbers;
    return {
      constructor: numbers.name(fields['ctor']),
      fieldCount: numbers.count(fields['nfields']),
      value: numbers.term(fields['rhs']),
    };
  }

  #hints(value: unknown): ReducibilityHints {
    if (value === 'opaque') return { kind: 'opaque' };
    if (value === 'abbrev') return { kind: 'abbreviation' };
    return { kind: 'regular', height: this.#numbers.count(this.#fields(value)['regular']) };
  }

  #safety(value: unknown): DefinitionSafety {
    if (value === 'safe' || value === 'unsafe' || value === 'partial') return value;
    throw this.#numbers.malformed(`${JSON.stringify(value)} is no safety of a definition`);
  }

  #binderInfo(value: unknown): BinderInfo {
    if (BINDER_INFOS.has(value)) return value as BinderInfo;
    throw this.#numbers.malformed(`${JSON.stringify(value)} is no binder info`);
  }

  #fields(value: unknown): Fields {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
    throw this.#numbers.malformed(`${JSON.stringify(value) || 'nothing'} stands where an object must be`);
  }
}
