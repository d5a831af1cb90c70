/**
 * How well a ranker's scores say how near the proofs are, when it is told a statement without its proof:
 * correlation with the proof distance over all pairs of a library, and whether the near proofs come first.
 * (proof-bm25 is told the proof.)
 */
import { ProofSpace } from '../../src/retrieval/distance/proof-distance.ts';
import type { ProvedStatement } from '../../src/retrieval/proved-statement.ts';
import { best, type Ranker } from '../../src/retrieval/rankers/ranker.ts';
import { pearson, spearman } from './correlation.ts';

/** Proofs at less than this count as near: RocqStar's threshold of positive pairs. */
const NEAR = 0.3;
const SHOWN = 7;

export interface Distances {
  /** Of the pairs (0,1), (0,2), …, (1,2), …. */
  readonly pairs: Float32Array;
  readonly of: (one: number, other: number) => number;
  /** Processor seconds. */
  readonly seconds: number;
}

export interface SimilarityFigures {
  /** Each counts in both directions: a score need not be symmetric, and who asks knows the proof of one side alone. */
  readonly pairs: number;
  readonly pearson: number;
  readonly spearman: number;
  /** Of the near proofs of a theorem (at most seven), the share among the seven best; mean over those that have any. */
  readonly recall: number;
  /** Mean of 1 / rank of the first near proof, over the same theorems. */
  readonly meanReciprocalRank: number;
  readonly withNearProofs: number;
  /** Processor seconds of making the collection, and of one query. */
  readonly prepareSeconds: number;
  readonly querySeconds: number;
}

export function processorSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

export function distancesOf(statements: readonly ProvedStatement[]): Distances {
  const started = processorSeconds();
  const count = statements.length;
  const space = new ProofSpace();
  for (const { tactics } of statements) space.add(tactics);
  const pairs = new Float32Array((count * (count - 1)) / 2);
  let at = 0;
  for (const row of space.rows()) {
    pairs.set(row, at);
    at += row.length;
  }
  return {
    pairs,
    of: (one, other) => pairs[pairIndex(Math.min(one, other), Math.max(one, other), count)] ?? NaN,
    seconds: processorSeconds() - started,
  };
}

function pairIndex(low: number, high: number, count: number): number {
  return low * count - (low * (low + 1)) / 2 + high - low - 1;
}

export async function measureSimilarity(
  ranker: Ranker,
  statements: readonly ProvedStatement[],
  distances: Distances,
): Promise<SimilarityFigures> {
  const started = processorSeconds();
  const collection = await ranker.collection(statements);
  const prepared = processorSeconds();
  const count = statements.length;
  const scores = new Float32Array(2 * distances.pairs.length);
  let [recall, reciprocal, withNearProofs] = [0, 0, 0];
  let asking = 0;
  for (const [one, { goal, tactics }] of statements.entries()) {
    const before = processorSeconds();
    const row = await collection.scores({ goal, tactics, itself: one });
    asking += processorSeconds() - before;
    row.forEach((score, other) => {
      if (other === one) return;
      const place = pairIndex(Math.min(one, other), Math.max(one, other), count);
      scores[one < other ? place : distances.pairs.length + place] = score;
    });
    const near = new Set<number>();
    for (let other = 0; other < count; other += 1)
      if (other !== one && distances.of(one, other) < NEAR) near.add(other);
    if (near.size === 0) continue;
    withNearProofs += 1;
    row[one] = -Infinity;
    const order = best(row, count);
    const found = order.slice(0, SHOWN).filter(({ index }) => near.has(index)).length;
    recall += found / Math.min(SHOWN, near.size);
    reciprocal += 1 / (1 + order.findIndex(({ index }) => near.has(index)));
  }
  const twice = new Float32Array(scores.length);
  twice.set(distances.pairs);
  twice.set(distances.pairs, distances.pairs.length);
  return {
    pairs: distances.pairs.length,
    pearson: pearson(scores, twice),
    spearman: spearman(scores, twice),
    recall: recall / withNearProofs,
    meanReciprocalRank: reciprocal / withNearProofs,
    withNearProofs,
    prepareSeconds: prepared - started,
    querySeconds: asking / count,
  };
}
