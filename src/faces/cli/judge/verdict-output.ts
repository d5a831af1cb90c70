/** A verdict of the gate as text and as exit code, whatever judged. */
import type { RestsOn, Verdict } from '../../../gate/verdict.ts';
import type { ExitCode } from '../terminal/exit-codes.ts';
import { foreignText } from '../terminal/foreign-text.ts';

export function verdictExitCode(verdict: Verdict): ExitCode {
  switch (verdict.kind) {
    case 'accepted':
      return 0;
    case 'rejected':
      return 1;
    case 'unknown':
      return 2;
  }
}

export function verdictText(verdict: Verdict): string {
  switch (verdict.kind) {
    case 'accepted':
      return [
        'accepted',
        ...verdict.statements.map(({ name, assumptions }) =>
          assumptions.length === 0
            ? `  ${foreignText(name)}: rests on no axiom`
            : `  ${foreignText(name)}: rests on ${foreignText(assumptions.join(', '))}`,
        ),
        `  judged by ${verdict.restsOn.prover} (${verdict.restsOn.backend})`,
        ...(verdict.restsOn.recheckedBy === undefined
          ? []
          : [`  checked again by ${verdict.restsOn.recheckedBy}`]),
        ...warningLines(verdict.restsOn),
      ].join('\n');
    case 'rejected':
      return [
        'rejected',
        ...verdict.findings.map(({ kind, file, position, message, remedy }) => {
          const place = position === undefined ? file : `${file}:${position.line}:${position.column}`;
          return `  ${foreignText(place)}: ${foreignText(message)} [${kind}]\n    ${remedy}`;
        }),
        ...warningLines(verdict.restsOn),
      ].join('\n');
    case 'unknown':
      return `unknown: ${foreignText(verdict.message)} [${verdict.reason}]`;
  }
}

function warningLines({ warnings = [] }: RestsOn): string[] {
  return warnings.map(({ kind, message }) => `  warning: ${foreignText(message)} [${kind}]`);
}
