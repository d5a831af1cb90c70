/**
 * Hash-consed sets of hypotheses: equal sets have equal numbers, 0 is the empty set, members ascend. Only this
 * class makes a `HypothesesId`, and a read of a number that it did not give throws.
 */
import { tableEntry, noSuch } from './tables.ts';
import type { TermId } from './term.ts';
import type { Terms } from './terms.ts';

declare const hypothesesBrand: unique symbol;

export type HypothesesId = number & { readonly [hypothesesBrand]: true };

export const NO_HYPOTHESES = setNumbered(0);

/** How many unions are remembered; a later one may take the place of an earlier one. */
const UNION_SLOTS = 1 << 16;

export class Hypotheses {
  readonly #terms: Terms;
  readonly #members: (readonly TermId[])[] = [[]];
  readonly #freeMask: number[] = [0];
  readonly #hash: number[] = [0];
  /** By open addressing; 0 is empty, which no set but the empty one is. */
  #table = new Int32Array(4096);
  readonly #unionOf = new Int32Array(UNION_SLOTS);
  readonly #unionWith = new Int32Array(UNION_SLOTS);
  readonly #unionIs = new Int32Array(UNION_SLOTS);

  constructor(terms: Terms) {
    this.#terms = terms;
  }

  members(set: HypothesesId): readonly TermId[] {
    const members = this.#members[set];
    if (members === undefined) throw noSuch('set of hypotheses', set);
    return members;
  }

  single(term: TermId): HypothesesId {
    return this.#intern([term]);
  }

  /** Of terms in any order, with repetitions. */
  of(terms: readonly TermId[]): HypothesesId {
    return this.#intern([...new Set(terms)].sort((a, b) => a - b));
  }

  union(one: HypothesesId, other: HypothesesId): HypothesesId {
    if (one === other || other === NO_HYPOTHESES) return one;
    if (one === NO_HYPOTHESES) return other;
    const slot = (Math.imul(one, 0x9e3779b1) ^ Math.imul(other, 0x85ebca6b)) & (UNION_SLOTS - 1);
    if (this.#unionOf[slot] === one && this.#unionWith[slot] === other)
      return setNumbered(tableEntry(this.#unionIs, slot));
    const result = this.#intern(merge(this.members(one), this.members(other)));
    this.#unionOf[slot] = one;
    this.#unionWith[slot] = other;
    this.#unionIs[slot] = result;
    return result;
  }

  without(set: HypothesesId, term: TermId): HypothesesId {
    const members = this.members(set);
    return members.includes(term) ? this.#intern(members.filter((member) => member !== term)) : set;
  }

  map(set: HypothesesId, change: (term: TermId) => TermId): HypothesesId {
    return set === NO_HYPOTHESES ? set : this.of(this.members(set).map(change));
  }

  occursFree(variable: TermId, set: HypothesesId): boolean {
    const mask = this.#freeMask[set];
    if (mask === undefined) throw noSuch('set of hypotheses', set);
    return (
      (mask & this.#terms.freeMask(variable)) !== 0 &&
      this.members(set).some((member) => this.#terms.occursFree(variable, member))
    );
  }

  #intern(members: readonly TermId[]): HypothesesId {
    if (members.length === 0) return NO_HYPOTHESES;
    let hash = 0;
    for (const member of members) hash = Math.imul(hash ^ member, 0x9e3779b1) ^ (hash >>> 15);
    const bits = this.#table.length - 1;
    let slot = (hash ^ (hash >>> 16)) & bits;
    for (
      let found = tableEntry(this.#table, slot);
      found !== 0;
      slot = (slot + 1) & bits, found = tableEntry(this.#table, slot)
    ) {
      const known = setNumbered(found);
      if (this.#hash[known] === hash && areEqual(this.members(known), members)) return known;
    }
    const id = setNumbered(this.#members.length);
    this.#members.push(members);
    this.#hash.push(hash);
    this.#freeMask.push(members.reduce((mask, term) => mask | this.#terms.freeMask(term), 0));
    this.#table[slot] = id;
    if (id * 2 > this.#table.length) this.#grow();
    return id;
  }

  #grow(): void {
    const table = new Int32Array(this.#table.length * 2);
    const bits = table.length - 1;
    for (const [id, hash] of this.#hash.entries()) {
      if (id === NO_HYPOTHESES) continue;
      let slot = (hash ^ (hash >>> 16)) & bits;
      while (table[slot] !== 0) slot = (slot + 1) & bits;
      table[slot] = id;
    }
    this.#table = table;
  }
}

function areEqual(one: readonly TermId[], other: readonly TermId[]): boolean {
  return one.length === other.length && one.every((member, at) => member === other[at]);
}

/** Of two ascending lists. */
function merge(one: readonly TermId[], other: readonly TermId[]): TermId[] {
  const result: TermId[] = [];
  let at = 0;
  for (const left of one) {
    for (let right = other[at]; right !== undefined && right <= left; right = other[at]) {
      if (right < left) result.push(right);
      at += 1;
    }
    result.push(left);
  }
  for (let right = other[at]; right !== undefined; right = other[at]) {
    result.push(right);
    at += 1;
  }
  return result;
}

function setNumbered(number: number): HypothesesId {
  return number as HypothesesId;
}
