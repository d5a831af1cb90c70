/** What the gate is asked about a proof that a statement is false: whether it is one, and whether what it proves says that. */
import { formatDuration, timerDelay } from '../../core/duration.ts';
import { QuodError } from '../../core/errors.ts';
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
    judge: async ({ mostMs = MOST_MS, ...filled }) => {
      const verdict = await within(mostMs, (over) => judge({ ...filled, signal: over }));
      if (verdict.kind !== 'accepted') return verdict;
      // What stands behind the theorem does not matter to whether it is false.
      return { ...verdict, warnings: verdict.warnings.filter((text) => !tellsOfCut(text)) };
    },
    negates: (text, names) =>
      within(MOST_MS, (over) =>
        negatesStatement({ path, text }, names, {
          ...{ backend: backendFor(prover), signal: AbortSignal.any([signal, over]) },
          ...(onlyProves && { startsPrograms: false }),
        }),
      ),
  };
}

const MOST_MS = 120_000;

/** @param work Ends soon when the signal is aborted. */
async function within<Answer>(
  milliseconds: number,
  work: (over: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  const over = new AbortController();
  const message = `The gate did not come to an end in ${formatDuration(milliseconds)}.`;
  const clock = setTimeout(() => over.abort(new QuodError('timeout', message)), timerDelay(milliseconds));
  try {
    return await work(over.signal);
  } finally {
    clearTimeout(clock);
  }
}
