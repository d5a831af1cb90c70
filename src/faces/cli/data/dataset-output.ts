/** What `quod mine` and `quod dataset` say about the items of a data set. */
import { counted } from '../../../core/counted.ts';
import type { MinedCounts } from '../../../corpus/mined-counts.ts';

export function countsText(counts: MinedCounts): string {
  const { proofs, replayed, items, states, tactics, chainsSplit, chainsKept, selectorsSplit, joint } = counts;
  const failures = Object.entries(counts.failures)
    .sort(([, one], [, other]) => other - one)
    .map(([cause, count]) => `${cause} ${count}`)
    .join(', ');
  return [
    `${counted(items, 'item')} of ${counted(proofs, 'proof')} (${ratio(items, proofs)} each), ${percent(replayed, proofs)} of the proofs replayed, ${counted(counts.refused, 'sentence')} refused elsewhere`,
    `${counted(states, 'goal')} met in ${counted(tactics, 'tactic sentence')}; ${chainsSplit} of ${chainsSplit + chainsKept} chains taken apart, ${selectorsSplit} of ${selectorsSplit + joint} sentences on several goals`,
    `goals that became no item: ${failures === '' ? 'none' : failures}`,
  ].join('\n');
}

function percent(part: number, whole: number): string {
  return whole === 0 ? 'none' : `${((100 * part) / whole).toFixed(1)} %`;
}

function ratio(part: number, whole: number): string {
  return whole === 0 ? '0' : (part / whole).toFixed(1);
}
