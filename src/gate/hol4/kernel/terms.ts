/**
 * Hash-consed terms: equal numbers if and only if alpha-equivalent. Bound variables are de Bruijn indices that carry
 * their type, so that every part of a term has a type of its own; free variables have names. Only well-typed terms can
 * be made, and only by this class; a read of a number that it did not give, or of a part that a term does not have,
 * throws. All terms that a rule sees are closed (no loose index); the parts of an abstraction need not be.
 *
 * Two masks with one bit per free (type) variable let substitutions skip what they cannot change: a clear bit proves
 * that the variable does not occur.
 */
import { Refusal } from './refusal.ts';
import type { ConstantId } from './signature.ts';
import { tableEntry, noSuch } from './tables.ts';
import {
  FREE_MASK,
  grown,
  KIND,
  LEFT,
  LOOSE,
  RIGHT,
  STAMP,
  termNumbered,
  TermRows,
  TYPE_MASK,
  typeNumbered,
} from './term-rows.ts';
import { ABSTRACTION, APPLICATION, BOUND, CONSTANT, FREE, type TermId } from './term.ts';
import type { TypeId, TypeSubstitution, Types } from './types.ts';

export class Terms {
  readonly types: Types;
  readonly #rows: TermRows;
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
    this.#rows = new TermRows(types, limit, expected);
    this.#result = new Int32Array(this.#rows.size);
    this.#depth = new Int32Array(this.#rows.size);
  }

  get count(): number {
    return this.#rows.count;
  }

  free(name: string, type: TypeId): TermId {
    let id = this.#nameIds.get(name);
    if (id === undefined) {
      id = this.#names.length;
      this.#names.push(name);
      this.#nameIds.set(name, id);
    }
    return this.#rows.make(FREE, id, type);
  }

  bound(index: number, type: TypeId): TermId {
    return this.#rows.make(BOUND, index, type);
  }

  /** The caller (the signature) has checked that the type is an instance of the constant's. */
  constant(constant: ConstantId, type: TypeId): TermId {
    return this.#rows.make(CONSTANT, constant, type);
  }

  apply(fun: TermId, argument: TermId): TermId {
    if (this.types.domain(this.typeOf(fun)) !== this.typeOf(argument)) {
      throw new Refusal('ill-typed', 'A function is applied to an argument of another type.');
    }
    return this.#rows.make(APPLICATION, fun, argument);
  }

  /** `λ. body`, where the loose index 0 of the body, if it occurs, has the type of the binder. */
  lambda(binder: TypeId, body: TermId): TermId {
    return this.#rows.make(ABSTRACTION, binder, body);
  }

  kind(term: TermId): number {
    return this.#rows.kindOf(term);
  }

  functionOf(application: TermId): TermId {
    return termNumbered(this.#rows.part(application, APPLICATION, LEFT));
  }

  argumentOf(application: TermId): TermId {
    return termNumbered(this.#rows.part(application, APPLICATION, RIGHT));
  }

  binderOf(abstraction: TermId): TypeId {
    return typeNumbered(this.#rows.part(abstraction, ABSTRACTION, LEFT));
  }

  bodyOf(abstraction: TermId): TermId {
    return termNumbered(this.#rows.part(abstraction, ABSTRACTION, RIGHT));
  }

  indexOf(bound: TermId): number {
    return this.#rows.part(bound, BOUND, LEFT);
  }

  constantOf(term: TermId): ConstantId {
    return constantNumbered(this.#rows.part(term, CONSTANT, LEFT));
  }

  nameOfFree(variable: TermId): string {
    const name = this.#names[this.#rows.part(variable, FREE, LEFT)];
    if (name === undefined) throw noSuch('name of the variable', variable);
    return name;
  }

  typeOf(term: TermId): TypeId {
    return this.#rows.typeOf(term);
  }

  looseBound(term: TermId): number {
    return this.#rows.column(term, LOOSE);
  }

  freeMask(term: TermId): number {
    return this.#rows.column(term, FREE_MASK);
  }

  isConstant(term: TermId, constant: ConstantId): boolean {
    return this.kind(term) === CONSTANT && this.#rows.cell(term, LEFT) === constant;
  }

  /** Whether a term is `constant left right`. */
  isBinary(term: TermId, constant: ConstantId): boolean {
    if (this.kind(term) !== APPLICATION) return false;
    const head = this.#rows.left(term);
    if (this.#rows.cell(head, KIND) !== APPLICATION) return false;
    const fun = this.#rows.left(head);
    return this.#rows.cell(fun, KIND) === CONSTANT && this.#rows.cell(fun, LEFT) === constant;
  }

  /** `λv. term`. */
  abstract(variable: TermId, term: TermId): TermId {
    this.#begin();
    if (this.#furtherDepths.size > 0) this.#furtherDepths.clear();
    const body = this.#abstractAt(variable, term, 0, this.freeMask(variable));
    return this.lambda(this.typeOf(variable), body);
  }

  /** The body of an abstraction with its index 0 replaced: the beta-reduct of `(λ. body) argument`. */
  reduce(abstraction: TermId, argument: TermId): TermId {
    if (this.binderOf(abstraction) !== this.typeOf(argument)) {
      throw new Refusal('ill-typed', 'An abstraction is applied to an argument of another type.');
    }
    this.#begin();
    return this.#reduceAt(this.bodyOf(abstraction), argument, 0);
  }

  /** Replaces free variables, all at once. Types must agree. */
  substitute(term: TermId, substitution: ReadonlyMap<TermId, TermId>): TermId {
    this.#begin();
    let mask = 0;
    for (const [variable, replacement] of substitution) {
      this.#remember(variable, replacement);
      mask |= this.freeMask(variable);
    }
    return this.#substituteIn(term, mask);
  }

  instantiate(term: TermId, substitution: TypeSubstitution, mask: number, memo: Map<TypeId, TypeId>): TermId {
    this.#begin();
    return this.#instantiateIn(term, substitution, mask, memo);
  }

  occursFree(variable: TermId, term: TermId): boolean {
    const mask = this.freeMask(variable);
    if ((this.freeMask(term) & mask) === 0) return false;
    this.#begin();
    return this.#occursIn(variable, term, mask);
  }

  /** Calls `visit` once for every atom and abstraction of a term, loose indices included. */
  forEachLeafAndBinder(term: TermId, visit: (part: TermId) => void): void {
    this.#begin();
    const pending = [term];
    for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
      if (this.#rows.cell(part, STAMP) === this.#traversal) continue;
      this.#remember(part, part);
      if (this.kind(part) === APPLICATION) pending.push(this.functionOf(part), this.argumentOf(part));
      else {
        visit(part);
        if (this.kind(part) === ABSTRACTION) pending.push(this.bodyOf(part));
      }
    }
  }

  /** Terms that a traversal makes have no result in it: those there are at its beginning are all that need room. */
  #begin(): void {
    this.#traversal += 1;
    if (this.#result.length === this.#rows.size) return;
    this.#result = grown(this.#result, this.#rows.size);
    this.#depth = grown(this.#depth, this.#rows.size);
  }

  #abstractAt(variable: TermId, term: TermId, depth: number, mask: number): TermId {
    if ((this.#rows.cell(term, FREE_MASK) & mask) === 0) return term;
    if (term === variable) return this.bound(depth, this.typeOf(variable));
    const kind = this.#rows.cell(term, KIND);
    if (kind !== APPLICATION && kind !== ABSTRACTION) return term;
    const isSeen = this.#rows.cell(term, STAMP) === this.#traversal;
    if (isSeen) {
      if (this.#depth[term] === depth) return this.#resultOf(term);
      const known = this.#furtherDepths.get(depth * 0x80000000 + term);
      if (known !== undefined) return known;
    }
    const result =
      kind === APPLICATION
        ? this.#rows.make(
            APPLICATION,
            this.#abstractAt(variable, this.#rows.left(term), depth, mask),
            this.#abstractAt(variable, this.#rows.right(term), depth, mask),
          )
        : this.lambda(
            typeNumbered(this.#rows.cell(term, LEFT)),
            this.#abstractAt(variable, this.#rows.right(term), depth + 1, mask),
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
    if (this.#rows.cell(term, LOOSE) <= depth) return term;
    const kind = this.#rows.cell(term, KIND);
    if (kind === BOUND) return argument;
    if (this.#rows.cell(term, STAMP) === this.#traversal) return this.#resultOf(term);
    const result =
      kind === APPLICATION
        ? this.#rows.make(
            APPLICATION,
            this.#reduceAt(this.#rows.left(term), argument, depth),
            this.#reduceAt(this.#rows.right(term), argument, depth),
          )
        : this.lambda(
            typeNumbered(this.#rows.cell(term, LEFT)),
            this.#reduceAt(this.#rows.right(term), argument, depth + 1),
          );
    this.#remember(term, result);
    return result;
  }

  #substituteIn(term: TermId, mask: number): TermId {
    if ((this.#rows.cell(term, FREE_MASK) & mask) === 0) return term;
    if (this.#rows.cell(term, STAMP) === this.#traversal) return this.#resultOf(term);
    const kind = this.#rows.cell(term, KIND);
    if (kind !== APPLICATION && kind !== ABSTRACTION) return term;
    const result =
      kind === APPLICATION
        ? this.#rows.make(
            APPLICATION,
            this.#substituteIn(this.#rows.left(term), mask),
            this.#substituteIn(this.#rows.right(term), mask),
          )
        : this.lambda(
            typeNumbered(this.#rows.cell(term, LEFT)),
            this.#substituteIn(this.#rows.right(term), mask),
          );
    this.#remember(term, result);
    return result;
  }

  #instantiateIn(
    term: TermId,
    substitution: TypeSubstitution,
    mask: number,
    memo: Map<TypeId, TypeId>,
  ): TermId {
    if ((this.#rows.cell(term, TYPE_MASK) & mask) === 0) return term;
    if (this.#rows.cell(term, STAMP) === this.#traversal) return this.#resultOf(term);
    const kind = this.#rows.cell(term, KIND);
    let result: TermId;
    if (kind === APPLICATION) {
      result = this.#rows.make(
        APPLICATION,
        this.#instantiateIn(this.#rows.left(term), substitution, mask, memo),
        this.#instantiateIn(this.#rows.right(term), substitution, mask, memo),
      );
    } else if (kind === ABSTRACTION) {
      result = this.lambda(
        this.types.substitute(typeNumbered(this.#rows.cell(term, LEFT)), substitution, memo),
        this.#instantiateIn(this.#rows.right(term), substitution, mask, memo),
      );
    } else {
      const type = this.types.substitute(this.typeOf(term), substitution, memo);
      result = this.#rows.make(kind, this.#rows.cell(term, LEFT), type);
    }
    this.#remember(term, result);
    return result;
  }

  #occursIn(variable: TermId, term: TermId, mask: number): boolean {
    if ((this.#rows.cell(term, FREE_MASK) & mask) === 0) return false;
    if (term === variable) return true;
    const kind = this.#rows.cell(term, KIND);
    if ((kind !== APPLICATION && kind !== ABSTRACTION) || this.#rows.cell(term, STAMP) === this.#traversal)
      return false;
    this.#remember(term, term);
    return kind === APPLICATION
      ? this.#occursIn(variable, this.#rows.left(term), mask) ||
          this.#occursIn(variable, this.#rows.right(term), mask)
      : this.#occursIn(variable, this.#rows.right(term), mask);
  }

  #remember(term: TermId, result: TermId): void {
    this.#rows.stamp(term, this.#traversal);
    this.#result[term] = result;
  }

  #resultOf(term: TermId): TermId {
    return termNumbered(tableEntry(this.#result, term));
  }
}

function constantNumbered(number: number): ConstantId {
  return number as ConstantId;
}
