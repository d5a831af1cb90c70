/** `rocq_check_proof`: the outcome of a whole proof, with everything that helps to go on. */
import { z } from 'zod';
import { sayRemedies } from '../../../core/remedies/run-remedies.ts';
import { restsOnOpenText } from '../../../core/rests-on.ts';
import { READS, defineOperation } from '../../definition/operation.ts';
import { restsOnSchema } from '../../definition/rests-on.ts';
import { whatItRestsOn } from '../../gate/verdict-answer.ts';
import { orZero } from '../../../core/entry.ts';
import type { Outcome } from '../../../core/outcome.ts';
import type { ProofState } from '../../../core/proof-state.ts';
import type { ProverPool } from '../../../sessions/prover-pool.ts';
import type { ScriptState } from '../../../sessions/script-state.ts';
import { checkProof, type CheckedProof } from './check-proof.ts';
import { tacticWordsOf } from '../session/forbidden-in-proof.ts';
import {
  DEFAULT_GOAL_LIMITS,
  goalSchema,
  goalsShown,
  rocqGoalText,
  proofFields,
  proofFieldsOf,
  rocqProofStateText,
} from '../session/goal-schemas.ts';
import {
  FILE_NOW,
  judgedText,
  judgeInFile,
  type GateAnswer,
  type SessionGateAnswer,
} from './judge-in-file.ts';
import { inSession, placeRestsOn, sessionFields } from '../session/place.ts';
import { rangeIn } from '../session/positions.ts';
import { readSentProof, refusalText, type RefusedText } from './single-proof.ts';
import {
  scriptError,
  errorSchema,
  messageSchema,
  messagesOf,
  prefixOf,
  refusedSentenceText,
  sentenceTimeout,
} from '../step/script-answers.ts';

const OUTCOMES = [
  ...(['proved', 'proved-but', 'not-judged', 'refused', 'incomplete', 'branch-closed'] as const),
  ...(['failed', 'forbidden', 'unknown'] as const),
] as const;

export const rocqCheckProof = defineOperation({
  name: 'rocq_check_proof',
  area: 'rocq',
  title: 'Check a proof',
  summary: 'Checks a whole proof of the session’s theorem, or what is left of it from a state.',
  details:
    'Outcomes: `proved`; `incomplete` (no error, `goals` are open); `branch-closed` (go on with the goals in `elsewhere`, ' +
    '`depth` focuses out); `failed` (`valid_prefix` went through, `error` and `goals` say where it stuck, go on from `state`); ' +
    '`forbidden` (`Admitted`, `admit` anywhere, a new axiom, a command that reaches beyond the proof, several proofs); `unknown` (not ' +
    'judged, see `message`). `notes` says what was mended: code fences, a repeated statement, a missing last dot. ' +
    'A proof counts only with `final`, when the gate judges it in the file: `proved`, `proved-but` (it rests ' +
    'on open statements, see `rests_on_open`), `refused`, `not-judged` (the gate could not look).',
  input: z.object({
    ...sessionFields,
    proof: z.string().describe('The script, with or without `Proof.` and `Qed.`.'),
    sentence_timeout: sentenceTimeout,
    final: z.boolean().default(false).describe('Also ask the gate, when the outcome is `proved`.'),
  }),
  output: z.object({
    outcome: z.enum(OUTCOMES),
    message: z.string(),
    state: z
      .string()
      .nullable()
      .describe('The last state that was reached, to go on from; null when nothing was run.'),
    valid_prefix: z.string().describe('What of the script was accepted, as it was sent.'),
    proof: z.string().nullable().describe('When proved: the whole proof, with its closing command.'),
    error: errorSchema,
    ...proofFields,
    elsewhere: z.array(goalSchema).describe('With `branch-closed`: the next goals out of focus.'),
    depth: z.int().describe('With `branch-closed`: how many focuses out they are; otherwise 0.'),
    messages: z.array(messageSchema),
    notes: z.array(z.string()).describe('What was changed in the script as it was sent.'),
    rests_on_open: z
      .array(z.string())
      .describe('With `final`: statements of the file that the proof uses and that are open themselves.'),
    gate: z
      .object({
        verdict: z.enum(['accepted', 'rejected', 'unknown']),
        findings: z.array(z.string()),
        axioms: z.array(z.string()).describe('When accepted: the axioms that the proof rests on.'),
        warnings: z.array(z.string()).describe('What the verdict says against itself.'),
        file_hash: z
          .string()
          .describe('Of the file without this proof, as it was when the session was opened.'),
        file_now: z.enum(FILE_NOW).describe('Whether the file still has that hash.'),
        new_file_hash: z.string().describe('Of the file with this proof, which is what was judged.'),
      })
      .nullable()
      .describe('With `final`: what the gate says.'),
    rests_on: restsOnSchema,
  }),
  annotations: READS,
  defaultTimeout: 150,
  positional: ['session_id', 'proof'],
  holds: ({ outcome }) => {
    if (outcome === 'not-judged' || outcome === 'unknown') return undefined;
    return outcome === 'proved';
  },
  render: (output, say) =>
    [
      // Only what Quod says by itself, here that the gate was not asked: other messages quote the prover.
      `${output.outcome}: ${output.outcome === 'proved' && output.gate === null ? say(output.message) : output.message}`,
      ...(output.state === null ? [] : [`State: ${output.state}`]),
      ...output.notes,
      ...(output.outcome === 'failed' ? [`Accepted:\n${output.valid_prefix}`] : []),
      ...(output.proof === null ? [rocqProofStateText(output)] : []),
      ...output.elsewhere.slice(0, 1).map(rocqGoalText),
      ...(output.gate === null
        ? []
        : [
            `Gate: ${output.gate.verdict}`,
            ...output.gate.findings,
            ...output.gate.warnings.map((text) => sayRemedies(text, say)),
          ]),
    ].join('\n\n'),
  run: async (input, context) =>
    inSession(context, input, async ({ pool, state, file, session }) => {
      const from = input.from === undefined ? undefined : session.stateNamed(input.from);
      const item = session.target?.item;
      const sent = readSentProof(
        input.proof,
        file === undefined || item === undefined ? undefined : { outline: file.outline, item },
      );
      const options = { signal: context.signal, sentenceTimeoutMs: input.sentence_timeout * 1000 };
      const script = sent.kind === 'proof' ? sent.script : input.proof;
      const checked =
        sent.kind === 'refused'
          ? notOneProof(sent, script)
          : await checkProof(pool, session, { from, script, tactics: tacticWordsOf(file), options });
      const { run, reached } = checked;
      const isProved = checked.outcome.kind === 'proved' && reached !== undefined;
      const mended = sent.kind === 'proof' && sent.notes.length > 0;
      // A script that was checked from its start is answered as it was written.
      const written = mended ? checked.script.trim() : checked.script;
      const whole = isProved && from !== undefined ? session.scriptTo(reached).join('\n') : written;
      const gate = input.final && isProved ? await judgeInFile(session, whole, context.signal) : null;
      const outcome = gate === null ? checked.outcome : judgedOutcome(gate);
      const elsewhere = outcome.kind === 'branch-closed' ? outcome : undefined;
      const prefix = outcome.kind === 'forbidden' ? '' : prefixOf(script, run);
      // What was not run left the proof as it is where the script would have started.
      const proof = run?.proof ?? (run === undefined ? await proofAt(pool, state, context.signal) : null);
      return {
        outcome: outcome.kind,
        message:
          sent.kind === 'refused'
            ? `${refusalText(sent, input.proof)} Nothing was run.`
            : messageOf(script, { ...checked, outcome }, gate),
        state: reached === undefined ? null : session.nameOf(reached, run?.proof),
        valid_prefix: mended ? prefix.trimStart() : prefix,
        proof: isProved ? whole : null,
        error: scriptError(script, checked.failure),
        ...proofFieldsOf(proof),
        elsewhere: goalsShown(elsewhere?.elsewhere ?? [], DEFAULT_GOAL_LIMITS).goals,
        depth: orZero(elsewhere?.depth),
        messages: messagesOf(run),
        notes: sent.kind === 'proof' ? [...sent.notes] : [],
        rests_on_open: gate?.rests_on_open ?? [],
        gate,
        rests_on: await placeRestsOn(context, pool, file),
      };
    }),
});

function proofAt(pool: ProverPool, state: ScriptState, signal: AbortSignal): Promise<ProofState | null> {
  return pool.at(state, { signal }, (prover) => prover.session.goals(prover.state));
}

function notOneProof({ what, span }: RefusedText, script: string): CheckedProof {
  const outcome = { kind: 'forbidden', what, span } as const;
  return { outcome, reached: undefined, run: undefined, failure: undefined, script };
}

/** What a proof whose closing command was executed comes to, once the gate has spoken. */
function judgedOutcome({ verdict, reason, findings, rests_on_open }: GateAnswer): Outcome {
  switch (verdict) {
    case 'accepted':
      return rests_on_open.length === 0
        ? { kind: 'proved' }
        : { kind: 'proved-but', restsOnOpen: rests_on_open };
    case 'rejected':
      return { kind: 'refused', findings };
    case 'unknown':
      return { kind: 'not-judged', reason: reason ?? 'not-verified', message: findings.join(' ') };
  }
}

function axiomsBeside(gate: GateAnswer | null): string {
  return gate === null || gate.axioms.length === 0 ? '' : ` It also ${whatItRestsOn(gate.axioms, [])}.`;
}

function inText(gate: SessionGateAnswer | null): string {
  return gate === null ? '' : ` in ${judgedText(gate)}`;
}

function messageOf(script: string, { outcome, run }: CheckedProof, gate: SessionGateAnswer | null): string {
  switch (outcome.kind) {
    case 'proved':
      return gate === null
        ? 'The proof is complete and its closing command was accepted. What it rests on was not looked at: `final` asks the gate.'
        : `The proof is complete, its closing command was accepted, and the gate accepts it in ${judgedText(gate)}. It ${whatItRestsOn(gate.axioms, [])}.`;
    case 'proved-but':
      return `The gate accepts the proof${inText(gate)}, but it ${restsOnOpenText(outcome.restsOnOpen)}.${axiomsBeside(gate)}`;
    case 'not-judged':
      return `A proof was found, and the gate could not judge it${inText(gate)}: ${outcome.message}`;
    case 'refused':
      return `The closing command was accepted, but the gate refuses the proof${inText(gate)}: ${outcome.findings.join(' ')}`;
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
      return `Error at ${line}:${column}: ${refusedSentenceText(script, outcome)}`;
    }
    case 'forbidden': {
      const { line, column } = rangeIn(script, outcome.span);
      return `A proof may not have ${outcome.what} in it (${line}:${column}); nothing was run.`;
    }
    case 'unknown':
      return `It could not be judged: ${outcome.message} [${outcome.reason}]`;
  }
}
