/**
 * Hash-consed terms: equal numbers if and only if alpha-equivalent. Bound variables are de Bruijn indices that carry
 * their type, so that every part of a term has a type of its own; free variables have names. Only well-typed terms can
 * be made, and only by this class; a read of a number that it did not give, or of a part that a term does not have,
 * throws. All terms that a rule sees are closed (no loose index); the parts of an abstraction need not be.
 *
 * Two masks with one bit per free (type) variable let substitutions skip what they cannot change: a clear bit proves
 * that the variable does not occur.
 */
import { LimitReached, Refusal } from './refusal.ts';
import type { ConstantId } from './signature.ts';
import { tableEntry, noSuch } from './tables.ts';
import type { TypeId, TypeSubstitution, Types } from './types.ts';

declare const termBrand: unique symbol;

export type TermId = number & { readonly [termBrand]: true };

/** Kinds begin with 1, so that the zeros of a row that no term has are no kind. */
export const FREE = 1;
export const BOUND = 2;
export const CONSTANT = 3;
export const APPLICATION = 4;
export const ABSTRACTION = 5;

/** The columns of a row. */
const KIND = 0;
/** Name, index or constant; function; type of the binder. */
const LEFT = 1;
/** Type of an atom; argument; body. */
const RIGHT = 2;
/** One more than the type, so that the zeros of a row that no term has are no type. */
const TYPE = 3;
/** One more than the largest loose index, 0 when closed. */
const LOOSE = 4;
const FREE_MASK = 5;
const TYPE_MASK = 6;
/** The traversal that visited the term last. */
const STAMP = 7;
const ROW = 8;

/** Terms for which there is room at first. */
const SMALLEST_SIZE = 1024;

export class Terms {
  readonly types: Types;
  readonly #limit: number;
  #count = 0;
  /** One row for each term, so that looking at a term touches one line of the processor's cache. */
  #rows: Int32Array;
  /** Open addressing; 0 is empty, else a term plus 1. */
  #table: Int32Array;
  /** The result of the traversal that runs, valid where the stamp of the row is that of the traversal. */
  #result: Int32Array;
  #traversal = 0;
  /** Where results depend on the depth too: the depth that the result is for, and those for further depths. */
  #depth: Int32Array;
  readonly #furtherDepths = new Map<number, TermId>();
  readonly #names: string[] = [];
  readonly #nameIds = new Map<string, number>();

  /** `expected` terms fit without growing. */
  constructor(types: Types, limit: number, expected: number) {
    this.types = types;
    this.#limit = limit;
    const size = 2 ** Math.ceil(Math.log2(Math.max(SMALLEST_SIZE, Math.min(expected, limit))));
    this.#rows = new Int32Array(size * ROW);
    this.#result = new Int32Array(size);
    this.#depth = new Int32Array(size);
    this.#table = new Int32Array(size * 2);
  }

  get count(): number {
    return this.#count;
  }

  free(name: string, type: TypeId): TermId {
    let id = this.#nameIds.get(name);
    if (id === undefined) {
      id = this.#names.length;
      this.#names.push(name);
      this.#nameIds.set(name, id);
    }
    return this.#make(FREE, id, type);
  }

  bound(index: number, type: TypeId): TermId {
    return this.#make(BOUND, index, type);
  }

  /** The caller (the signature) has checked that the type is an instance of the constant's. */
  constant(constant: ConstantId, type: TypeId): TermId {
    return this.#make(CONSTANT, constant, type);
  }

  apply(fun: TermId, argument: TermId): TermId {
    if (this.types.domain(this.typeOf(fun)) !== this.typeOf(argument)) {
      throw new Refusal('ill-typed', 'A function is applied to an argument of another type.');
    }
    return this.#make(APPLICATION, fun, argument);
  }

  /** `λ. body`, where the loose index 0 of the body, if it occurs, has the type of the binder. */
  lambda(binder: TypeId, body: TermId): TermId {
    return this.#make(ABSTRACTION, binder, body);
  }

  kind(term: TermId): number {
    const kind = this.#rows[term * ROW + KIND];
    if (!kind) throw noSuch('term', term);
    return kind;
  }

  functionOf(application: TermId): TermId {
    return termNumbered(this.#part(application, APPLICATION, LEFT));
  }

  argumentOf(application: TermId): TermId {
    return termNumbered(this.#part(application, APPLICATION, RIGHT));
  }

  binderOf(abstraction: TermId): TypeId {
    return typeNumbered(this.#part(abstraction, ABSTRACTION, LEFT));
  }

  bodyOf(abstraction: TermId): TermId {
    return termNumbered(this.#part(abstraction, ABSTRACTION, RIGHT));
  }

  indexOf(bound: TermId): number {
    return this.#part(bound, BOUND, LEFT);
  }

  constantOf(term: TermId): ConstantId {
    return constantNumbered(this.#part(term, CONSTANT, LEFT));
  }

  nameOfFree(variable: TermId): string {
    const name = this.#names[this.#part(variable, FREE, LEFT)];
    if (name === undefined) throw noSuch('name of the variable', variable);
    return name;
  }

  typeOf(term: TermId): TypeId {
    const successor = this.#rows[term * ROW + TYPE];
    if (!successor) throw noSuch('term', term);
    return typeNumbered(successor - 1);
  }

  looseBound(term: TermId): number {
    return this.#column(term, LOOSE);
  }

  freeMask(term: TermId): number {
    return this.#column(term, FREE_MASK);
  }

  isConstant(term: TermId, constant: ConstantId): boolean {
    return this.kind(term) === CONSTANT && this.#rows[term * ROW + LEFT] === constant;
  }

  /** Whether a term is `constant left right`. */
  isBinary(term: TermId, constant: ConstantId): boolean {
    if (this.kind(term) !== APPLICATION) return false;
    const head = this.#left(term);
    if (this.#cell(head, KIND) !== APPLICATION) return false;
    const fun = this.#left(head);
    return this.#cell(fun, KIND) === CONSTANT && this.#cell(fun, LEFT) === constant;
  }

  /** `λv. term`. */
  abstract(variable: TermId, term: TermId): TermId {
    this.#traversal += 1;
    if (this.#furtherDepths.size > 0) this.#furtherDepths.clear();
    const body = this.#abstractAt(variable, term, 0, this.freeMask(variable));
    return this.lambda(this.typeOf(variable), body);
  }

  /** The body of an abstraction with its index 0 replaced: the beta-reduct of `(λ. body) argument`. */
  reduce(abstraction: TermId, argument: TermId): TermId {
    if (this.binderOf(abstraction) !== this.typeOf(argument)) {
      throw new Refusal('ill-typed', 'An abstraction is applied to an argument of another type.');
    }
    this.#traversal += 1;
    return this.#reduceAt(this.bodyOf(abstraction), argument, 0);
  }

  /** Replaces free variables, all at once. Types must agree. */
  substitute(term: TermId, substitution: ReadonlyMap<TermId, TermId>): TermId {
    this.#traversal += 1;
    let mask = 0;
    for (const [variable, replacement] of substitution) {
      this.#remember(variable, replacement);
      mask |= this.freeMask(variable);
    }
    return this.#substituteIn(term, mask);
  }

  instantiate(term: TermId, substitution: TypeSubstitution, mask: number, memo: Map<TypeId, TypeId>): TermId {
    this.#traversal += 1;
    return this.#instantiateIn(term, substitution, mask, memo);
  }

  occursFree(variable: TermId, term: TermId): boolean {
    const mask = this.freeMask(variable);
    if ((this.freeMask(term) & mask) === 0) return false;
    this.#traversal += 1;
    return this.#occursIn(variable, term, mask);
  }

  /** Calls `visit` once for every atom and abstraction of a term, loose indices included. */
  forEachLeafAndBinder(term: TermId, visit: (part: TermId) => void): void {
    this.#traversal += 1;
    const pending = [term];
    for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
      if (this.#rows[part * ROW + STAMP] === this.#traversal) continue;
      this.#remember(part, part);
      if (this.kind(part) === APPLICATION) pending.push(this.functionOf(part), this.argumentOf(part));
      else {
        visit(part);
        if (this.kind(part) === ABSTRACTION) pending.push(this.bodyOf(part));
      }
    }
  }

  #abstractAt(variable: TermId, term: TermId, depth: number, mask: number): TermId {
    if ((this.#cell(term, FREE_MASK) & mask) === 0) return term;
    if (term === variable) return this.bound(depth, this.typeOf(variable));
    const kind = this.#rows[term * ROW + KIND];
    if (kind !== APPLICATION && kind !== ABSTRACTION) return term;
    const isSeen = this.#rows[term * ROW + STAMP] === this.#traversal;
    if (isSeen) {
      if (this.#depth[term] === depth) return this.#resultOf(term);
      const known = this.#furtherDepths.get(depth * 0x80000000 + term);
      if (known !== undefined) return known;
    }
    const result =
      kind === APPLICATION
        ? this.#make(
            APPLICATION,
            this.#abstractAt(variable, this.#left(term), depth, mask),
            this.#abstractAt(variable, this.#right(term), depth, mask),
          )
        : this.lambda(
            typeNumbered(this.#cell(term, LEFT)),
            this.#abstractAt(variable, this.#right(term), depth + 1, mask),
          );
    if (isSeen) this.#furtherDepths.set(depth * 0x80000000 + term, result);
    else {
      this.#remember(term, result);
      this.#depth[term] = depth;
    }
    return result;
  }

  /**
   * A part at `depth` below the abstraction has loose indices up to `depth` only, so it changes at the one depth that
   * is its bound minus 1: the result depends on the part alone.
   */
  #reduceAt(term: TermId, argument: TermId, depth: number): TermId {
    if (this.#cell(term, LOOSE) <= depth) return term;
    const kind = this.#rows[term * ROW + KIND];
    if (kind === BOUND) return argument;
    if (this.#rows[term * ROW + STAMP] === this.#traversal) return this.#resultOf(term);
    const result =
      kind === APPLICATION
        ? this.#make(
            APPLICATION,
            this.#reduceAt(this.#left(term), argument, depth),
            this.#reduceAt(this.#right(term), argument, depth),
          )
        : this.lambda(
            typeNumbered(this.#cell(term, LEFT)),
            this.#reduceAt(this.#right(term), argument, depth + 1),
          );
    this.#remember(term, result);
    return result;
  }

  #substituteIn(term: TermId, mask: number): TermId {
    if ((this.#cell(term, FREE_MASK) & mask) === 0) return term;
    if (this.#rows[term * ROW + STAMP] === this.#traversal) return this.#resultOf(term);
    const kind = this.#rows[term * ROW + KIND];
    if (kind !== APPLICATION && kind !== ABSTRACTION) return term;
    const result =
      kind === APPLICATION
        ? this.#make(
            APPLICATION,
            this.#substituteIn(this.#left(term), mask),
            this.#substituteIn(this.#right(term), mask),
          )
        : this.lambda(typeNumbered(this.#cell(term, LEFT)), this.#substituteIn(this.#right(term), mask));
    this.#remember(term, result);
    return result;
  }

  #instantiateIn(
    term: TermId,
    substitution: TypeSubstitution,
    mask: number,
    memo: Map<TypeId, TypeId>,
  ): TermId {
    if ((this.#cell(term, TYPE_MASK) & mask) === 0) return term;
    if (this.#rows[term * ROW + STAMP] === this.#traversal) return this.#resultOf(term);
    const kind = this.#cell(term, KIND);
    let result: TermId;
    if (kind === APPLICATION) {
      result = this.#make(
        APPLICATION,
        this.#instantiateIn(this.#left(term), substitution, mask, memo),
        this.#instantiateIn(this.#right(term), substitution, mask, memo),
      );
    } else if (kind === ABSTRACTION) {
      result = this.lambda(
        this.types.substitute(typeNumbered(this.#cell(term, LEFT)), substitution, memo),
        this.#instantiateIn(this.#right(term), substitution, mask, memo),
      );
    } else {
      const type = this.types.substitute(this.typeOf(term), substitution, memo);
      result = this.#make(kind, this.#cell(term, LEFT), type);
    }
    this.#remember(term, result);
    return result;
  }

  #occursIn(variable: TermId, term: TermId, mask: number): boolean {
    if ((this.#cell(term, FREE_MASK) & mask) === 0) return false;
    if (term === variable) return true;
    const kind = this.#rows[term * ROW + KIND];
    if ((kind !== APPLICATION && kind !== ABSTRACTION) || this.#rows[term * ROW + STAMP] === this.#traversal)
      return false;
    this.#remember(term, term);
    return kind === APPLICATION
      ? this.#occursIn(variable, this.#left(term), mask) || this.#occursIn(variable, this.#right(term), mask)
      : this.#occursIn(variable, this.#right(term), mask);
  }

  #remember(term: TermId, result: TermId): void {
    this.#rows[term * ROW + STAMP] = this.#traversal;
    this.#result[term] = result;
  }

  #resultOf(term: TermId): TermId {
    return termNumbered(tableEntry(this.#result, term));
  }

  // Of terms that are parts of known ones.

  #cell(term: TermId, column: number): number {
    return tableEntry(this.#rows, term * ROW + column);
  }

  #left(term: TermId): TermId {
    return termNumbered(tableEntry(this.#rows, term * ROW + LEFT));
  }

  #right(term: TermId): TermId {
    return termNumbered(tableEntry(this.#rows, term * ROW + RIGHT));
  }

  // Of terms that callers name: each number is checked.

  /** A column that every term has. */
  #column(term: TermId, column: number): number {
    const value = this.#rows[term * ROW + column];
    if (value === undefined || term >= this.#count) throw noSuch('term', term);
    return value;
  }

  /** A column of a term of that kind. */
  #part(term: TermId, kind: number, column: number): number {
    const value = this.#rows[term * ROW + column];
    if (value === undefined || this.#rows[term * ROW + KIND] !== kind)
      throw noSuch(`term of kind ${kind} with the number`, term);
    return value;
  }

  #make(kind: typeof APPLICATION, fun: TermId, argument: TermId): TermId;
  #make(kind: typeof ABSTRACTION, binder: TypeId, body: TermId): TermId;
  #make(kind: number, left: number, type: TypeId): TermId;
  #make(kind: number, left: number, right: number): TermId {
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
    if (this.#count === this.#result.length) this.#growRows();
    const [rows, row] = [this.#rows, this.#count * ROW];
    rows[row + KIND] = kind;
    rows[row + LEFT] = left;
    rows[row + RIGHT] = right;
    if (kind === APPLICATION) {
      const [fun, argument] = [termNumbered(left), termNumbered(right)];
      rows[row + TYPE] = this.types.range(this.typeOf(fun)) + 1;
      rows[row + LOOSE] = Math.max(this.#cell(fun, LOOSE), this.#cell(argument, LOOSE));
      rows[row + FREE_MASK] = this.#cell(fun, FREE_MASK) | this.#cell(argument, FREE_MASK);
      rows[row + TYPE_MASK] = this.#cell(fun, TYPE_MASK) | this.#cell(argument, TYPE_MASK);
    } else if (kind === ABSTRACTION) {
      const [binder, body] = [typeNumbered(left), termNumbered(right)];
      rows[row + TYPE] = this.types.fun(binder, this.typeOf(body)) + 1;
      rows[row + LOOSE] = Math.max(0, this.#cell(body, LOOSE) - 1);
      rows[row + FREE_MASK] = this.#cell(body, FREE_MASK);
      rows[row + TYPE_MASK] = this.types.mask(binder) | this.#cell(body, TYPE_MASK);
    } else {
      rows[row + TYPE] = right + 1;
      rows[row + LOOSE] = kind === BOUND ? left + 1 : 0;
      rows[row + FREE_MASK] = kind === FREE ? 1 << (left & 31) : 0;
      rows[row + TYPE_MASK] = this.types.mask(typeNumbered(right));
    }
    this.#count += 1;
    this.#table[slot] = this.#count;
    if (this.#count * 2 > this.#table.length) this.#growTable();
    return termNumbered(this.#count - 1);
  }

  #growRows(): void {
    const size = this.#result.length * 2;
    this.#rows = grown(this.#rows, size * ROW);
    this.#result = grown(this.#result, size);
    this.#depth = grown(this.#depth, size);
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

function grown(old: Int32Array, size: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(size);
  larger.set(old);
  return larger;
}

function hash(kind: number, left: number, right: number): number {
  let mixed = Math.imul(left, 0x9e3779b1) ^ Math.imul(right + kind, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0xc2b2ae35);
  return mixed ^ (mixed >>> 13);
}

function termNumbered(number: number): TermId {
  return number as TermId;
}

function typeNumbered(number: number): TypeId {
  return number as TypeId;
}

function constantNumbered(number: number): ConstantId {
  return number as ConstantId;
}
