/** A proof that looks like another one than the prover reads is refused before any judgement, of whichever prover it is. */
import type { FoundProof } from '../agent/target.ts';
import { orNothing } from '../core/entry.ts';
import { misleadingCharacter, WITHOUT_MISLEADING } from '../core/foreign-text.ts';

/** As a finding of a gate; undefined where there is nothing to say. */
export function misleadingFinding({ proof, before }: FoundProof): string | undefined {
  const misleading = misleadingCharacter(`${orNothing(before)}\n${proof}`);
  return misleading === undefined
    ? undefined
    : `forbidden: ${misleading.what} stands in the proof or in a lemma. ${WITHOUT_MISLEADING}`;
}
