/** The shapes in which HOL's goals, theorems and replies are answered. */
import { cutMiddle } from '../../core/foreign-text.ts';
import { z } from 'zod';
import { counted } from '../../core/counted.ts';
import type { Goal } from '../../core/proof-state.ts';
import type { HolAnswer } from '../../provers/hol4/session/process.ts';
import type { HolError } from '../../provers/hol4/session/reply.ts';
import type { ManagedProof } from '../../provers/hol4/session/values.ts';
import type { WorkbenchAnswer } from '../../sessions/hol4/workbench.ts';

export const sessionField = z.string().min(1).default('default').describe('The name given to `hol_start`.');

const hypothesisSchema = z.object({
  name: z.string().describe('The number that HOL prints, oldest first.'),
  type: z.string(),
});

export const holGoalSchema = z.object({ hypotheses: z.array(hypothesisSchema), conclusion: z.string() });

type HolGoal = z.output<typeof holGoalSchema>;

export const holTheoremSchema = z.object({
  conclusion: z.string(),
  hypotheses: z.array(z.string()),
  oracles: z
    .array(z.string())
    .describe('What it rests on unproved: `cheat` and others. Empty when it is proved.'),
});

export const proofStateSchema = z.object({
  kind: z.enum(['none', 'goalstack', 'goaltree', 'goalfrag']),
  proved: z.boolean(),
  goals: z
    .array(holGoalSchema)
    .describe('All open goals; the first is the one that the next tactic works on.'),
  initial_goal: holGoalSchema.nullable(),
  theorem: holTheoremSchema.nullable().describe('What was proved, where HOL can tell: not in goal trees.'),
});

export function holStateOf({
  kind,
  proved,
  goals,
  initial,
  theorem,
}: ManagedProof): z.output<typeof proofStateSchema> {
  return {
    kind,
    proved,
    goals: goals.map(numbered),
    initial_goal: initial && numbered(initial),
    theorem: theorem && {
      conclusion: theorem.conclusion,
      hypotheses: theorem.hypotheses,
      oracles: theorem.oracles,
    },
  };
}

export function goalsOf(goals: readonly Goal[]): HolGoal[] {
  return goals.map(({ hypotheses, conclusion }) => ({
    hypotheses: hypotheses.map(({ name, type }) => ({ name, type })),
    conclusion,
  }));
}

function numbered({
  hypotheses,
  conclusion,
}: {
  hypotheses: readonly string[];
  conclusion: string;
}): HolGoal {
  return { hypotheses: hypotheses.map((type, index) => ({ name: String(index), type })), conclusion };
}

export const replyFields = {
  status: z
    .enum(['ok', 'parse_error', 'static_error', 'exception', 'timeout', 'interrupted', 'lost'])
    .describe('What became of the command; `lost`: HOL died and was started again, see `recovery`.'),
  output: z.string().describe('What HOL printed.'),
  output_cut: z.boolean(),
  error: z
    .object({
      origin: z
        .string()
        .describe('Where HOL raised it, `Tactical.FAIL_TAC`; empty for errors of the compiler.'),
      message: z.string(),
      line: z.int().nullable().describe('In the command, from 1.'),
      column: z.int().nullable().describe('In bytes, from 0.'),
    })
    .nullable(),
  may_have_acted: z.boolean().describe('Something was declared although the command failed.'),
  warnings: z.array(z.string()),
  recovery: z
    .object({
      why: z.string(),
      replayed: z.int(),
      failed_at: z.string().nullable().describe('The first command that could not be executed again.'),
    })
    .nullable(),
  seconds: z.number(),
};

type ReplyFields = z.output<z.ZodObject<typeof replyFields>>;

export function replyOf(answer: WorkbenchAnswer, mostCharacters: number): ReplyFields {
  if (answer.status === 'lost') {
    const { why, replayed, failedAt } = answer.recovery;
    return {
      status: answer.stopped === 'timeout' ? 'timeout' : 'lost',
      output: '',
      output_cut: false,
      error: { origin: '', message: answer.message, line: null, column: null },
      may_have_acted: false,
      warnings: [],
      recovery: { why, replayed, failed_at: failedAt ?? null },
      seconds: 0,
    };
  }
  const { reply, elapsedMs, droppedBytes } = answer;
  const { text, cut } = cutMiddle(reply.output.trimEnd(), mostCharacters);
  return {
    status: statusOf(answer),
    output: text,
    output_cut: cut || droppedBytes > 0,
    error: reply.error === undefined ? null : holError(reply.error),
    may_have_acted: reply.status !== 'ok' && reply.mayHaveActed,
    warnings: [...reply.warnings],
    recovery: null,
    seconds: elapsedMs / 1000,
  };
}

function statusOf({ reply, stopped }: HolAnswer): ReplyFields['status'] {
  if (stopped !== undefined) return stopped;
  switch (reply.status) {
    case 'parse-error':
      return 'parse_error';
    case 'static-error':
      return 'static_error';
    case 'ok':
    case 'exception':
    case 'interrupted':
      return reply.status;
  }
}

function holError({ origin, message, line, column }: HolError): {
  origin: string;
  message: string;
  line: number | null;
  column: number | null;
} {
  return { origin, message, line: line ?? null, column: column === undefined ? null : column - 1 };
}

export function holGoalText({ hypotheses, conclusion }: HolGoal): string {
  return [
    ...hypotheses.map(({ name, type }) => ` ${name}.  ${type}`),
    '------------------------------------',
    `     ${conclusion}`,
  ].join('\n');
}

export function holProofStateText({ kind, proved, goals }: z.output<typeof proofStateSchema>): string {
  if (kind === 'none') return 'No proof is open.';
  if (proved) return 'Proved.';
  return [counted(goals.length, 'goal'), ...goals.map(holGoalText)].join('\n\n');
}
