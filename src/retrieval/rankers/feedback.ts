/**
 * Pseudo-relevance feedback with the distance of proofs. The proof of a goal is unknown, but those of the statements most
 * like it are known, and so is how far every other proof is from them. A candidate is good whose proof is near to what the
 * goal's may be: the soft minimum of its distances to those proofs, each weighed by how like its statement is,
 *
 *   distance(c) = -h log Σ w(s) exp(-d(s, c) / h),   w(s) ∝ exp(τ score(s)),   s among the k statements that score best.
 *
 * As h grows this is the expected distance (the candidate of minimum Bayes risk), as h goes to 0 the smallest. k, τ and h were
 * chosen on files of the libraries that the shipped model was trained on, files that it did not see (docs/retrieval.md).
 */
import { KeptRows } from '../distance/kept-rows.ts';
import { ProofSpace } from '../distance/proof-distance.ts';
import { best, type Ranker } from './ranker.ts';

const NEIGHBOURS = 8;
const SHARPNESS = 0.85;
const SOFTNESS = 0.1;

/** The weight of the first ranker's score: many proofs are equal, and of those the one of the likest statement is wanted. */
const AMONG_EQUALS = 1e-3;

/** Bytes of distances of proofs to all others, kept from query to query. */
const KEPT_BYTES = 64 * 1024 ** 2;

/** @param first Chooses the statements that are most like the goal; its scores have deviations of about 1. */
export function feedbackRanker(first: Ranker): Ranker {
  return {
    name: 'feedback',
    about: `nearness to the proofs of the ${NEIGHBOURS} statements most like it by ${first.about}`,
    collection: async (statements, signal) => {
      const collection = await first.collection(statements, signal);
      const space = new ProofSpace();
      for (const { tactics } of statements) space.add(tactics);
      const rows = new KeptRows<Float32Array>(KEPT_BYTES);
      return {
        scores: async (query, inner) => {
          const scores = await collection.scores(query, inner);
          if (query.itself !== undefined) scores[query.itself] = -Infinity;
          const neighbours = best(scores, NEIGHBOURS).filter(({ score }) => score > -Infinity);
          const most = neighbours[0]?.score ?? 0;
          const nearness = new Float64Array(statements.length);
          let total = 0;
          for (const { index, score } of neighbours) {
            const weight = Math.exp(SHARPNESS * (score - most));
            total += weight;
            inner?.throwIfAborted();
            rows
              .get(index, () => space.from(index))
              .forEach((distance, candidate) => {
                nearness[candidate] = (nearness[candidate] ?? 0) + weight * Math.exp(-distance / SOFTNESS);
              });
          }
          // Between 0 and 1, as a distance is, but for what orders equals.
          return nearness.map((sum, candidate) =>
            total === 0 ? 0 : 1 + SOFTNESS * Math.log(sum / total) + AMONG_EQUALS * (scores[candidate] ?? 0),
          );
        },
      };
    },
  };
}
