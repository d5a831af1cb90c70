/**
 * Nearest neighbours under TF-IDF cosine similarity, over an inverted index. Exact; features that stand in more than a
 * fifth of a large collection are skipped because their weight is near nothing and their lists are long.
 */
import { entryAt, orZero } from '../../core/entry.ts';
import type { FeatureVector } from './goal-features.ts';

export interface Neighbour<Item> {
  readonly item: Item;
  /** In [0, 1]. */
  readonly similarity: number;
}

/** The items with a feature, in the order in which they were added, and the weight of the feature in each. */
class Posting {
  ids = new Uint32Array(4);
  weights = new Float64Array(4);
  length = 0;

  add(id: number, weight: number): void {
    if (this.length === this.ids.length) {
      const [ids, weights] = [new Uint32Array(this.length * 2), new Float64Array(this.length * 2)];
      ids.set(this.ids);
      weights.set(this.weights);
      [this.ids, this.weights] = [ids, weights];
    }
    this.ids[this.length] = id;
    this.weights[this.length] = weight;
    this.length += 1;
  }
}

export class NearestIndex<Item> {
  readonly #items: Item[] = [];
  readonly #postings = new Map<number, Posting>();
  #norms: Float64Array | undefined;

  add(item: Item, vector: FeatureVector): void {
    const id = this.#begin(item);
    for (const [feature, weight] of vector) this.#posting(feature).add(id, weight);
  }

  /** The same of an item whose features all have the weight 1. */
  addEven(item: Item, features: readonly number[]): void {
    const id = this.#begin(item);
    for (const feature of features) this.#posting(feature).add(id, 1);
  }

  #begin(item: Item): number {
    this.#norms = undefined;
    return this.#items.push(item) - 1;
  }

  #posting(feature: number): Posting {
    let posting = this.#postings.get(feature);
    if (posting === undefined) this.#postings.set(feature, (posting = new Posting()));
    return posting;
  }

  inverseFrequency(feature: number): number {
    const count = orZero(this.#postings.get(feature)?.length);
    return Math.log(1 + this.#items.length / (1 + count));
  }

  /** Every item with the feature, in the order in which they were added. */
  itemsWith(feature: number): Item[] {
    const posting = this.#postings.get(feature);
    if (posting === undefined) return [];
    return Array.from(posting.ids.subarray(0, posting.length), (id) => entryAt(this.#items, id, 'item'));
  }

  /** The `count` most similar items, best first; ties by recency (later added first). */
  nearest(query: FeatureVector, count: number): Neighbour<Item>[] {
    const norms = (this.#norms ??= this.#computeNorms());
    const scores = new Float64Array(this.#items.length);
    const touched: number[] = [];
    const common = this.#items.length > 500 ? this.#items.length / 5 : Infinity;
    let queryNorm = 0;
    for (const [feature, weight] of query) {
      const posting = this.#postings.get(feature);
      const idf = this.inverseFrequency(feature);
      queryNorm += (weight * idf) ** 2;
      if (posting === undefined || posting.length > common) continue;
      const factor = weight * idf * idf;
      for (let at = 0; at < posting.length; at += 1) {
        const id = posting.ids[at] ?? 0;
        if (scores[id] === 0) touched.push(id);
        scores[id] = (scores[id] ?? 0) + factor * (posting.weights[at] ?? 0);
      }
    }
    const length = Math.sqrt(queryNorm) || 1;
    for (const id of touched) scores[id] = (scores[id] ?? 0) / (length * ((norms[id] ?? 0) || 1));
    const best = aboveRank(touched, scores, count);
    best.sort((left, right) => (scores[right] ?? 0) - (scores[left] ?? 0) || right - left);
    return best.slice(0, count).map((id) => {
      return { item: entryAt(this.#items, id, 'item'), similarity: Math.min(1, scores[id] ?? 0) };
    });
  }

  #computeNorms(): Float64Array {
    const norms = new Float64Array(this.#items.length);
    for (const [feature, { ids, weights, length }] of this.#postings) {
      const idf = this.inverseFrequency(feature);
      for (let at = 0; at < length; at += 1) {
        const id = ids[at] ?? 0;
        norms[id] = (norms[id] ?? 0) + ((weights[at] ?? 0) * idf) ** 2;
      }
    }
    return norms.map(Math.sqrt);
  }
}

/**
 * Those of the items that score at least as high as the one of that rank: all that need sorting for the first
 * `count`.
 */
function aboveRank(ids: readonly number[], scores: Float64Array, count: number): number[] {
  if (count <= 0) return [];
  const sorted = Float64Array.from(ids, (id) => scores[id] ?? 0).sort();
  const least = sorted[sorted.length - count] ?? -Infinity;
  return ids.filter((id) => (scores[id] ?? 0) >= least);
}
