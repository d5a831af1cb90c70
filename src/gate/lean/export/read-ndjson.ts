/**
 * Reads lean4export's NDJSON, versions 3.0 and 3.1, one line at a time. `mdata` is dropped. Every field is checked:
 * what does not belong there is an error that names the line.
 */
import { QuodError } from '../../../core/errors.ts';
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

/** What the first line says about the file. Only the format matters for reading; nothing rests on the rest. */
export interface ExportOrigin {
  readonly format: string;
  /** Name and version; undefined when the file does not say. */
  readonly exporter: string | undefined;
  /** The version of Lean; undefined when the file does not say. */
  readonly lean: string | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

const BINDER_INFOS: ReadonlySet<unknown> = new Set<BinderInfo>([
  'default',
  'implicit',
  'strictImplicit',
  'instImplicit',
]);

const QUOTIENT_ROLES = { type: 'type', ctor: 'constructor', lift: 'lift', ind: 'induction' } as const;

const NO_META = 'the file does not begin with the meta line of lean4export 3';

export class NdjsonReader {
  readonly #numbers: TermNumbers;
  #origin: ExportOrigin | undefined;
  /** Whether names, levels or terms were read that no declaration has followed yet. */
  #awaitsDeclaration = false;

  constructor(store: TermStore) {
    this.#numbers = new TermNumbers(store);
  }

  /** To be asked once the first line was read. */
  get origin(): ExportOrigin {
    if (this.#origin === undefined) throw this.#numbers.malformed(NO_META);
    return this.#origin;
  }

  /** To be called behind the last line. Exporters write a term right before the declaration that needs it. */
  end(): void {
    if (this.#awaitsDeclaration)
      throw this.#numbers.malformed(
        'the export was cut: it ends before the declaration that needs this line',
      );
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
    this.#awaitsDeclaration = true;
    if ('ie' in fields) numbers.setTerm(fields['ie'], this.#term(fields));
    else if ('in' in fields) this.#name(fields, line);
    else if ('il' in fields) this.#level(fields);
    else {
      this.#awaitsDeclaration = false;
      return this.#declarations(fields);
    }
    return [];
  }

  #readOrigin(fields: Fields): ExportOrigin {
    const { meta, ...others } = fields;
    if (meta === undefined) throw this.#numbers.malformed(NO_META);
    this.#requireNothingElse(others);
    const { format, exporter, lean } = this.#fields(meta);
    const version = textIn(format, 'version');
    if (version === undefined) throw unknownFormat('The export does not say the version of its format.');
    if (!/^3\.[01]\./.test(version))
      throw unknownFormat(`Version ${JSON.stringify(version)} of the format is not known.`);
    const [name, exporterVersion] = [textIn(exporter, 'name'), textIn(exporter, 'version')];
    return {
      format: version,
      exporter: name === undefined ? undefined : [name, exporterVersion ?? '(no version)'].join(' '),
      lean: textIn(lean, 'version'),
    };
  }

  /** A second thing on a line would be passed over. */
  #requireNothingElse(others: Fields): void {
    const [other] = Object.keys(others);
    if (other !== undefined)
      throw this.#numbers.malformed(`${JSON.stringify(other)} stands beside what the line is about`);
  }

  #name(fields: Fields, line: string): void {
    const numbers = this.#numbers;
    const { in: number, str: text, num, ...others } = fields;
    this.#requireNothingElse(text === undefined || num === undefined ? others : { num });
    if (text !== undefined) {
      const { pre, str } = this.#fields(text);
      numbers.setName(number, numbers.name(pre).child(numbers.text(str)));
    } else {
      const { pre, i } = this.#fields(num);
      numbers.setName(number, numbers.name(pre).child(this.#exactNatural(i, line)));
    }
  }

  /** `i` of a numeric name, which may be beyond what a JSON parser keeps exactly. */
  #exactNatural(value: unknown, line: string): bigint {
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return BigInt(value);
    const [digits, second] = [...line.matchAll(/"i"\s*:\s*([0-9]+)\s*[,}]/g)].map(([, found]) => found);
    if (digits === undefined || second !== undefined)
      throw this.#numbers.malformed(`${JSON.stringify(value)} is no component of a name`);
    return this.#numbers.natural(digits);
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
    if (Object.keys(fields).length !== 2) throw numbers.malformed('a level is not of one kind');
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
    let kind: string | undefined;
    for (const key in fields) {
      if (key === 'ie') continue;
      if (kind !== undefined) throw numbers.malformed('a term is of two kinds');
      kind = key;
    }
    if (kind !== undefined) {
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
    const [kind, second] = Object.keys(fields);
    if (second !== undefined)
      throw this.#numbers.malformed(`${JSON.stringify(second)} stands beside what the line is about`);
    if (kind !== undefined) {
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

/** A text that the meta line may leave out or write otherwise: nothing rests on it. */
function textIn(value: unknown, field: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const text = (value as Fields)[field];
  return typeof text === 'string' && text.isWellFormed() ? text : undefined;
}

function unknownFormat(message: string): QuodError {
  return new QuodError('unsupported', message, {
    remedy: 'Quod reads versions 3.0 and 3.1 of NDJSON, and version 2 of the text format.',
  });
}
