/** What a replay of files answers, and which answer an error means. */
import { QuodError } from '../../../core/errors.ts';
import { foreignName } from '../../../core/foreign-text.ts';
import type { ReasonCode } from '../../../core/reason.ts';
import { LimitReached } from '../kernel/refusal.ts';
import { MalformedTrace } from '../trace/trace-reader.ts';
import type { ReplayFinding } from './replay-finding.ts';
import { MissingTheory } from './replayed-theories.ts';

export interface ReplayedFile {
  readonly file: string;
  readonly sha256: string;
  /** Name of the theory; absent for the PFT format, which knows none. */
  readonly theory?: string;
  readonly steps: number;
  readonly statements: number;
  readonly axioms: readonly string[];
  readonly fromCache: boolean;
  readonly elapsedMs: number;
}

export interface FileFinding extends ReplayFinding {
  readonly file: string;
}

export type ReplayVerdict = { readonly files: readonly ReplayedFile[]; readonly elapsedMs: number } & (
  | { readonly kind: 'accepted' }
  | { readonly kind: 'rejected'; readonly findings: readonly FileFinding[] }
  | {
      readonly kind: 'unknown';
      readonly reason: ReasonCode;
      readonly message: string;
      readonly file?: string;
    }
);

/** A theory that was found wrong makes those that rest on it impossible to judge: the findings are the answer. */
export function unknownBecause(
  error: unknown,
  findings: readonly FileFinding[],
):
  | { readonly kind: 'rejected'; readonly findings: readonly FileFinding[] }
  | { readonly kind: 'unknown'; readonly reason: ReasonCode; readonly message: string } {
  const isJudged = error instanceof MissingTheory && findings.some(({ theory }) => theory === error.theory);
  if (isJudged) return { kind: 'rejected', findings };
  const [reason, message] = explain(error);
  return { kind: 'unknown', reason, message: foreignName(message) };
}

/** What traces say, in one line each and with nothing in it that is not seen. */
export function shownFile(file: ReplayedFile): ReplayedFile {
  return {
    ...file,
    ...(file.theory !== undefined && { theory: foreignName(file.theory) }),
    axioms: file.axioms.map(foreignName),
  };
}

/** Likewise. */
export function shownFinding(finding: FileFinding): FileFinding {
  const { theory, subject, message } = finding;
  return {
    ...finding,
    theory: foreignName(theory),
    ...(subject !== undefined && { subject: foreignName(subject) }),
    message: foreignName(message),
  };
}

function explain(error: unknown): readonly [ReasonCode, string] {
  if (error instanceof QuodError) return [error.reason, error.toString()];
  if (error instanceof MalformedTrace) return ['invalid-input', `The trace is damaged. ${error.message}`];
  if (error instanceof MissingTheory) {
    return ['library-missing', `${error.message} Give the trace of every theory that it rests on.`];
  }
  if (error instanceof LimitReached) return [error.limit === 'time' ? 'timeout' : 'too-large', error.message];
  // The recursion over a term that is nested too deeply, or a table or number that the machine cannot hold.
  if (error instanceof RangeError)
    return ['too-large', 'A term or number of the trace is too large for this machine.'];
  throw error;
}
