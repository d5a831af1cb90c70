/** `rocq_step` and `rocq_try`: going on from a state, along one way or trying many. */
import { availableParallelism } from 'node:os';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { orNothing } from '../../../core/entry.ts';
import { openGoalCount, sameGoals, type ProofState } from '../../../core/proof-state.ts';
import { behindEnvironment } from '../../../provers/rocq/goals/printed-environment.ts';
import { READS, defineOperation } from '../../definition/operation.ts';
import { restsOnSchema } from '../../definition/rests-on.ts';
import { commandIn, leftOpenBy, refuseForbidden, tacticWordsOf } from '../session/forbidden-in-proof.ts';
import { goalSchema, proofFields, proofFieldsOf, rocqProofStateText } from '../session/goal-schemas.ts';
import { withLastDot } from '../../../provers/rocq/syntax/missing-dot.ts';
import { inSession, placeRestsOn, sessionFields } from '../session/place.ts';
import { runScript, runScriptWith, type ScriptRun } from './run-script.ts';
import {
  scriptError,
  errorSchema,
  messageSchema,
  messagesOf,
  prefixOf,
  refusedSentenceText,
  sentenceTimeout,
} from './script-answers.ts';

export const rocqStep = defineOperation({
  name: 'rocq_step',
  area: 'rocq',
  title: 'Run sentences',
  summary: 'Runs one or more sentences from a state and answers the state behind the last that was accepted.',
  details:
    'For going on step by step; a whole proof is better checked with `rocq_check_proof`, and several ' +
    'alternatives with `rocq_try`. Without `from` it begins at the start of the session: to go on, give the state that the ' +
    'answer names as `from`. The state before stays as it was: go back by naming it there.',
  input: z.object({
    ...sessionFields,
    script: z.string().describe('Sentences; the last dot may be missing.'),
    sentence_timeout: sentenceTimeout,
  }),
  output: z.object({
    state: z.string().describe('Behind the last sentence that was accepted.'),
    accepted: z.int().describe('How many sentences were accepted.'),
    valid_prefix: z.string(),
    error: errorSchema,
    ...proofFields,
    messages: z.array(messageSchema),
    notes: z.array(z.string()).describe('What was changed in the script as it was sent.'),
    rests_on: restsOnSchema,
  }),
  annotations: READS,
  defaultTimeout: 150,
  positional: ['session_id', 'script'],
  // A sentence that was stopped was not refused.
  holds: ({ error }) => error === null || (error.reason === null ? false : undefined),
  render: (output, say) =>
    [
      `State ${output.state} (${output.accepted} accepted). ${say('`rocq_step` with `from` goes on there.')}`,
      ...(output.error === null
        ? []
        : [`Error at ${output.error.line}:${output.error.column}: ${output.error.message}`]),
      ...output.notes,
      ...output.messages.map(({ severity, text }) => (severity === 'notice' ? text : `${severity}: ${text}`)),
      rocqProofStateText(output),
    ].join('\n\n'),
  run: async (input, context) =>
    inSession(context, input, async ({ pool, state, file, session }) => {
      const { script, notes } = withLastDot(input.script);
      refuseForbidden(script, tacticWordsOf(file));
      const run = await runScript(pool, state, script, {
        signal: context.signal,
        sentenceTimeoutMs: input.sentence_timeout * 1000,
      });
      return {
        state: session.nameOf(run.reached, run.proof),
        accepted: run.accepted.length,
        valid_prefix: prefixOf(script, run),
        error: scriptError(script, run.failure),
        ...proofFieldsOf(run.proof),
        messages: messagesOf(run),
        notes: [...notes],
        rests_on: await placeRestsOn(context, pool, file),
      };
    }),
});

/** Whether two states show the same goals, whatever the prover calls them, and count as many elsewhere. */
function showsTheSame(before: ProofState | null, after: ProofState | null): boolean {
  if (before === null || after === null) return false;
  const { goals, ...counts } = before;
  const { goals: goalsAfter, ...countsAfter } = after;
  return sameGoals(goals, goalsAfter) && isDeepStrictEqual(counts, countsAfter);
}

const MOST_ALTERNATIVES = 50;

export const rocqTry = defineOperation({
  name: 'rocq_try',
  area: 'rocq',
  title: 'Try alternatives',
  summary:
    'Runs up to 50 alternative scripts from one state, side by side where that pays, and advances nothing.',
  details: 'Answers come in their order. Go on from one with its `state`.',
  input: z.object({
    ...sessionFields,
    alternatives: z
      .array(z.string())
      .min(1)
      .max(MOST_ALTERNATIVES)
      .describe('Scripts of sentences; the last dot may be missing.'),
    sentence_timeout: sentenceTimeout.default(5),
  }),
  output: z.object({
    results: z.array(
      z.object({
        script: z.string().describe('As it was run, with its last dot.'),
        accepted: z.boolean(),
        closed: z.boolean().describe('Nothing is left but the closing command.'),
        left_open: z
          .string()
          .nullable()
          .describe(
            'What keeps it from being a proof, where no goal is left: `Admitted`, `admit`, a command that is no tactic …',
          ),
        state: z.string().nullable().describe('Behind the script, when all of it was accepted.'),
        error: z.string().nullable(),
        unchanged: z.boolean().describe('Accepted, and the goals are as before.'),
        goals_total: z.int(),
        goals_left: z.int().describe('In focus, set aside and shelved together.'),
        first_goal: goalSchema.nullable(),
        elapsed_ms: z.number(),
      }),
    ),
    accepted: z.int(),
    closed: z.int(),
    rests_on: restsOnSchema,
  }),
  annotations: READS,
  defaultTimeout: 150,
  positional: ['session_id', 'alternatives'],
  holds: ({ accepted }) => accepted > 0,
  render: ({ results, accepted, closed }) =>
    [
      `${accepted} of ${results.length} accepted, ${closed} close the proof`,
      ...results.map((result) => {
        const what = result.accepted
          ? result.closed
            ? `closes it (${orNothing(result.state)})`
            : result.left_open === null
              ? `${result.unchanged ? 'changes nothing, ' : ''}${result.goals_left} left (${orNothing(result.state)})`
              : `leaves it open with ${result.left_open} (${orNothing(result.state)})`
          : behindEnvironment(result.error ?? 'refused').split('\n')[0];
        return `${result.accepted ? '+' : '-'} ${result.script}  → ${what}`;
      }),
    ].join('\n'),
  run: async (input, context) =>
    inSession(context, input, async ({ pool, state, file, session }) => {
      const tactics = tacticWordsOf(file);
      const alternatives = input.alternatives.map((sent) => withLastDot(sent).script);
      for (const script of alternatives) refuseForbidden(script, tactics);
      const options = { signal: context.signal, sentenceTimeoutMs: input.sentence_timeout * 1000 };
      const before = await pool.at(state, options, (prover) => prover.session.goals(prover.state));
      const runs: { readonly run: ScriptRun; readonly elapsedMs: number }[] = [];
      const queue = [...alternatives.entries()];
      let done = 0;
      const work = (): Promise<void> =>
        pool.at(state, options, async (prover) => {
          for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
            const [index, script] = next;
            const started = performance.now();
            const run = await runScriptWith(prover, state, script, options);
            runs[index] = { run, elapsedMs: performance.now() - started };
            done += 1;
            context.progress({ message: 'Trying alternatives', done, total: alternatives.length });
          }
        });
      const workers = Math.min(availableParallelism(), Math.ceil(alternatives.length / 5));
      // Those beyond the first wait for a prover that can be brought here; when all is done before, they have
      // nothing to do.
      await Promise.all(Array.from({ length: workers }, work));
      const results = alternatives.flatMap((script, index) => {
        const entry = runs[index];
        if (entry === undefined) return [];
        const { run, elapsedMs } = entry;
        const proof = proofFieldsOf(run.proof, { goals: 1, characters: 2000 });
        const left = run.proof === null ? 0 : openGoalCount(run.proof);
        const accepted = run.failure === undefined;
        const leftOpen = accepted ? (leftOpenBy(script) ?? commandIn(script, tactics)?.what) : undefined;
        return [
          {
            script,
            accepted,
            closed: accepted && left === 0 && leftOpen === undefined,
            left_open: leftOpen ?? null,
            state: accepted ? session.nameOf(run.reached, run.proof) : null,
            unchanged: accepted && leftOpen === undefined && showsTheSame(before, run.proof),
            error: run.failure === undefined ? null : refusedSentenceText(script, run.failure),
            goals_total: proof.goals_total,
            goals_left: left,
            first_goal: accepted ? (proof.goals[0] ?? null) : null,
            elapsed_ms: Math.round(elapsedMs * 10) / 10,
          },
        ];
      });
      return {
        results,
        accepted: results.filter(({ accepted }) => accepted).length,
        closed: results.filter(({ closed }) => closed).length,
        rests_on: await placeRestsOn(context, pool, file),
      };
    }),
});
