/** How what F* found looks in answers. */
import { z } from 'zod';
import type { FstarGoal, FstarIssue, FstarRange, TacticState } from '../../provers/fstar/protocol/answers.ts';
import type { CheckReport, Fragment } from '../../provers/fstar/session/report.ts';
import { scanText } from '../../provers/fstar/audit/scan.ts';
import { orZero } from '../../core/entry.ts';
import { LineIndex } from '../../core/position.ts';
import type { Workspace } from '../definition/workspace.ts';

export const rangeSchema = z.object({
  file: z.string(),
  start_line: z.int().describe('From 1.'),
  start_column: z.int().describe('From 0, in code points.'),
  end_line: z.int(),
  end_column: z.int(),
});

export const diagnosticSchema = z.object({
  level: z.enum(['error', 'warning', 'info', 'not-implemented']),
  number: z.int().nullable().describe('The number by which `--warn_error` names it; older F* gives none.'),
  message: z.string(),
  range: rangeSchema.nullable().describe('Where it is.'),
  related: z.array(rangeSchema).describe('What else it refers to.'),
});

const fragmentSchema = z.object({
  status: z
    .enum(['ok', 'lax-ok', 'failed', 'interrupted', 'not-checked'])
    .describe('`lax-ok`: its proof obligations were admitted.'),
  kind: z.string().describe('let, val, type, open, pragma, …'),
  names: z.array(z.string()),
  start_line: z.int(),
  start_column: z.int(),
  end_line: z.int(),
  end_column: z.int(),
  cached: z.boolean().describe('Nothing had changed up to its end, so it was not checked again.'),
  elapsed_ms: z.int().nullable(),
});

export const goalSchema = z.object({
  hypotheses: z.array(z.object({ name: z.string(), type: z.string() })),
  goal: z.string(),
  label: z.string(),
});

export const proofStateSchema = z.object({
  label: z.string(),
  depth: z.int(),
  urgency: z.int(),
  goals: z.array(goalSchema),
  smt_goals: z.array(goalSchema).describe('Goals that the tactic leaves to the solver.'),
  location: rangeSchema.nullable(),
});

export const declarationTimeout = z
  .number()
  .positive()
  .max(3600)
  .default(60)
  .describe('Seconds that one declaration may take.');

export const checkFields = {
  status: z
    .enum(['ok', 'error'])
    .describe('`ok` only when everything that was asked for was checked without an error.'),
  reason: z
    .string()
    .nullable()
    .describe('Why the check did not come to its end: `timeout`, `interrupted`, …'),
  message: z.string().nullable(),
  diagnostics: z.array(diagnosticSchema),
  fragments: z.array(fragmentSchema).describe('One for each top-level declaration of the buffer, in order.'),
  escapes: z
    .array(z.object({ line: z.int(), column: z.int(), kind: z.string(), text: z.string() }))
    .describe(
      'What lets something false pass (`admit`, `assume`, unsafe options): `ok` says nothing about these.',
    ),
  generation: z.int().describe('How often the F* of the session had to be replaced.'),
};

/** What was stopped is neither checked nor refused. */
export function checkHolds({
  status,
  reason,
}: {
  readonly status: 'ok' | 'error';
  readonly reason: string | null;
}): boolean | undefined {
  return status === 'ok' || (reason === null ? false : undefined);
}

export type CheckFields = z.input<z.ZodObject<typeof checkFields>>;

export function checkFieldsOf(report: CheckReport, text: string, workspace: Workspace): CheckFields {
  const lines = new LineIndex(text);
  return {
    status: report.status === 'ok' ? 'ok' : 'error',
    reason: report.reason ?? null,
    message: report.message ?? null,
    diagnostics: report.issues.map((issue) => diagnosticField(issue, workspace)),
    fragments: report.fragments.map(fragmentOf),
    escapes: scanText(text).map(({ kind, text: what, span }) => {
      const { line, column } = lines.printedAt(orZero(span?.start));
      return { line, column, kind, text: what };
    }),
    generation: report.generation,
  };
}

export function diagnosticField(
  { level, number, message, ranges }: FstarIssue,
  workspace: Workspace,
): z.input<typeof diagnosticSchema> {
  const [first, ...others] = ranges.map((range) => rangeOf(range, workspace));
  return { level, number, message: cutMessage(message), range: first ?? null, related: others };
}

/** A message of F* can hold a whole normalised term. */
const LONGEST_MESSAGE = 20_000;

function cutMessage(text: string): string {
  return text.length <= LONGEST_MESSAGE
    ? text
    : `${text.slice(0, LONGEST_MESSAGE)}… (${text.length} characters)`;
}

export function rangeOf({ file, start, end }: FstarRange, workspace: Workspace): z.input<typeof rangeSchema> {
  return {
    file: workspace.nameOf(file),
    start_line: start.line,
    start_column: start.column,
    end_line: end.line,
    end_column: end.column,
  };
}

function fragmentOf({
  status,
  kind,
  names,
  start,
  end,
  cached,
  elapsedMs,
}: Fragment): z.input<typeof fragmentSchema> {
  return {
    status,
    kind,
    names: [...names],
    start_line: start.line,
    start_column: start.column,
    end_line: end.line,
    end_column: end.column,
    cached,
    elapsed_ms: elapsedMs === null ? null : Math.round(elapsedMs),
  };
}

export function goalOf({ hypotheses, conclusion, label }: FstarGoal): z.input<typeof goalSchema> {
  return {
    hypotheses: hypotheses.map(({ name, type }) => ({ name, type: cutMessage(type) })),
    goal: cutMessage(conclusion),
    label,
  };
}

export function fstarStateOf(state: TacticState, workspace: Workspace): z.input<typeof proofStateSchema> {
  return {
    label: state.label,
    depth: state.depth,
    urgency: state.urgency,
    goals: state.goals.map(goalOf),
    smt_goals: state.smtGoals.map(goalOf),
    location: state.location && rangeOf(state.location, workspace),
  };
}
