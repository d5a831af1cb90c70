/**
 * Hash-consed terms: equal numbers if and only if alpha-equivalent. Bound variables are de Bruijn indices that carry
 * their type, so that every part of a term has a type of its own; free variables have names. Only well-typed terms can
 * be made. All terms that a rule sees are closed (no loose index); the parts of an abstraction need not be.
 *
 * Two masks with one bit per free (type) variable let substitutions skip what they cannot change: a clear bit proves
 * that the variable does not occur.
 */
import { LimitReached, Refusal } from './refusal.ts';
import type { TypeId, TypeSubstitution, Types } from './types.ts';

export type TermId = number;

export const FREE = 0;
export const BOUND = 1;
export const CONSTANT = 2;
export const APPLICATION = 3;
export const ABSTRACTION = 4;

/** The columns of a row. */
const KIND = 0;
/** Name, index or constant; function; type of the binder. */
const LEFT = 1;
/** Type of an atom; argument; body. */
const RIGHT = 2;
const TYPE = 3;
/** One more than the largest loose index, 0 when closed. */
const LOOSE = 4;
const FREE_MASK = 5;
const TYPE_MASK = 6;
/** The traversal that visited the term last. */
const STAMP = 7;
const ROW = 8;

export class Terms {
  readonly types: Types;
  readonly #limit: number;
  #count = 0;
  /** One row for each term, so that looking at a term touches one line of the processor's cache. */
  #rows = new Int32Array(1024 * ROW);
  /** Open addressing; 0 is empty, else a term plus 1. */
  #table: Int32Array;
  /** The result of the traversal that runs, valid where the stamp of the row is that of the traversal. */
  #result = new Int32Array(1024);
  #traversal = 0;
  /** Where results depend on the depth too: the depth that the result is for, and those for further depths. */
  #depth = new Int32Array(1024);
  readonly #furtherDepths = new Map<number, TermId>();
  readonly #names: string[] = [];
  readonly #nameIds = new Map<string, number>();

  /** `expected` terms fit without growing. */
  constructor(types: Types, limit: number, expected: number) {
    this.types = types;
    this.#limit = limit;
    while (this.#result.length < Math.min(expected, limit)) this.#growRows();
    this.#table = new Int32Array(this.#result.length * 2);
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
  constant(constant: number, type: TypeId): TermId {
    return this.#make(CONSTANT, constant, type);
  }

  apply(fun: TermId, argument: TermId): TermId {
    if (this.types.domainOrNone(this.typeOf(fun)) !== this.typeOf(argument)) {
      throw new Refusal('ill-typed', 'A function is applied to an argument of another type.');
    }
    return this.#make(APPLICATION, fun, argument);
  }

  /** `λ. body`, where the loose index 0 of the body, if it occurs, has the type of the binder. */
  lambda(binder: TypeId, body: TermId): TermId {
    return this.#make(ABSTRACTION, binder, body);
  }

  kind(term: TermId): number {
    return this.#rows[term * ROW + KIND] ?? -1;
  }

  left(term: TermId): number {
    return this.#rows[term * ROW + LEFT] ?? -1;
  }

  right(term: TermId): number {
    return this.#rows[term * ROW + RIGHT] ?? -1;
  }

  typeOf(term: TermId): TypeId {
    return this.#rows[term * ROW + TYPE] ?? -1;
  }

  looseBound(term: TermId): number {
    return this.#rows[term * ROW + LOOSE] ?? 0;
  }

  freeMask(term: TermId): number {
    return this.#rows[term * ROW + FREE_MASK] ?? 0;
  }

  typeMask(term: TermId): number {
    return this.#rows[term * ROW + TYPE_MASK] ?? 0;
  }

  nameOfFree(term: TermId): string {
    return this.#names[this.left(term)] ?? '';
  }

  isConstant(term: TermId, constant: number): boolean {
    return this.#rows[term * ROW + KIND] === CONSTANT && this.#rows[term * ROW + LEFT] === constant;
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
    if (this.left(abstraction) !== this.typeOf(argument)) {
      throw new Refusal('ill-typed', 'An abstraction is applied to an argument of another type.');
    }
    this.#traversal += 1;
    return this.#reduceAt(this.right(abstraction), argument, 0);
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
      if (this.kind(part) === APPLICATION) pending.push(this.left(part), this.right(part));
      else {
        visit(part);
        if (this.kind(part) === ABSTRACTION) pending.push(this.right(part));
      }
    }
  }

  #abstractAt(variable: TermId, term: TermId, depth: number, mask: number): TermId {
    if ((this.freeMask(term) & mask) === 0) return term;
    if (term === variable) return this.bound(depth, this.typeOf(variable));
    const kind = this.#rows[term * ROW + KIND];
    if (kind !== APPLICATION && kind !== ABSTRACTION) return term;
    const isSeen = this.#rows[term * ROW + STAMP] === this.#traversal;
    if (isSeen) {
      if (this.#depth[term] === depth) return this.#result[term] ?? term;
      const known = this.#furtherDepths.get(depth * 0x80000000 + term);
      if (known !== undefined) return known;
    }
    const left = this.left(term);
    const right = this.right(term);
    const result =
      kind === APPLICATION
        ? this.#make(
            APPLICATION,
            this.#abstractAt(variable, left, depth, mask),
            this.#abstractAt(variable, right, depth, mask),
          )
        : this.lambda(left, this.#abstractAt(variable, right, depth + 1, mask));
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
    if (this.looseBound(term) <= depth) return term;
    const kind = this.#rows[term * ROW + KIND];
    if (kind === BOUND) return argument;
    if (this.#rows[term * ROW + STAMP] === this.#traversal) return this.#result[term] ?? term;
    const left = this.left(term);
    const right = this.right(term);
    const result =
      kind === APPLICATION
        ? this.#make(
            APPLICATION,
            this.#reduceAt(left, argument, depth),
            this.#reduceAt(right, argument, depth),
          )
        : this.lambda(left, this.#reduceAt(right, argument, depth + 1));
    this.#remember(term, result);
    return result;
  }

  #substituteIn(term: TermId, mask: number): TermId {
    if ((this.freeMask(term) & mask) === 0) return term;
    if (this.#rows[term * ROW + STAMP] === this.#traversal) return this.#result[term] ?? term;
    const kind = this.#rows[term * ROW + KIND];
    if (kind !== APPLICATION && kind !== ABSTRACTION) return term;
    const left = this.left(term);
    const right = this.right(term);
    const result =
      kind === APPLICATION
        ? this.#make(APPLICATION, this.#substituteIn(left, mask), this.#substituteIn(right, mask))
        : this.lambda(left, this.#substituteIn(right, mask));
    this.#remember(term, result);
    return result;
  }

  #instantiateIn(
    term: TermId,
    substitution: TypeSubstitution,
    mask: number,
    memo: Map<TypeId, TypeId>,
  ): TermId {
    if ((this.typeMask(term) & mask) === 0) return term;
    if (this.#rows[term * ROW + STAMP] === this.#traversal) return this.#result[term] ?? term;
    const kind = this.kind(term);
    const left = this.left(term);
    const right = this.right(term);
    let result: TermId;
    if (kind === APPLICATION) {
      result = this.#make(
        APPLICATION,
        this.#instantiateIn(left, substitution, mask, memo),
        this.#instantiateIn(right, substitution, mask, memo),
      );
    } else if (kind === ABSTRACTION) {
      result = this.lambda(
        this.types.substitute(left, substitution, memo),
        this.#instantiateIn(right, substitution, mask, memo),
      );
    } else result = this.#make(kind, left, this.types.substitute(right, substitution, memo));
    this.#remember(term, result);
    return result;
  }

  #occursIn(variable: TermId, term: TermId, mask: number): boolean {
    if ((this.freeMask(term) & mask) === 0) return false;
    if (term === variable) return true;
    const kind = this.#rows[term * ROW + KIND];
    if ((kind !== APPLICATION && kind !== ABSTRACTION) || this.#rows[term * ROW + STAMP] === this.#traversal)
      return false;
    this.#remember(term, term);
    return (
      (kind === APPLICATION && this.#occursIn(variable, this.left(term), mask)) ||
      this.#occursIn(variable, this.right(term), mask)
    );
  }

  #remember(term: TermId, result: TermId): void {
    this.#rows[term * ROW + STAMP] = this.#traversal;
    this.#result[term] = result;
  }

  #make(kind: number, left: number, right: number): TermId {
    const bits = this.#table.length - 1;
    let slot = hash(kind, left, right) & bits;
    for (let found = this.#table[slot] ?? 0; found !== 0; found = this.#table[slot] ?? 0) {
      const term = found - 1;
      if (
        this.#rows[term * ROW + LEFT] === left &&
        this.#rows[term * ROW + RIGHT] === right &&
        this.#rows[term * ROW + KIND] === kind
      )
        return term;
      slot = (slot + 1) & bits;
    }
    return this.#add(kind, left, right, slot);
  }

  #add(kind: number, left: number, right: number, slot: number): TermId {
    const term = this.#count;
    if (term >= this.#limit)
      throw new LimitReached('size', `The proof makes more than ${this.#limit} terms.`);
    if (term === this.#result.length) this.#growRows();
    this.#count += 1;
    this.#rows[term * ROW + KIND] = kind;
    this.#rows[term * ROW + LEFT] = left;
    this.#rows[term * ROW + RIGHT] = right;
    if (kind === APPLICATION) {
      this.#rows[term * ROW + TYPE] = this.types.rangeOrNone(this.typeOf(left));
      this.#rows[term * ROW + LOOSE] = Math.max(this.looseBound(left), this.looseBound(right));
      this.#rows[term * ROW + FREE_MASK] = this.freeMask(left) | this.freeMask(right);
      this.#rows[term * ROW + TYPE_MASK] = this.typeMask(left) | this.typeMask(right);
    } else if (kind === ABSTRACTION) {
      this.#rows[term * ROW + TYPE] = this.types.fun(left, this.typeOf(right));
      this.#rows[term * ROW + LOOSE] = Math.max(0, this.looseBound(right) - 1);
      this.#rows[term * ROW + FREE_MASK] = this.freeMask(right);
      this.#rows[term * ROW + TYPE_MASK] = this.types.mask(left) | this.typeMask(right);
    } else {
      this.#rows[term * ROW + TYPE] = right;
      this.#rows[term * ROW + LOOSE] = kind === BOUND ? left + 1 : 0;
      this.#rows[term * ROW + FREE_MASK] = kind === FREE ? 1 << (left & 31) : 0;
      this.#rows[term * ROW + TYPE_MASK] = this.types.mask(right);
    }
    this.#table[slot] = term + 1;
    if (this.#count * 2 > this.#table.length) this.#growTable();
    return term;
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
      let slot = hash(this.kind(term), this.left(term), this.right(term)) & bits;
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
