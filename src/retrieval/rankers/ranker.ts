/**
 * One interface for all rankers. A ranker that cannot run throws when it is given its collection, or when it is
 * asked about a query that lacks what it reads; none ever stands in for another.
 */
import type { ProvedStatement, Query } from '../proved-statement.ts';

export const RANKER_NAMES = [
  'jaccard',
  'bm25',
  'tf-idf',
  'proof-bm25',
  'learned',
  'blend',
  'feedback',
  'jaccard-feedback',
] as const;

export type RankerName = (typeof RANKER_NAMES)[number];

/** Within which bounds scores lie, for people. */
export const SCORE_BOUNDS: Readonly<Record<RankerName, string>> = {
  jaccard: 'from 0 to 1',
  bm25: 'from 0, with no upper bound',
  'tf-idf': 'from 0 to 1',
  'proof-bm25': 'from 0, with no upper bound',
  learned: 'from -1 to 1',
  blend: 'in deviations from the mean, which is 0',
  feedback: 'about 1 for the nearest, which may be more',
  'jaccard-feedback': 'about 1 for the nearest, which may be more',
};

export interface Ranker {
  readonly name: RankerName;
  /** What the scores are made of, for people. */
  readonly about: string;
  /** @throws QuodError when it cannot run on this machine. */
  collection(statements: readonly ProvedStatement[], signal?: AbortSignal): Promise<Collection>;
}

/** Statements made ready for many queries. */
export interface Collection {
  /**
   * One score for each statement, in their order; higher is more similar, and only the order means something.
   * @throws QuodError `invalid-input` when the query lacks what the ranker reads.
   */
  scores(query: Query, signal?: AbortSignal): Promise<Float64Array>;
}

export interface RankedStatement {
  /** Its number in the collection. */
  readonly index: number;
  readonly score: number;
}

/** The `count` best, best first; of equals the later one, which is nearer to what is being proved. */
export function best(scores: Float64Array, count: number): RankedStatement[] {
  return Array.from(scores, (score, index) => ({ index, score }))
    .sort((one, other) => other.score - one.score || other.index - one.index)
    .slice(0, count);
}
