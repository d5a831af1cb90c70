/**
 * The names, levels and terms that lines of an export have introduced, by their numbers. Numbers may have gaps and
 * come in any order, but each is given once, and before it is used. Names begin with the anonymous one, levels with
 * zero.
 */
import type { Expression } from '../expression.ts';
import type { Level } from '../level.ts';
import type { Name } from '../name.ts';
import type { TermStore } from '../term-store.ts';
import { shownValue } from './json-line.ts';
import { malformedExport } from './malformed-export.ts';

/** An object of JSON of which nothing is known yet. */
export type Fields = Readonly<Record<string, unknown>>;

export class TermNumbers {
  readonly store: TermStore;
  /** The line that is being read, from 1: what errors tell. */
  line = 0;
  /** Whether names, levels or terms were read that no declaration has followed yet. */
  awaitsDeclaration = false;
  readonly #names: NumberTable<Name>;
  readonly #levels: NumberTable<Level>;
  readonly #terms = new NumberTable<Expression>();

  constructor(store: TermStore) {
    this.store = store;
    this.#names = new NumberTable([store.names.anonymous]);
    this.#levels = new NumberTable<Level>([store.levels.zero]);
  }

  /** To be called behind the last line. Exporters write a term right before the declaration that needs it. */
  end(): void {
    if (this.awaitsDeclaration)
      throw this.malformed('the export was cut: it ends before the declaration that needs this line');
  }

  name(number: unknown): Name {
    return this.#get(this.#names, number, 'name');
  }

  level(number: unknown): Level {
    return this.#get(this.#levels, number, 'level');
  }

  term(number: unknown): Expression {
    return this.#get(this.#terms, number, 'term');
  }

  names(numbers: unknown): Name[] {
    return this.array(numbers).map((number) => this.name(number));
  }

  levels(numbers: unknown): Level[] {
    return this.array(numbers).map((number) => this.level(number));
  }

  setName(number: unknown, name: Name): void {
    this.#set(this.#names, number, name);
  }

  setLevel(number: unknown, level: Level): void {
    this.#set(this.#levels, number, level);
  }

  setTerm(number: unknown, term: Expression): void {
    this.#set(this.#terms, number, term);
  }

  count(value: unknown): number {
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
    throw this.malformed(`${shownValue(value)} is not a natural number below 2^53`);
  }

  boolean(value: unknown): boolean {
    if (typeof value === 'boolean') return value;
    throw this.malformed(`${shownValue(value)} is not true or false`);
  }

  /** A string that Lean can hold: no lone surrogates. */
  text(value: unknown): string {
    if (typeof value === 'string' && value.isWellFormed()) return value;
    throw this.malformed(`${shownValue(value)} is not a string of Unicode characters`);
  }

  array(value: unknown): readonly unknown[] {
    if (Array.isArray(value)) return value as readonly unknown[];
    throw this.malformed(`${shownValue(value)} is not an array`);
  }

  fields(value: unknown): Fields {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
    throw this.malformed(`${shownValue(value)} stands where an object must be`);
  }

  /** A number of any size in decimal digits. */
  natural(digits: string): bigint {
    if (!/^(?:0|[1-9][0-9]*)$/.test(digits)) throw this.malformed(`${shownValue(digits)} is not a number`);
    try {
      return BigInt(digits);
    } catch (error) {
      throw this.malformed('a number is too large', error);
    }
  }

  malformed(problem: string, cause?: unknown): Error {
    return malformedExport(this.line, problem, cause);
  }

  #get<Value>(table: NumberTable<Value>, number: unknown, what: string): Value {
    const value = typeof number === 'number' ? table.get(number) : undefined;
    if (value === undefined) throw this.malformed(`no ${what} has the number ${shownValue(number)}`);
    return value;
  }

  #set<Value>(table: NumberTable<Value>, number: unknown, value: Value): void {
    const key = this.count(number);
    if (table.has(key)) throw this.malformed(`the number ${key} is given twice`);
    table.set(key, value);
  }
}

/** Values by natural number: those that are numbered without gaps take little room. */
class NumberTable<Value> {
  readonly #dense: Value[];
  readonly #others = new Map<number, Value>();

  constructor(first: readonly Value[] = []) {
    this.#dense = [...first];
  }

  get(number: number): Value | undefined {
    return this.#dense[number] ?? this.#others.get(number);
  }

  has(number: number): boolean {
    return this.get(number) !== undefined;
  }

  set(number: number, value: Value): void {
    if (number === this.#dense.length) this.#dense.push(value);
    else this.#others.set(number, value);
  }
}
