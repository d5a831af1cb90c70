/** What the gate is asked about a proof that a statement is false: whether it is one, and whether what it proves says that. */
import type { Prover } from '../../core/prover.ts';
import { tellsOfCut } from '../../gate/verdict.ts';
import { backendFor, negatesStatement } from '../../gate/verify.ts';
import type { DisproofJudge } from '../../refute/refute-theorem.ts';
import { judgeFoundProof, type JudgedFile } from './judge-found-proof.ts';

export function judgeDisproof(
  { path, onlyProves = false }: Omit<JudgedFile, 'isWritten'>,
  prover: Pick<Prover, 'identity'>,
  signal: AbortSignal,
): DisproofJudge {
  const judge = judgeFoundProof({ path, isWritten: false, onlyProves }, prover, signal);
  return {
    judge: async (filled) => {
      const verdict = await judge(filled);
      if (verdict.kind !== 'accepted') return verdict;
      // What stands behind the theorem does not matter to whether it is false.
      return { ...verdict, warnings: verdict.warnings.filter((text) => !tellsOfCut(text)) };
    },
    negates: (text, names) =>
      negatesStatement({ path, text }, names, {
        ...{ backend: backendFor(prover), signal },
        ...(onlyProves && { startsPrograms: false }),
      }),
  };
}
