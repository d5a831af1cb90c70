/** What became of the proofs and goals of one source, or of many. */
import { z } from 'zod';
import { countFailure, FAILURES, type Failure } from './item.ts';

const failureNames = Object.keys(FAILURES) as [Failure, ...Failure[]];
const count = z.number().int().nonnegative();

export const minedCountsSchema = z.strictObject({
  /** Statements whose proof is written out and closed with `Qed` or `Defined`. */
  proofs: count,
  /** Of these, those that ran to their end. */
  replayed: count,
  /** Tactic sentences. */
  tactics: count,
  /** Goals that were met. */
  states: count,
  items: count,
  /** Sentences that dealt with several goals so that they cannot be told apart. */
  joint: count,
  chainsSplit: count,
  chainsKept: count,
  /** Sentences on several goals that do the same on each alone. */
  selectorsSplit: count,
  /** Sentences outside of these proofs that the prover refused. */
  refused: count,
  elapsedMs: z.number(),
  /** Of it, what went into taking apart and checking. */
  besideMs: z.number(),
  failures: z.partialRecord(z.enum(failureNames), count),
});

export type MinedCounts = z.infer<typeof minedCountsSchema>;

export function noCounts(): MinedCounts {
  return {
    ...{ proofs: 0, replayed: 0, tactics: 0, states: 0, items: 0, joint: 0, chainsSplit: 0, chainsKept: 0 },
    ...{ selectorsSplit: 0, refused: 0, elapsedMs: 0, besideMs: 0, failures: {} },
  };
}

export function addCounts(one: MinedCounts, other: MinedCounts): MinedCounts {
  const sum = { ...other, failures: { ...one.failures } };
  for (const key of NUMBERS) sum[key] += one[key];
  for (const [failure, number] of Object.entries(other.failures))
    countFailure(sum.failures, failure as Failure, number);
  return sum;
}

const NUMBERS = (Object.keys(minedCountsSchema.shape) as (keyof MinedCounts)[]).filter(
  (key) => key !== 'failures',
);
