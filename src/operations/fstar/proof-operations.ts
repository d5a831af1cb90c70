/** Looking at proofs: the states that tactics showed, and the goals at a place. */
import { z } from 'zod';
import { goalsAt } from '../../sessions/fstar/goals-at.ts';
import { READS, defineOperation } from '../definition/operation.ts';
import {
  diagnosticField,
  diagnosticSchema,
  goalOf,
  goalSchema,
  fstarStateOf,
  proofStateSchema,
} from './report-schemas.ts';
import { diagnosticLines, goalsText, fstarProofStateText } from './report-text.ts';
import { sessionId } from './session-operations.ts';
import { fstarWorkbenchOf } from './fstar-workbench.ts';

export const fstarGetProofContext = defineOperation({
  name: 'fstar_get_proof_context',
  area: 'fstar',
  title: 'Get proof states',
  summary: 'Answers the proof states that tactics showed during the last check, all or those at a line.',
  details:
    'F* tells a state where a tactic says `dump`, and where one fails. For the goals at any place of a tactic, without ' +
    'writing `dump`, use `fstar_goals_at`.',
  input: z.object({
    session_id: sessionId,
    line: z.int().positive().optional().describe('From 1. Without it, all states.'),
  }),
  output: z.object({
    found: z.boolean(),
    line: z.int().nullable(),
    proof_state: proofStateSchema.nullable().describe('The last state at the line.'),
    count: z.int(),
    proof_states: z
      .array(proofStateSchema)
      .describe('Those at the line, or all, in the order in which they came.'),
  }),
  annotations: READS,
  defaultTimeout: 30,
  positional: ['session_id', 'line'],
  render: ({ proof_states, line }) =>
    proof_states.length === 0
      ? `No tactic showed a state${line === null ? '' : ` at line ${line}`}.`
      : proof_states.map(fstarProofStateText).join('\n\n'),
  run: async ({ session_id, line }, context) => {
    return await fstarWorkbenchOf(context).sessions.use(context.client, session_id, ({ session }) => {
      const states = (session.lastCheck?.report.states ?? []).filter(({ location }) => {
        if (line === undefined) return true;
        return location !== null && location.start.line <= line && line <= location.end.line;
      });
      const shown = states.map((state) => fstarStateOf(state, context.workspace));
      return Promise.resolve({
        found: shown.length > 0,
        line: line ?? null,
        proof_state: line === undefined ? null : (shown.at(-1) ?? null),
        count: shown.length,
        proof_states: shown,
      });
    });
  },
});

const stateSchema = z.object({
  goals: z.array(goalSchema),
  smt_goals: z.array(goalSchema).describe('Left to the solver.'),
});

export const fstarGoalsAt = defineOperation({
  name: 'fstar_goals_at',
  area: 'fstar',
  title: 'Goals at a place',
  summary: 'Shows the goals before and after the tactic step at a place of the text that was checked last.',
  details:
    'The declaration is run once more with the state shown around the step; the text is not changed. Outside of tactics the ' +
    'solver proves a declaration as a whole: then its statement and what F* said about it are answered.',
  input: z.object({
    session_id: sessionId,
    line: z.int().positive().describe('From 1.'),
    column: z.int().nonnegative().describe('From 0.'),
  }),
  output: z.object({
    kind: z.enum(['tactic', 'declaration']),
    declaration: z.array(z.string()).describe('The names of the declaration at the place.'),
    step: z.string().nullable().describe('The tactic step at the place.'),
    statement: z.string().nullable(),
    before: stateSchema.nullable().describe('Null when the step is not reached.'),
    after: stateSchema.nullable().describe('Null when the step fails.'),
    at_failure: stateSchema.nullable(),
    diagnostics: z.array(diagnosticSchema),
  }),
  annotations: READS,
  defaultTimeout: 120,
  positional: ['session_id', 'line', 'column'],
  render: ({ declaration, step, statement, before, after, at_failure, diagnostics, kind }) =>
    [
      `${declaration.join(', ')}${kind === 'declaration' ? '' : `: ${step ?? 'no step'}`}`,
      ...(statement === null ? [] : [statement]),
      ...(kind === 'declaration'
        ? []
        : [
            before === null ? 'The step is not reached.' : `Before:\n${goalsText(before)}`,
            ...(after === null ? [] : [`After:\n${goalsText(after)}`]),
            ...(at_failure === null ? [] : [`Where it fails:\n${goalsText(at_failure)}`]),
          ]),
      ...diagnosticLines(diagnostics),
    ].join('\n\n'),
  run: async ({ session_id, line, column }, context) => {
    return await fstarWorkbenchOf(context).sessions.use(context.client, session_id, async ({ session }) => {
      const found = await goalsAt(session, { line, column }, { signal: context.signal });
      const common = {
        kind: found.kind,
        declaration: [...found.declaration.names],
        diagnostics: found.issues.map((issue) => diagnosticField(issue, context.workspace)),
      };
      if (found.kind === 'declaration') {
        const { statement } = found;
        return { ...common, step: null, statement, before: null, after: null, at_failure: null };
      }
      const { step, before, after, atFailure } = found;
      return {
        ...common,
        step,
        statement: null,
        before: stateOf(before),
        after: stateOf(after),
        at_failure: stateOf(atFailure),
      };
    });
  },
});

function stateOf(
  state: {
    readonly goals: readonly Parameters<typeof goalOf>[0][];
    readonly smtGoals: readonly Parameters<typeof goalOf>[0][];
  } | null,
): z.input<typeof stateSchema> | null {
  return state && { goals: state.goals.map(goalOf), smt_goals: state.smtGoals.map(goalOf) };
}
