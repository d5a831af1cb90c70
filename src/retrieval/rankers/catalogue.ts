/** The rankers by name. */
import { blendRanker } from './blend.ts';
import { bm25Ranker, proofBm25Ranker } from './bm25.ts';
import { feedbackRanker } from './feedback.ts';
import { jaccardRanker } from './jaccard.ts';
import type { VectorSource } from '../model/vector-source.ts';
import { learnedRanker } from './learned.ts';
import type { Ranker, RankerName } from './ranker.ts';
import { tfIdfRanker } from './tf-idf.ts';

export function rankerNamed(name: RankerName, openVectors: () => Promise<VectorSource>): Ranker {
  switch (name) {
    case 'jaccard':
      return jaccardRanker;
    case 'bm25':
      return bm25Ranker;
    case 'tf-idf':
      return tfIdfRanker;
    case 'proof-bm25':
      return proofBm25Ranker;
    case 'learned':
      return learnedRanker(openVectors);
    case 'blend':
      return blendRanker([
        { ranker: learnedRanker(openVectors), weight: 1 },
        { ranker: jaccardRanker, weight: 1 },
      ]);
    case 'feedback':
      return feedbackRanker(name, rankerNamed('blend', openVectors));
    case 'jaccard-feedback':
      return feedbackRanker(name, jaccardRanker);
  }
}
