/** `rocq_check_proof`: the outcome of a whole proof, with everything that helps to go on. */
import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { restsOnSchema } from '../rests-on.ts';
import { checkProof, type CheckedProof } from './check-proof.ts';
import { tacticWordsOf } from './forbidden-in-proof.ts';
import {
  DEFAULT_GOAL_LIMITS,
  goalSchema,
  goalsShown,
  goalText,
  proofFields,
  proofFieldsOf,
  proofStateText,
} from './goal-schemas.ts';
import { judgeInFile } from './judge-in-file.ts';
import { inSession, placeRestsOn, sessionFields } from './place.ts';
import { rangeIn } from './positions.ts';
import {
  errorOf,
  errorSchema,
  messageSchema,
  messagesOf,
  prefixOf,
  sentenceTimeout,
} from './script-answers.ts';

const OUTCOMES = ['proved', 'incomplete', 'branch-closed', 'failed', 'forbidden', 'unknown'] as const;

export const rocqCheckProof = defineOperation({
  name: 'rocq_check_proof',
  area: 'rocq',
  title: 'Check a proof',
  summary: 'Checks a whole proof of the session’s theorem, or what is left of it from a state.',
  details:
    'Outcomes: `proved` (the closing command was executed), `incomplete` (no error; `goals` are open), `branch-closed` (the ' +
    'goals in focus are done; the next ones are in `elsewhere`, `depth` focuses out), `failed` (`valid_prefix` was accepted, ' +
    '`error` says why the next sentence was not, `goals` are those at the error, `state` is where to go on), `forbidden` ' +
    '(`Admitted`, `admit`, a new axiom, a command that reaches beyond the proof), `unknown` (it could not be judged; ' +
    '`message` says why). `Proof.` and `Qed.` may be left out. With `final` the gate judges the proof in a fresh process ' +
    'as well: only that makes a proof count.',
  input: z.object({
    ...sessionFields,
    proof: z.string().describe('The script, with or without `Proof.` and `Qed.`.'),
    sentence_timeout: sentenceTimeout,
    final: z.boolean().default(false).describe('Also ask the gate, when the outcome is `proved`.'),
  }),
  output: z.object({
    outcome: z.enum(OUTCOMES),
    message: z.string(),
    state: z.string().nullable().describe('The last state that was reached, to go on from.'),
    valid_prefix: z.string().describe('What of the script was accepted, as it was sent.'),
    proof: z.string().nullable().describe('When proved: the whole proof, with its closing command.'),
    error: errorSchema,
    ...proofFields,
    elsewhere: z.array(goalSchema).describe('With `branch-closed`: the next goals out of focus.'),
    depth: z.int().describe('With `branch-closed`: how many focuses out they are; otherwise 0.'),
    messages: z.array(messageSchema),
    gate: z
      .object({ verdict: z.enum(['accepted', 'rejected', 'unknown']), findings: z.array(z.string()) })
      .nullable()
      .describe('With `final`: what the gate says.'),
    rests_on: restsOnSchema,
  }),
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  defaultTimeout: 150,
  positional: ['session_id', 'proof'],
  render: (output) =>
    [
      `${output.outcome}: ${output.message}`,
      ...(output.state === null ? [] : [`State: ${output.state}`]),
      ...(output.outcome === 'failed' ? [`Accepted:\n${output.valid_prefix}`] : []),
      ...(output.outcome === 'proved' ? [] : [proofStateText(output)]),
      ...output.elsewhere.slice(0, 1).map(goalText),
      ...(output.gate === null ? [] : [`Gate: ${output.gate.verdict}`, ...output.gate.findings]),
    ].join('\n\n'),
  run: async (input, context) =>
    inSession(context, input, async ({ pool, file, session }) => {
      const checked = await checkProof(
        pool,
        session,
        input.from === undefined ? undefined : session.stateNamed(input.from),
        input.proof,
        tacticWordsOf(file),
        { signal: context.signal, sentenceTimeoutMs: input.sentence_timeout * 1000 },
      );
      const { outcome, run, reached } = checked;
      const isProved = outcome.kind === 'proved' && reached !== undefined;
      // A script that was checked from its start is answered as it was written.
      const whole =
        isProved && input.from !== undefined ? session.scriptTo(reached).join('\n') : checked.script;
      const elsewhere = outcome.kind === 'branch-closed' ? outcome : undefined;
      return {
        outcome: outcome.kind,
        message: messageOf(input.proof, checked),
        state: reached === undefined ? null : session.nameOf(reached, run?.proof),
        valid_prefix: outcome.kind === 'forbidden' ? '' : prefixOf(input.proof, run),
        proof: isProved ? whole : null,
        error: errorOf(input.proof, checked.failure),
        ...proofFieldsOf(run?.proof ?? null),
        elsewhere: goalsShown(elsewhere?.elsewhere ?? [], DEFAULT_GOAL_LIMITS).goals,
        depth: elsewhere?.depth ?? 0,
        messages: messagesOf(run),
        gate: input.final && isProved ? await judgeInFile(session, reached, context.signal) : null,
        rests_on: await placeRestsOn(context, pool, file),
      };
    }),
});

function messageOf(script: string, { outcome, run }: CheckedProof): string {
  switch (outcome.kind) {
    case 'proved':
      return 'The proof is complete and its closing command was accepted.';
    case 'incomplete': {
      const { shelved = 0, givenUp = 0 } = run?.proof ?? {};
      const rest = [
        outcome.goals.length > 0 ? `${outcome.goals.length} in focus` : '',
        shelved > 0 ? `${shelved} shelved` : '',
        givenUp > 0 ? `${givenUp} given up` : '',
      ].filter((part) => part !== '');
      return `No error so far; goals are open: ${rest.join(', ')}.`;
    }
    case 'branch-closed':
      return `The goals in focus are done; the next ones are ${outcome.depth} out of focus.`;
    case 'failed': {
      const { line, column } = rangeIn(script, outcome.error.span ?? outcome.span);
      return `Error at ${line}:${column}: ${outcome.error.message.trim()}`;
    }
    case 'forbidden': {
      const { line, column } = rangeIn(script, outcome.span);
      return `A proof may not have ${outcome.what} in it (${line}:${column}); nothing was run.`;
    }
    case 'unknown':
      return `It could not be judged: ${outcome.message} [${outcome.reason}]`;
  }
}
