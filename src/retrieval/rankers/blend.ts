/**
 * The sum of several rankers' scores, each brought to mean 0 and deviation 1 over the collection first, since one's
 * cosine and another's BM25 are not of one scale. It runs when all its parts do.
 */
import { entryAt } from '../../core/entry.ts';
import type { Ranker } from './ranker.ts';

export interface BlendPart {
  readonly ranker: Ranker;
  readonly weight: number;
}

export function blendRanker(parts: readonly BlendPart[]): Ranker {
  return {
    name: 'blend',
    about: parts.map(({ ranker, weight }) => `${weight} × ${ranker.name}`).join(' + '),
    collection: async (statements, signal) => {
      const collections = await Promise.all(parts.map(({ ranker }) => ranker.collection(statements, signal)));
      return {
        scores: async (query, inner) => {
          const sum = new Float64Array(statements.length);
          for (const [at, collection] of collections.entries()) {
            const weight = entryAt(parts, at, 'part').weight;
            const scores = standardised(await collection.scores(query, inner));
            scores.forEach((score, index) => (sum[index] = (sum[index] ?? 0) + weight * score));
          }
          return sum;
        },
      };
    },
  };
}

/** With mean 0 and deviation 1. */
export function standardised(scores: Float64Array): Float64Array {
  const mean = scores.reduce((sum, score) => sum + score, 0) / (scores.length || 1);
  const variance = scores.reduce((sum, score) => sum + (score - mean) ** 2, 0) / (scores.length || 1);
  const deviation = Math.sqrt(variance) || 1;
  return scores.map((score) => (score - mean) / deviation);
}
