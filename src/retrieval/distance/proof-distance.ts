/**
 * How different two proofs are (RocqStar, https://arxiv.org/abs/2505.22846, section 2): with the lists of tactics p
 * and q,
 *
 *   D_L = Lev(p, q) / max(|p|, |q|)   replacing one tactic by another costs the Levenshtein distance of their texts
 *                                     divided by the longer text; inserting or deleting one costs 1
 *   D_J = 1 - |p ∩ q| / |p ∪ q|       of the sets of tactics
 *   distance = α D_L + (1 - α) D_J + γ,   α = 0.7, γ uniform in (-ε, +ε), ε = 0 unless said otherwise
 *
 * Symmetric, 0 for equal lists and, with ε = 0 and α > 0, for no others, never above 1. Not a metric: dividing by the
 * longer list breaks the triangle inequality, as it does for strings.
 */
import { entryAt } from '../../core/entry.ts';
import { RowCache } from './row-cache.ts';
import { SortedStrings, StringDistance, type EncodedString } from './string-distance.ts';

export interface DistanceOptions {
  /** The share of D_L, in [0, 1]. */
  readonly alpha?: number;
  /** ε, and numbers in [0, 1) to draw γ with. */
  readonly noise?: { readonly amplitude: number; readonly random: () => number };
}

const DEFAULT_ALPHA = 0.7;

/** Bytes of distances between tactics that are kept while many pairs of proofs are compared. */
const KEPT_BYTES = 128 * 1024 ** 2;

interface StoredProof {
  /** Numbers of its tactics. */
  readonly tactics: Uint32Array;
  /** The set of them, in rising order. */
  readonly distinct: Uint32Array;
}

/** For some tactics the distances of their texts to all others'. */
interface TacticRows {
  readonly sorted: SortedStrings;
  readonly kept: RowCache<Uint32Array>;
}

/** Proofs that are compared with each other; equal tactics are kept once. */
export class ProofSpace {
  readonly #alpha: number;
  readonly #noise: DistanceOptions['noise'];
  readonly #strings = new StringDistance();
  readonly #numbers = new Map<string, number>();
  readonly #texts: EncodedString[] = [];
  readonly #proofs: StoredProof[] = [];
  /** For {@link from}, until a tactic is added. */
  #toAll: TacticRows | undefined;
  #above = new Float64Array(64);

  constructor(options: DistanceOptions = {}) {
    this.#alpha = options.alpha ?? DEFAULT_ALPHA;
    this.#noise = options.noise;
  }

  get size(): number {
    return this.#proofs.length;
  }

  /** The proof's number, counting from 0. */
  add(tactics: readonly string[]): number {
    const numbers = Uint32Array.from(tactics, (tactic) => this.#numberOf(tactic));
    this.#proofs.push({ tactics: numbers, distinct: Uint32Array.from(new Set(numbers)).sort() });
    return this.#proofs.length - 1;
  }

  distance(one: number, other: number): number {
    return this.#distance(this.#proof(one), this.#proof(other), (left, right) =>
      this.#strings.between(this.#texts[left] ?? NOTHING, this.#texts[right] ?? NOTHING),
    );
  }

  /** The distances of proof 0 to those behind it, then those of proof 1 to those behind it, and so on. */
  *rows(): Generator<Float32Array> {
    const count = this.#proofs.length;
    const { sorted, kept } = this.#tacticRows();
    const lastUse = new Uint32Array(this.#texts.length);
    this.#proofs.forEach(({ distinct }, at) => {
      for (const tactic of distinct) lastUse[tactic] = at;
    });
    const edits = new Array<Uint32Array | undefined>(this.#texts.length).fill(undefined);
    for (const [one, proof] of this.#proofs.entries()) {
      for (const tactic of proof.distinct)
        edits[tactic] = kept.get(tactic, () =>
          this.#row(tactic, sorted, (text) => (lastUse[text] ?? 0) >= one),
        );
      const row = new Float32Array(count - one - 1);
      for (let other = one + 1; other < count; other += 1)
        row[other - one - 1] = this.#distance(
          proof,
          this.#proof(other),
          (left, right) => edits[left]?.[right] ?? edits[right]?.[left] ?? NaN,
        );
      for (const tactic of proof.distinct) {
        edits[tactic] = undefined;
        if (lastUse[tactic] === one) kept.delete(tactic);
      }
      yield row;
    }
  }

  /** The distances of one proof to all, itself among them. */
  from(one: number): Float32Array {
    const proof = this.#proof(one);
    const { sorted, kept } = (this.#toAll ??= this.#tacticRows());
    const edits = new Array<Uint32Array | undefined>(this.#texts.length).fill(undefined);
    for (const tactic of proof.distinct)
      edits[tactic] = kept.get(tactic, () => this.#row(tactic, sorted, () => true));
    return Float32Array.from(this.#proofs, (other) =>
      this.#distance(proof, other, (left, right) => edits[left]?.[right] ?? edits[right]?.[left] ?? NaN),
    );
  }

  #tacticRows(): TacticRows {
    return { sorted: new SortedStrings(this.#texts), kept: new RowCache(KEPT_BYTES) };
  }

  #row(tactic: number, sorted: SortedStrings, wanted: (text: number) => boolean): Uint32Array {
    const row = new Uint32Array(this.#texts.length);
    this.#strings.toMany(this.#texts[tactic] ?? NOTHING, sorted, wanted, row);
    return row;
  }

  #proof(number: number): StoredProof {
    const proof = this.#proofs[number];
    if (proof === undefined) throw new RangeError(`There is no proof ${number}.`);
    return proof;
  }

  #distance(one: StoredProof, other: StoredProof, edits: (left: number, right: number) => number): number {
    const longer = Math.max(one.tactics.length, other.tactics.length);
    const noise = this.#noise === undefined ? 0 : (2 * this.#noise.random() - 1) * this.#noise.amplitude;
    if (longer === 0) return noise;
    const lists = this.#listDistance(one.tactics, other.tactics, edits) / longer;
    return this.#alpha * lists + (1 - this.#alpha) * setDistance(one.distinct, other.distinct) + noise;
  }

  /**
   * The weighted Levenshtein distance of two lists. No replacement costs more than a deletion: so equal beginnings
   * and ends may be left out, and no list is further than replacing place by place; cells that are on no path as
   * short as that are not computed (Ukkonen's band).
   */
  #listDistance(
    one: Uint32Array,
    other: Uint32Array,
    edits: (left: number, right: number) => number,
  ): number {
    if (one.length > other.length) return this.#listDistance(other, one, edits);
    const texts = this.#texts;
    const replacement = (left: number, right: number): number =>
      left === right
        ? 0
        : edits(left, right) /
          Math.max(entryAt(texts, left, 'tactic').length, entryAt(texts, right, 'tactic').length);
    let start = 0;
    let rows = one.length;
    let columns = other.length;
    while (start < rows && one[start] === other[start]) start += 1;
    while (rows > start && one[rows - 1] === other[columns - 1]) {
      rows -= 1;
      columns -= 1;
    }
    rows -= start;
    columns -= start;
    if (rows === 0) return columns;
    const shift = columns - rows;
    let bound = shift;
    for (let at = start; at < start + rows; at += 1) bound += replacement(one[at] ?? 0, other[at] ?? 0);
    // A path through a cell that is `ahead` of the diagonal has |ahead| + |shift - ahead| insertions and deletions.
    const slack = Math.floor((bound - shift) / 2);
    if (this.#above.length <= columns) this.#above = new Float64Array(2 * columns + 1);
    const above = this.#above;
    for (let column = 0; column <= columns; column += 1) above[column] = column;
    for (let row = 1; row <= rows; row += 1) {
      const from = Math.max(1, row - slack);
      const edge = row + shift + slack;
      const to = Math.min(columns, edge);
      let diagonal = above[from - 1] ?? Infinity;
      let left = from === 1 ? row : Infinity;
      above[from - 1] = left;
      const tactic = one[start + row - 1] ?? 0;
      for (let column = from; column <= to; column += 1) {
        const before = above[column] ?? Infinity;
        let cost = diagonal + replacement(tactic, other[start + column - 1] ?? 0);
        if (left + 1 < cost) cost = left + 1;
        // The last cell of the band has none above it: what stands there is of an older row.
        if (before + 1 < cost && (column < edge || row === 1)) cost = before + 1;
        diagonal = before;
        above[column] = left = cost;
      }
    }
    return above[columns] ?? Infinity;
  }

  #numberOf(tactic: string): number {
    const known = this.#numbers.get(tactic);
    if (known !== undefined) return known;
    this.#toAll = undefined;
    this.#numbers.set(tactic, this.#texts.length);
    this.#texts.push(this.#strings.encode(tactic));
    return this.#texts.length - 1;
  }
}

const NOTHING: EncodedString = new Uint32Array(0);

/** The Jaccard distance of two sets in rising order; 0 for two empty ones. */
function setDistance(one: Uint32Array, other: Uint32Array): number {
  let common = 0;
  let left = 0;
  let right = 0;
  while (left < one.length && right < other.length) {
    const difference = (one[left] ?? 0) - (other[right] ?? 0);
    if (difference === 0) common += 1;
    if (difference <= 0) left += 1;
    if (difference >= 0) right += 1;
  }
  const all = one.length + other.length - common;
  return all === 0 ? 0 : 1 - common / all;
}

/** The distance of two proofs. For many pairs use a {@link ProofSpace}. */
export function proofDistance(
  one: readonly string[],
  other: readonly string[],
  options: DistanceOptions = {},
): number {
  const space = new ProofSpace(options);
  return space.distance(space.add(one), space.add(other));
}
