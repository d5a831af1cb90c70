/**
 * The table of all terms: a row for each, found by what the term is made of. It makes whatever it is told to: that a
 * term is well typed its owner sees to (terms.ts), who shows the table to nobody.
 */
import { LimitReached } from './refusal.ts';
import { tableEntry, noSuch } from './tables.ts';
import { ABSTRACTION, APPLICATION, BOUND, FREE, type TermId } from './term.ts';
import type { TypeId, Types } from './types.ts';

/** The columns of a row. */
export const KIND = 0;
/** Name, index or constant; function; type of the binder. */
export const LEFT = 1;
/** Type of an atom; argument; body. */
export const RIGHT = 2;
/** One more than the type, so that the zeros of a row that no term has are no type. */
const TYPE = 3;
/** One more than the largest loose index, 0 when closed. */
export const LOOSE = 4;
export const FREE_MASK = 5;
export const TYPE_MASK = 6;
/** The traversal that visited the term last. */
export const STAMP = 7;
const ROW = 8;

/** Terms for which there is room at first. */
const SMALLEST_SIZE = 1024;

export class TermRows {
  readonly #types: Types;
  readonly #limit: number;
  #count = 0;
  /** One row for each term, so that looking at a term touches one line of the processor's cache. */
  #rows: Int32Array;
  /** Open addressing; 0 is empty, else a term plus 1. */
  #table: Int32Array;
  #size: number;

  /** `expected` terms fit without growing. */
  constructor(types: Types, limit: number, expected: number) {
    this.#types = types;
    this.#limit = limit;
    this.#size = 2 ** Math.ceil(Math.log2(Math.max(SMALLEST_SIZE, Math.min(expected, limit))));
    this.#rows = new Int32Array(this.#size * ROW);
    this.#table = new Int32Array(this.#size * 2);
  }

  /** Terms for which there is room. */
  get size(): number {
    return this.#size;
  }

  get count(): number {
    return this.#count;
  }

  // Of terms that are parts of known ones.

  cell(term: TermId, column: number): number {
    return tableEntry(this.#rows, term * ROW + column);
  }

  left(term: TermId): TermId {
    return termNumbered(tableEntry(this.#rows, term * ROW + LEFT));
  }

  right(term: TermId): TermId {
    return termNumbered(tableEntry(this.#rows, term * ROW + RIGHT));
  }

  // Of terms that callers name: each number is checked.

  /** A column that every term has. */
  column(term: TermId, column: number): number {
    const value = this.#rows[term * ROW + column];
    if (value === undefined || term >= this.#count) throw noSuch('term', term);
    return value;
  }

  /** A column of a term of that kind. */
  part(term: TermId, kind: number, column: number): number {
    const value = this.#rows[term * ROW + column];
    if (value === undefined || this.#rows[term * ROW + KIND] !== kind)
      throw noSuch(`term of kind ${kind} with the number`, term);
    return value;
  }

  kindOf(term: TermId): number {
    const kind = this.#rows[term * ROW + KIND];
    if (!kind) throw noSuch('term', term);
    return kind;
  }

  typeOf(term: TermId): TypeId {
    const successor = this.#rows[term * ROW + TYPE];
    if (!successor) throw noSuch('term', term);
    return typeNumbered(successor - 1);
  }

  stamp(term: TermId, traversal: number): void {
    this.#rows[term * ROW + STAMP] = traversal;
  }

  make(kind: typeof APPLICATION, fun: TermId, argument: TermId): TermId;
  make(kind: typeof ABSTRACTION, binder: TypeId, body: TermId): TermId;
  make(kind: number, left: number, type: TypeId): TermId;
  make(kind: number, left: number, right: number): TermId {
    const [table, rows] = [this.#table, this.#rows];
    const bits = table.length - 1;
    let slot = hash(kind, left, right) & bits;
    for (let found = table[slot]; found; found = table[slot]) {
      const row = (found - 1) * ROW;
      if (rows[row + LEFT] === left && rows[row + RIGHT] === right && rows[row + KIND] === kind)
        return termNumbered(found - 1);
      slot = (slot + 1) & bits;
    }
    return this.#add(kind, left, right, slot);
  }

  #add(kind: number, left: number, right: number, slot: number): TermId {
    if (this.#count >= this.#limit)
      throw new LimitReached('size', `The proof makes more than ${this.#limit} terms.`);
    if (this.#count === this.#size) this.#growRows();
    const [rows, row] = [this.#rows, this.#count * ROW];
    rows[row + KIND] = kind;
    rows[row + LEFT] = left;
    rows[row + RIGHT] = right;
    if (kind === APPLICATION) {
      const [fun, argument] = [termNumbered(left), termNumbered(right)];
      rows[row + TYPE] = this.#types.range(this.typeOf(fun)) + 1;
      rows[row + LOOSE] = Math.max(this.cell(fun, LOOSE), this.cell(argument, LOOSE));
      rows[row + FREE_MASK] = this.cell(fun, FREE_MASK) | this.cell(argument, FREE_MASK);
      rows[row + TYPE_MASK] = this.cell(fun, TYPE_MASK) | this.cell(argument, TYPE_MASK);
    } else if (kind === ABSTRACTION) {
      const [binder, body] = [typeNumbered(left), termNumbered(right)];
      rows[row + TYPE] = this.#types.fun(binder, this.typeOf(body)) + 1;
      rows[row + LOOSE] = Math.max(0, this.cell(body, LOOSE) - 1);
      rows[row + FREE_MASK] = this.cell(body, FREE_MASK);
      rows[row + TYPE_MASK] = this.#types.mask(binder) | this.cell(body, TYPE_MASK);
    } else {
      rows[row + TYPE] = right + 1;
      rows[row + LOOSE] = kind === BOUND ? left + 1 : 0;
      rows[row + FREE_MASK] = kind === FREE ? 1 << (left & 31) : 0;
      rows[row + TYPE_MASK] = this.#types.mask(typeNumbered(right));
    }
    this.#count += 1;
    this.#table[slot] = this.#count;
    if (this.#count * 2 > this.#table.length) this.#growTable();
    return termNumbered(this.#count - 1);
  }

  #growRows(): void {
    this.#size *= 2;
    this.#rows = grown(this.#rows, this.#size * ROW);
  }

  #growTable(): void {
    const table = new Int32Array(this.#table.length * 2);
    const bits = table.length - 1;
    for (let term = 0; term < this.#count; term += 1) {
      const row = term * ROW;
      const [kind, left, right] = [row + KIND, row + LEFT, row + RIGHT];
      let slot =
        hash(tableEntry(this.#rows, kind), tableEntry(this.#rows, left), tableEntry(this.#rows, right)) &
        bits;
      while (table[slot] !== 0) slot = (slot + 1) & bits;
      table[slot] = term + 1;
    }
    this.#table = table;
  }
}

export function grown(old: Int32Array, size: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(size);
  larger.set(old);
  return larger;
}

function hash(kind: number, left: number, right: number): number {
  let mixed = Math.imul(left, 0x9e3779b1) ^ Math.imul(right + kind, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0xc2b2ae35);
  return mixed ^ (mixed >>> 13);
}

export function termNumbered(number: number): TermId {
  return number as TermId;
}

export function typeNumbered(number: number): TypeId {
  return number as TypeId;
}
