/** What the search is given to look for counterexamples with; what it finds was judged. */
import type { Prover } from '../../core/prover.ts';
import type { Refuter } from '../../search/prove-request.ts';
import { disproofOf, disproofText } from '../../refute/earlier-disproof.ts';
import { type DisproofJudge, refuteTheorem } from '../../refute/refute-theorem.ts';
import { judgeDisproof } from './judge-disproof.ts';

/** Passes over small values and derivations that are made before a proof is searched for long. */
const BRIEF_PASSES = 4;

/** @param path Of the file, which says what project it belongs to. */
export function refuterOf(path: string, prover: Pick<Prover, 'identity'>, judging: AbortSignal): Refuter {
  // Most proofs are found before anything is to be refuted.
  let judge: DisproofJudge | undefined;
  return async ({ allowed, brief, signal, earlier, ...place }) => {
    const again = earlier === undefined ? undefined : disproofOf(earlier);
    if (earlier !== undefined && again === undefined) return undefined;
    judge ??= judgeDisproof({ path }, prover, judging);
    const answer = await refuteTheorem(place, judge, {
      allowed,
      signal,
      ...(brief && { passes: BRIEF_PASSES }),
      earlier: again,
    });
    if (answer.kind === 'not-refuted' && answer.isUnconfirmed === true) {
      const { reason, message, suspects } = answer;
      return { kind: 'not-proved', reason, message, counterexample: suspects.join('') };
    }
    if (answer.kind !== 'refuted') return undefined;
    const { counterexample, text: negation, axioms, warnings } = answer;
    return {
      ...{ kind: 'refuted', counterexample, negation, axioms, warnings },
      again: disproofText(answer.again),
    };
  };
}
