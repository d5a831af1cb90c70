/**
 * The terms of a text trace as they stand there: bound variables have no types, parts may be ill typed. A term enters
 * the kernel when a step names it; then the types of its binders are known and everything is checked. Each part is
 * translated once for each list of binder types that it stands under.
 */
import { Refusal } from '../kernel/refusal.ts';
import { tableEntry } from '../kernel/tables.ts';
import type { TermId } from '../kernel/term.ts';
import type { Terms } from '../kernel/terms.ts';
import type { TypeId } from '../kernel/types.ts';
import { MalformedTrace } from './trace-reader.ts';

type Kind = typeof ATOM | typeof BOUND_INDEX | typeof APPLICATION | typeof ABSTRACTION;

/** `left` is a term of the kernel. */
const ATOM = 0;
const BOUND_INDEX = 1;
const APPLICATION = 2;
const ABSTRACTION = 3;

const NO_BINDERS = 0;

/** The columns of a row. */
const KIND = 0;
const LEFT = 1;
const RIGHT = 2;
/** One more than the largest index without a binder. */
const LOOSE = 3;
/** The last translation and the list of binders for which it holds, or `NEVER`. */
const BINDERS = 4;
const TRANSLATED = 5;
const ROW = 8;

const NEVER = -1;

/** An index must fit into its column with one added. */
const MOST_BINDERS = 0x7fffffff;

export class UncheckedTerms {
  readonly #terms: Terms;
  #count = 0;
  #rows: Int32Array;
  /** Translations under other lists than the last. */
  readonly #further = new Map<string, TermId>();
  /** Lists of binder types, innermost first; 0 is empty, and list n is the n-th here. */
  readonly #binders: { readonly innermost: TypeId; readonly outer: number }[] = [];
  readonly #lists = new Map<number, number>();

  /** `expected` terms fit without growing. */
  constructor(terms: Terms, expected = 1024) {
    this.#terms = terms;
    this.#rows = new Int32Array(Math.max(1, expected) * ROW);
  }

  get count(): number {
    return this.#count;
  }

  addAtom(term: TermId): void {
    this.#add(ATOM, term, 0, 0);
  }

  addBound(index: number): void {
    if (index >= MOST_BINDERS) throw new MalformedTrace(`There are no ${index} binders around a variable.`);
    this.#add(BOUND_INDEX, index, 0, index + 1);
  }

  addApplication(fun: number, argument: number): void {
    this.#add(
      APPLICATION,
      this.#known(fun),
      this.#known(argument),
      Math.max(this.#looseAt(fun), this.#looseAt(argument)),
    );
  }

  addAbstraction(binder: TypeId, body: number): void {
    this.#add(ABSTRACTION, binder, this.#known(body), Math.max(0, this.#looseAt(body) - 1));
  }

  /** The checked term; it must be closed. */
  check(term: number): TermId {
    if (this.#looseAt(this.#known(term)) > 0) {
      throw new Refusal('ill-typed', 'A bound variable has no binder.');
    }
    return this.#check(term, NO_BINDERS);
  }

  #check(term: number, binders: number): TermId {
    const list = this.#rows[term * ROW + LOOSE] === 0 ? NO_BINDERS : binders;
    const before = this.#rows[term * ROW + BINDERS];
    if (before === list) return termStored(tableEntry(this.#rows, term * ROW + TRANSLATED));
    if (before !== NEVER) {
      const known = this.#further.get(`${term} ${list}`);
      if (known !== undefined) return known;
    }
    const result = this.#translate(term, list);
    if (before !== NEVER) this.#further.set(`${term} ${list}`, result);
    else {
      this.#rows[term * ROW + BINDERS] = list;
      this.#rows[term * ROW + TRANSLATED] = result;
    }
    return result;
  }

  #translate(term: number, binders: number): TermId {
    const terms = this.#terms;
    const left = tableEntry(this.#rows, term * ROW + LEFT);
    const right = tableEntry(this.#rows, term * ROW + RIGHT);
    switch (this.#rows[term * ROW + KIND]) {
      case ATOM:
        return termStored(left);
      case BOUND_INDEX:
        return terms.bound(left, this.#binderAt(left, binders));
      case APPLICATION:
        return terms.apply(this.#check(left, binders), this.#check(right, binders));
      default: {
        const binder = typeStored(left);
        return terms.lambda(binder, this.#check(right, this.#under(binder, binders)));
      }
    }
  }

  #binderAt(index: number, binders: number): TypeId {
    let list = this.#binders[binders - 1];
    for (let further = index; further > 0 && list !== undefined; further -= 1)
      list = this.#binders[list.outer - 1];
    if (list === undefined) throw new Refusal('ill-typed', 'A bound variable has no binder.');
    return list.innermost;
  }

  #under(type: TypeId, binders: number): number {
    const key = type * 0x4000000 + binders;
    const known = this.#lists.get(key);
    if (known !== undefined) return known;
    this.#binders.push({ innermost: type, outer: binders });
    this.#lists.set(key, this.#binders.length);
    return this.#binders.length;
  }

  #looseAt(term: number): number {
    return tableEntry(this.#rows, term * ROW + LOOSE);
  }

  #known(term: number): number {
    if (term >= this.#count) throw new MalformedTrace(`The term ${term} is used before it is given.`);
    return term;
  }

  #add(kind: Kind, left: number, right: number, loose: number): void {
    if (this.#count * ROW === this.#rows.length) this.#grow();
    const term = this.#count;
    this.#count += 1;
    this.#rows[term * ROW + KIND] = kind;
    this.#rows[term * ROW + LEFT] = left;
    this.#rows[term * ROW + RIGHT] = right;
    this.#rows[term * ROW + LOOSE] = loose;
    this.#rows[term * ROW + BINDERS] = NEVER;
  }

  #grow(): void {
    const larger = new Int32Array(this.#rows.length * 2);
    larger.set(this.#rows);
    this.#rows = larger;
  }
}

/** What a row holds of the kernel's, as it was put there. */
function termStored(number: number): TermId {
  return number as TermId;
}

function typeStored(number: number): TypeId {
  return number as TypeId;
}
