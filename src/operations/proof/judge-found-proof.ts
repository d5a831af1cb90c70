/** Lets the gate judge what the search found, so that nothing is reported as proved without its word. */
import type { Prover } from '../../core/prover.ts';
import { backendFor, beginProofs, type BegunJudgement, judgeProof } from '../../gate/verify.ts';
import type { BeginJudging, Judge } from '../../search/prove-file.ts';
import { openStatementsOf } from '../rocq/proof/open-statements.ts';

export interface JudgedFile {
  /** Where the file is, which says what project it belongs to. */
  readonly path: string;
  /** Whether the file is to be written with the proofs: then all of it is judged, else what stands up to them. */
  readonly isWritten: boolean;
}

export function judgeFoundProof(
  file: JudgedFile,
  prover: Pick<Prover, 'identity'>,
  signal: AbortSignal,
): Judge {
  return foundProofJudge(file, prover, signal).judge;
}

export interface FoundProofJudge {
  readonly judge: Judge;
  /** Compiles beside the search what does not depend on what it finds. */
  readonly beginJudging: BeginJudging;
}

export function foundProofJudge(
  { path, isWritten }: JudgedFile,
  prover: Pick<Prover, 'identity'>,
  signal: AbortSignal,
): FoundProofJudge {
  let begun: Promise<BegunJudgement | undefined> | undefined;
  const backend = backendFor(prover);
  // What the judge has to find out about this machine it finds out while the search runs; what fails is told when it is asked.
  for (const asked of [backend.version(), backend.isolation()]) asked.catch(() => undefined);
  const beginJudging: BeginJudging = (target, theorems) => {
    const statements = theorems.map(({ sentence }) => sentence);
    const changed = { target: { path, text: target }, statements, onlyUpToProofs: !isWritten };
    // What cannot be begun is told when it is asked.
    const beginning = beginProofs(changed, { backend, signal }).catch(() => undefined);
    begun = beginning;
    return { end: () => void beginning.then((judgement) => judgement?.end()) };
  };
  const judge: Judge = async ({ target, text, theorems }) => {
    const earlier = await begun;
    const verdict = await judgeProof(
      {
        target: { path, text: target },
        text,
        statements: theorems.map(({ sentence }) => sentence),
        onlyUpToProofs: !isWritten,
      },
      { backend, signal, ...(earlier && { begun: earlier }) },
    );
    switch (verdict.kind) {
      case 'accepted':
        return { kind: verdict.kind, openStatements: openStatementsOf(verdict.statements, theorems) };
      case 'rejected':
        return {
          kind: 'rejected',
          message: `The gate rejected the proof: ${verdict.findings.map(({ message }) => message).join(' ')}`,
        };
      case 'unknown':
        return {
          kind: 'unknown',
          reason: verdict.reason,
          message: `The gate could not judge the proof: ${verdict.message}`,
        };
    }
  };
  return { judge, beginJudging };
}
