/** Hash-consed sets of hypotheses: equal sets have equal numbers, 0 is the empty set, members ascend. */
import type { TermId, Terms } from './terms.ts';

export type HypothesesId = number;

export const NO_HYPOTHESES: HypothesesId = 0;

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
    return this.#members[set] ?? [];
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
    if (this.#unionOf[slot] === one && this.#unionWith[slot] === other) return this.#unionIs[slot] ?? one;
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
    return (
      ((this.#freeMask[set] ?? 0) & this.#terms.freeMask(variable)) !== 0 &&
      this.members(set).some((member) => this.#terms.occursFree(variable, member))
    );
  }

  #intern(members: readonly TermId[]): HypothesesId {
    if (members.length === 0) return NO_HYPOTHESES;
    let hash = 0;
    for (const member of members) hash = Math.imul(hash ^ member, 0x9e3779b1) ^ (hash >>> 15);
    const bits = this.#table.length - 1;
    let slot = (hash ^ (hash >>> 16)) & bits;
    for (let found = this.#table[slot] ?? 0; found !== 0; found = this.#table[slot] ?? 0) {
      if (this.#hash[found] === hash && areEqual(this.members(found), members)) return found;
      slot = (slot + 1) & bits;
    }
    const id = this.#members.length;
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
    for (let id = 1; id < this.#members.length; id += 1) {
      const hash = this.#hash[id] ?? 0;
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
  let [a, b] = [0, 0];
  while (a < one.length || b < other.length) {
    const left = one[a] ?? Infinity;
    const right = other[b] ?? Infinity;
    result.push(Math.min(left, right));
    if (left <= right) a += 1;
    if (right <= left) b += 1;
  }
  return result;
}
