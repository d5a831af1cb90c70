/**
 * Pseudo-relevance feedback with the distance of proofs. The proof of a goal is unknown, but those of the
 * statements most like it are known, and so is how far every other proof is from them. A candidate is good whose
 * proof is near to what the goal's may be: the soft minimum of its distances to those proofs, each weighed by how
 * like its statement is,
 *
 *   distance(c) = -h log Σ w(s) exp(-d(s, c) / h),   w(s) ∝ exp(τ z(s)),   s among the k statements that score best,
 *   score(c) = 1 - distance(c) + δ z(c),
 *
 * where z are the first ranker's scores with mean 0 and deviation 1. As h grows, distance(c) becomes the expected
 * distance (its least is the choice of minimum Bayes risk), as h goes to 0 the smallest. The values were chosen on
 * the validation files of the shipped model (docs/data/retrieval.md).
 */
import { orZero } from '../../core/entry.ts';
import { RowCache } from '../distance/row-cache.ts';
import { ProofSpace } from '../distance/proof-distance.ts';
import { standardised } from './blend.ts';
import { best, type Ranker, type RankerName } from './ranker.ts';

export interface FeedbackParameters {
  /** k */
  readonly neighbours: number;
  /** τ */
  readonly sharpness: number;
  /** h */
  readonly softness: number;
  /** δ */
  readonly direct: number;
}

export const FEEDBACK: FeedbackParameters = { neighbours: 8, sharpness: 1.25, softness: 0.1, direct: 0.05 };

/** Bytes of distances of proofs to all others, kept from query to query. */
const KEPT_BYTES = 64 * 1024 ** 2;

/** @param first Says which statements are most like the goal. */
export function feedbackRanker(
  name: RankerName,
  first: Ranker,
  { neighbours: count, sharpness, softness, direct }: FeedbackParameters = FEEDBACK,
): Ranker {
  return {
    name,
    about: `nearness to the proofs of the ${count} statements most like it by ${first.name} (${first.about})`,
    collection: async (statements, signal) => {
      const collection = await first.collection(statements, signal);
      const space = new ProofSpace();
      for (const { tactics } of statements) space.add(tactics);
      const rows = new RowCache<Float32Array>(KEPT_BYTES);
      return {
        scores: async (query, inner) => {
          const scores = standardised(await collection.scores(query, inner));
          if (query.itself !== undefined) scores[query.itself] = -Infinity;
          const neighbours = best(scores, count).filter(({ score }) => score > -Infinity);
          const most = orZero(neighbours[0]?.score);
          const nearness = new Float64Array(statements.length);
          let total = 0;
          for (const { index, score } of neighbours) {
            const weight = Math.exp(sharpness * (score - most));
            total += weight;
            inner?.throwIfAborted();
            rows
              .get(index, () => space.from(index))
              .forEach((distance, candidate) => {
                nearness[candidate] = (nearness[candidate] ?? 0) + weight * Math.exp(-distance / softness);
              });
          }
          return nearness.map((sum, candidate) =>
            total === 0 ? 0 : 1 + softness * Math.log(sum / total) + direct * (scores[candidate] ?? 0),
          );
        },
      };
    },
  };
}
