/**
 * Reads lean4export's NDJSON, versions 3.0 and 3.1, one line at a time. `mdata` is dropped. Every field is checked:
 * what does not belong there is an error that names the line.
 */
import { QuodError } from '../../../core/errors.ts';
import { foreignName } from '../../../core/foreign-text.ts';
import type { Declaration } from '../declaration.ts';
import type { BinderInfo } from '../expression.ts';
import type { TermStore } from '../term-store.ts';
import { hasKeyTwice } from '../../../core/json.ts';
import { shownValue } from './json-line.ts';
import { readDeclarations } from './ndjson-declarations.ts';
import { type Fields, TermNumbers } from './term-numbers.ts';

/** What the first line says about the file. Only the format matters for reading; nothing rests on the rest. */
export interface ExportOrigin {
  readonly format: string;
  /** Name and version; undefined when the file does not say. */
  readonly exporter: string | undefined;
  /** The version of Lean; undefined when the file does not say. */
  readonly lean: string | undefined;
}

const BINDER_INFOS: ReadonlySet<unknown> = new Set<BinderInfo>([
  'default',
  'implicit',
  'strictImplicit',
  'instImplicit',
]);

const NO_META = 'the file does not begin with the meta line of lean4export 3';

export class NdjsonReader {
  readonly #numbers: TermNumbers;
  #origin: ExportOrigin | undefined;

  constructor(store: TermStore) {
    this.#numbers = new TermNumbers(store);
  }

  /** To be called behind the last line. */
  end(): void {
    this.#numbers.end();
  }

  /** To be asked once the first line was read. */
  get origin(): ExportOrigin {
    if (this.#origin === undefined) throw this.#numbers.malformed(NO_META);
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
    if (hasKeyTwice(line, parsed)) throw numbers.malformed('an object has the same key twice');
    const fields = this.#numbers.fields(parsed);
    if (this.#origin === undefined) {
      this.#origin = this.#readOrigin(fields);
      return [];
    }
    numbers.awaitsDeclaration = true;
    if ('ie' in fields) numbers.setTerm(fields['ie'], this.#term(fields));
    else if ('in' in fields) this.#name(fields, line);
    else if ('il' in fields) this.#level(fields);
    else {
      numbers.awaitsDeclaration = false;
      return readDeclarations(fields, numbers);
    }
    return [];
  }

  #readOrigin(fields: Fields): ExportOrigin {
    const { meta, ...others } = fields;
    if (meta === undefined) throw this.#numbers.malformed(NO_META);
    this.#requireNothingElse(others);
    const { format, exporter, lean } = this.#numbers.fields(meta);
    const version = textIn(format, 'version');
    if (version === undefined) throw unknownFormat('The export does not say the version of its format.');
    if (!/^3\.[01]\./.test(version))
      throw unknownFormat(`Version ${shownValue(version)} of the format is not known.`);
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
      throw this.#numbers.malformed(`${shownValue(other)} stands beside what the line is about`);
  }

  #name(fields: Fields, line: string): void {
    const numbers = this.#numbers;
    const { in: number, str: text, num, ...others } = fields;
    this.#requireNothingElse(text === undefined || num === undefined ? others : { num });
    if (text !== undefined) {
      const { pre, str } = this.#numbers.fields(text);
      numbers.setName(number, numbers.name(pre).child(numbers.text(str)));
    } else {
      const { pre, i } = this.#numbers.fields(num);
      numbers.setName(number, numbers.name(pre).child(this.#exactNatural(i, line)));
    }
  }

  /** `i` of a numeric name, which may be beyond what a JSON parser keeps exactly. */
  #exactNatural(value: unknown, line: string): bigint {
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return BigInt(value);
    const [digits, second] = [...line.matchAll(/"i"\s*:\s*([0-9]+)\s*[,}]/g)].map(([, found]) => found);
    if (digits === undefined || second !== undefined)
      throw this.#numbers.malformed(`${shownValue(value)} is no component of a name`);
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
          const { fn, arg } = this.#numbers.fields(fields[kind]);
          return store.apply(numbers.term(fn), numbers.term(arg));
        }
        case 'lam': {
          const { name, type, body, binderInfo } = this.#numbers.fields(fields[kind]);
          const info = this.#binderInfo(binderInfo);
          return store.lambda(numbers.name(name), numbers.term(type), numbers.term(body), info);
        }
        case 'forallE': {
          const { name, type, body, binderInfo } = this.#numbers.fields(fields[kind]);
          const info = this.#binderInfo(binderInfo);
          return store.pi(numbers.name(name), numbers.term(type), numbers.term(body), info);
        }
        case 'const': {
          const { name, us } = this.#numbers.fields(fields[kind]);
          return store.constant(numbers.name(name), numbers.levels(us));
        }
        case 'bvar':
          return store.bound(numbers.count(fields[kind]));
        case 'sort':
          return store.sort(numbers.level(fields[kind]));
        case 'letE': {
          const { name, type, value, body, nondep } = this.#numbers.fields(fields[kind]);
          return store.let(
            numbers.name(name),
            numbers.term(type),
            numbers.term(value),
            numbers.term(body),
            nondep === undefined ? false : numbers.boolean(nondep),
          );
        }
        case 'proj': {
          const { typeName, idx, struct } = this.#numbers.fields(fields[kind]);
          return store.projection(numbers.name(typeName), numbers.count(idx), numbers.term(struct));
        }
        case 'natVal':
          return store.natural(numbers.natural(numbers.text(fields[kind])));
        case 'strVal':
          return store.string(numbers.text(fields[kind]));
        case 'mdata':
          return numbers.term(this.#numbers.fields(fields[kind])['expr']);
      }
    }
    throw numbers.malformed('no term of a known kind');
  }

  #binderInfo(value: unknown): BinderInfo {
    if (BINDER_INFOS.has(value)) return value as BinderInfo;
    throw this.#numbers.malformed(`${shownValue(value)} is no binder info`);
  }
}

/** A text that the meta line may leave out or write otherwise, as it can be shown: nothing rests on it. */
function textIn(value: unknown, field: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const text = (value as Fields)[field];
  return typeof text === 'string' ? foreignName(text) : undefined;
}

function unknownFormat(message: string): QuodError {
  return new QuodError('unsupported', message, {
    remedy: 'Quod reads versions 3.0 and 3.1 of NDJSON, and version 2 of the text format.',
  });
}
