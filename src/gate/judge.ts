/**
 * What every judge is: it takes a target once and judges any number of submissions against it. There is one judge for
 * each prover, below `gate/`, and nobody else decides that something is accepted. `verify.ts` picks by the files'
 * names.
 */
import type { GatePolicy } from './policy.ts';
import type { SourceText, Verdict } from './verdict.ts';

export interface JudgeOptions {
  readonly policy?: GatePolicy;
  /** For a report: statements as the checker prints them, and hashes of the libraries. */
  readonly inDetail?: boolean;
  /**
   * Other statements of the target may stay open: the verdict names those that a proof rests on. With `theorems` of the
   * policy, for proofs of single statements in a file. Where a judge cannot tell, nothing may stay open.
   */
  readonly othersMayStayOpen?: boolean;
  readonly signal?: AbortSignal;
}

export interface Judge {
  /** What does not depend on a submission is done once, here or when the first submission needs it. */
  prepare(target: SourceText, options: JudgeOptions): Promise<PreparedTarget>;
}

export interface PreparedTarget {
  /** A judge that cannot look answers `unknown` with the reason; it throws only for a defect of its own. */
  judge(submission: SourceText): Promise<Verdict>;
}
