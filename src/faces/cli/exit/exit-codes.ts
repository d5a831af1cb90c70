/** What `quod` tells the shell. The user guide has the same table; a test compares the two. */
import { LOOKED_IN_VAIN, type ReasonCode } from '../../../core/reason.ts';
import type { Verdict } from '../../../gate/verdict.ts';

export const EXIT_CODES = {
  0: 'Everything asked for holds: all proved, the file is complete, the submission is accepted.',
  1: 'Something asked for does not hold: a theorem is not proved or rests on open statements, the file has errors or holes, or stops compiling behind what was proved, the submission is rejected.',
  2: 'Quod could not look: bad input, a file with an error before the hole, a proof that could not be judged, a call or check that was cut off before its end, no prover, a defect.',
  130: 'Interrupted with Ctrl+C; what was found until then was printed.',
} as const;

export type ExitCode = keyof typeof EXIT_CODES;

/** The exit code of one theorem that was not proved. */
export function exitCodeOf(reason: ReasonCode): ExitCode {
  if (reason === 'interrupted') return 130;
  return LOOKED_IN_VAIN.has(reason) ? 1 : 2;
}

/**
 * The exit code of what ended with an error instead of an answer. Where its time was over, too, nothing was found out: of a
 * theorem the same reason says that it was looked at for as long as was asked.
 */
export function exitCodeOfFailure(reason: ReasonCode): ExitCode {
  return reason === 'timeout' ? 2 : exitCodeOf(reason);
}

/** Interrupted wins over errors, errors over failures: the code a script must not overlook. */
export function worstExitCode(codes: readonly ExitCode[]): ExitCode {
  return codes.reduce<ExitCode>((worst, code) => (code > worst ? code : worst), 0);
}

/** @param allowOpen Whether a proof may rest on statements that are open. */
export function verdictExitCode(verdict: Verdict, allowOpen = false): ExitCode {
  switch (verdict.kind) {
    case 'accepted':
      return allowOpen || verdict.statements.every(({ openStatements }) => openStatements.length === 0)
        ? 0
        : 1;
    case 'rejected':
      return 1;
    case 'unknown':
      return 2;
  }
}
