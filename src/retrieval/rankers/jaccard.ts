/** The share of words that two statements have in common: CoqPilot's ranker, the baseline of RocqStar's evaluation. */
import type { Ranker } from './ranker.ts';
import { goalTokens } from './statement-tokens.ts';

export const jaccardRanker: Ranker = {
  name: 'jaccard',
  about: 'share of words in common',
  collection: (statements) => {
    const sets = statements.map(({ goal }) => new Set(goalTokens(goal)));
    return Promise.resolve({
      scores: ({ goal }) => {
        const wanted = new Set(goalTokens(goal));
        return Promise.resolve(
          Float64Array.from(sets, (set) => {
            let common = 0;
            for (const word of wanted) if (set.has(word)) common += 1;
            return common / (wanted.size + set.size - common || 1);
          }),
        );
      },
    });
  },
};
