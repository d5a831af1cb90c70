/**
 * What the check of a whole file found: the same for all provers, whose files are cut into sentences or
 * declarations.
 */
import { z } from 'zod';
import { someOf } from '../../core/counted.ts';
import type { Span } from '../../core/position.ts';
import type { Goal } from '../../core/proof-state.ts';
import type { ReasonCode } from '../../core/reason.ts';

export interface CheckError {
  /** Where in the file; the sentence when the prover gave no closer place. */
  readonly span: Span;
  readonly message: string;
  /** When the sentence was not refused but could not be judged. */
  readonly reason?: ReasonCode;
  /** The earlier definition that failed and is missing here, or the library that was required in vain before. */
  readonly follows?: string;
  readonly remedy?: string;
  /** The goals in focus where the error stands; absent outside of a proof. */
  readonly goals?: readonly Goal[];
}

export interface TimedSpan {
  readonly span: Span;
  readonly elapsedMs: number;
}

export interface FoundHole {
  /** The statement or definition that the hole leaves open. */
  readonly theorem: string;
  /** What leaves it open: `admitted`, `cheat`, `assume`, … */
  readonly kind: string;
  readonly span: Span;
}

/** Behind what a file may do and a proof may not. */
export const NO_JUDGEMENT = 'That a file compiles is no judgement: the gate says what a proof rests on';

/** For people. */
export function assumesText(assumed: readonly string[]): string {
  return `It assumes ${someOf(assumed)}. ${NO_JUDGEMENT} (\`gate_verify\`).`;
}

/** What the file declares without a proof for good, in the answers of operations. */
export const assumedSchema = z
  .array(z.string())
  .describe(
    'What the file declares without a proof for good (`Axiom`, `Parameter`, `Declare Instance`), as Rocq names it at the end of a file without errors.',
  );

export interface CheckReport {
  readonly errors: readonly CheckError[];
  readonly holes: readonly FoundHole[];
  readonly warnings: readonly { readonly span: Span; readonly message: string }[];
  /** What the file declares without a proof for good, as its prover names it. Of provers that are not asked: absent. */
  readonly assumed?: readonly string[];
  /** Sentences or declarations that were run, accepted or not. */
  readonly times: readonly TimedSpan[];
  /** Those that were left out to recover from an error. */
  readonly skipped: number;
  /** The check was stopped or the prover was lost: what stands after `times` was not looked at. */
  readonly partial: boolean;
}
