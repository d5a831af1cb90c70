/** The similarity that the offline search goes by: TF-IDF cosine over symbols, pairs of symbols and heads of a goal. */
import { goalFeatures } from '../lexical/goal-features.ts';
import { viewGoal } from '../../provers/rocq/goals/goal-view.ts';
import { NearestIndex } from '../lexical/nearest.ts';
import type { Ranker } from './ranker.ts';

export const tfIdfRanker: Ranker = {
  name: 'tf-idf',
  about: 'TF-IDF over the symbols of goals',
  collection: (statements) => {
    const index = new NearestIndex<number>();
    statements.forEach(({ goal }, number) => {
      index.add(number, goalFeatures(viewGoal(goal)));
    });
    return Promise.resolve({
      scores: ({ goal }) => {
        const scores = new Float64Array(statements.length);
        for (const { item, similarity } of index.nearest(goalFeatures(viewGoal(goal)), statements.length))
          scores[item] = similarity;
        return Promise.resolve(scores);
      },
    });
  },
};
