/**
 * Okapi BM25 (S. Robertson, H. Zaragoza, "The probabilistic relevance framework: BM25 and beyond", 2009), over the
 * words of statements or over those of proofs. The inverse frequency is the one that is never negative.
 */
import { countOf, entryAt } from '../../core/entry.ts';
import { QuodError } from '../../core/errors.ts';
import type { Collection, Ranker } from './ranker.ts';
import { goalTokens, tacticTokens } from './statement-tokens.ts';

const SATURATION = 1.2;
const LENGTH_NORMALISATION = 0.75;

export const bm25Ranker: Ranker = {
  name: 'bm25',
  about: 'BM25 over the words of statements',
  collection: (statements) => {
    const index = new Bm25Index(statements.map(({ goal }) => goalTokens(goal)));
    return Promise.resolve<Collection>({
      scores: ({ goal }) => Promise.resolve(index.scores(goalTokens(goal))),
    });
  },
};

export const proofBm25Ranker: Ranker = {
  name: 'proof-bm25',
  about: 'BM25 over the words of proofs',
  collection: (statements) => {
    const index = new Bm25Index(statements.map(({ tactics }) => tacticTokens(tactics)));
    return Promise.resolve<Collection>({
      scores: ({ tactics = [] }) =>
        tactics.length === 0
          ? Promise.reject(
              new QuodError(
                'invalid-input',
                'The ranker proof-bm25 compares proofs, and this goal has none yet.',
                {
                  remedy: 'Make a step of the proof first, or choose another ranker.',
                },
              ),
            )
          : Promise.resolve(index.scores(tacticTokens(tactics))),
    });
  },
};

class Bm25Index {
  readonly #lengths: Float64Array;
  readonly #meanLength: number;
  /** For each word: the documents that have it, and how often. */
  readonly #postings = new Map<string, { readonly documents: number[]; readonly counts: number[] }>();

  constructor(documents: readonly (readonly string[])[]) {
    this.#lengths = Float64Array.from(documents, ({ length }) => length);
    this.#meanLength = this.#lengths.reduce((sum, length) => sum + length, 0) / (documents.length || 1) || 1;
    documents.forEach((words, document) => {
      const counts = new Map<string, number>();
      for (const word of words) counts.set(word, countOf(counts, word) + 1);
      for (const [word, count] of counts) {
        let posting = this.#postings.get(word);
        if (posting === undefined) this.#postings.set(word, (posting = { documents: [], counts: [] }));
        posting.documents.push(document);
        posting.counts.push(count);
      }
    });
  }

  scores(query: readonly string[]): Float64Array {
    const scores = new Float64Array(this.#lengths.length);
    for (const word of new Set(query)) {
      const posting = this.#postings.get(word);
      if (posting === undefined) continue;
      const found = posting.documents.length;
      const inverseFrequency = Math.log(1 + (scores.length - found + 0.5) / (found + 0.5));
      posting.documents.forEach((document, at) => {
        const count = entryAt(posting.counts, at, 'count');
        const length = (this.#lengths[document] ?? 0) / this.#meanLength;
        const saturated =
          (count * (SATURATION + 1)) /
          (count + SATURATION * (1 - LENGTH_NORMALISATION + LENGTH_NORMALISATION * length));
        scores[document] = (scores[document] ?? 0) + inverseFrequency * saturated;
      });
    }
    return scores;
  }
}
