/** What people read of F*'s answers. */
import type { z } from 'zod';
import { counted } from '../../core/counted.ts';
import { formatDuration } from '../../core/duration.ts';
import type { CheckFields, diagnosticSchema, goalSchema, proofStateSchema } from './report-schemas.ts';

type Diagnostic = z.input<typeof diagnosticSchema>;
type Goal = z.output<typeof goalSchema>;

export function checkText(output: CheckFields): string {
  const done = output.fragments.filter(({ status }) => status === 'ok' || status === 'lax-ok').length;
  return [
    `${output.status}: ${done} of ${counted(output.fragments.length, 'declaration')} checked${output.message === null ? '' : `. ${output.message}`}`,
    ...diagnosticLines(output.diagnostics),
    ...output.escapes.map(({ line, column, kind, text }) => `${line}:${column}: ${kind}: ${text}`),
  ].join('\n');
}

export function diagnosticLines(diagnostics: readonly Diagnostic[]): string[] {
  return diagnostics.map(({ level, message, range }) => {
    const where = range === null ? '' : `${range.file}:${range.start_line}:${range.start_column}: `;
    return `${where}${level}: ${message.trim()}`;
  });
}

interface Goals {
  readonly goals: readonly Goal[];
  readonly smt_goals: readonly Goal[];
}

/** All goals of a state; a tactic's own come first. */
export function goalsText({ goals, smt_goals }: Goals): string {
  if (goals.length + smt_goals.length === 0) return 'No goals.';
  const told = [
    ...goals.map((goal, at) => fstarGoalText(`goal ${at + 1} of ${goals.length}`, goal)),
    ...smt_goals.map((goal, at) =>
      fstarGoalText(`left to the solver, ${at + 1} of ${smt_goals.length}`, goal),
    ),
  ];
  return told.join('\n\n');
}

function fstarGoalText(which: string, { hypotheses, goal, label }: Goal): string {
  return [
    `${which}${label === '' ? '' : ` (${label})`}`,
    ...hypotheses.map(({ name, type }) => `${name} : ${type}`),
    '----',
    goal,
  ].join('\n');
}

export function fstarProofStateText(state: z.output<typeof proofStateSchema>): string {
  const { label, location } = state;
  const where =
    location === null ? '' : ` at ${location.file}:${location.start_line}:${location.start_column}`;
  return `${label === '' ? 'State' : label}${where}\n${goalsText(state)}`;
}

/** A table by time, the longest first: what took it stands behind. */
export function timeTable(
  rows: readonly { readonly milliseconds: number; readonly what: string }[],
): readonly string[] {
  return rows.map(({ milliseconds, what }) => `  ${formatDuration(milliseconds).padStart(9)}  ${what}`);
}
