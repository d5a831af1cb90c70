/** What became of proofs and goals, as an answer and as lines for people. */
import { z } from 'zod';
import { counted } from '../../core/counted.ts';
import type { MinedCounts } from '../../mining/mined-counts.ts';

export const countsSchema = z.object({
  proofs: z.int().describe('Statements whose proof is written out and closed with `Qed` or `Defined`.'),
  replayed: z.int().describe('Of these, those that ran to their end.'),
  tactics: z.int().describe('Tactic sentences.'),
  states: z.int().describe('Goals that were met.'),
  items: z.int(),
  joint: z.int().describe('Sentences on several goals that cannot be told apart.'),
  chains_split: z.int(),
  chains_kept: z.int(),
  selectors_split: z.int().describe('Sentences on several goals that do the same on each alone.'),
  refused: z.int().describe('Sentences outside of these proofs that the prover refused.'),
  seconds: z.number(),
  seconds_beside: z.number().describe('Of them, what went into taking apart and checking.'),
  failures: z.array(z.object({ cause: z.string(), count: z.int() })).describe('Goals that became no item.'),
});

export type Counts = z.output<typeof countsSchema>;

export function countsOf(counts: MinedCounts): Counts {
  const { chainsSplit, chainsKept, selectorsSplit, elapsedMs, besideMs, failures, ...same } = counts;
  return {
    ...same,
    chains_split: chainsSplit,
    chains_kept: chainsKept,
    selectors_split: selectorsSplit,
    seconds: elapsedMs / 1000,
    seconds_beside: besideMs / 1000,
    failures: Object.entries(failures)
      .map(([cause, count]) => ({ cause, count }))
      .sort((one, other) => other.count - one.count),
  };
}

export function countsText(counts: Counts): string {
  const { proofs, replayed, items, states, tactics, chains_split, chains_kept, selectors_split, joint } =
    counts;
  const failures = counts.failures.map(({ cause, count }) => `${cause} ${count}`).join(', ');
  return [
    `${counted(items, 'item')} of ${counted(proofs, 'proof')} (${ratio(items, proofs)} each), ${shareInPercent(replayed, proofs)} of the proofs replayed, ${counted(counts.refused, 'sentence')} refused elsewhere`,
    `${counted(states, 'goal')} met in ${counted(tactics, 'tactic sentence')}; ${chains_split} of ${chains_split + chains_kept} chains taken apart, ${selectors_split} of ${selectors_split + joint} sentences on several goals`,
    `goals that became no item: ${failures === '' ? 'none' : failures}`,
  ].join('\n');
}

function shareInPercent(part: number, whole: number): string {
  return whole === 0 ? 'none' : `${((100 * part) / whole).toFixed(1)} %`;
}

function ratio(part: number, whole: number): string {
  return whole === 0 ? '0' : (part / whole).toFixed(1);
}
