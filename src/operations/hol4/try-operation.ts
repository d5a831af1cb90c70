/** hol_try: several tactics from one state, the one that is open in the session or one at a place of a file. */
import { z } from 'zod';
import { orZero } from '../../core/entry.ts';
import { QuodError } from '../../core/errors.ts';
import type { StateId } from '../../core/prover.ts';
import { errorDiagnostic } from '../../provers/hol4/session/diagnostics.ts';
import { tacticsOf } from '../../provers/hol4/session/sentence.ts';
import { stepList } from '../../provers/hol4/session/step-code.ts';
import { readShownState } from '../../provers/hol4/session/values.ts';
import { tacticSteps } from '../../provers/hol4/syntax/tactic.ts';
import type { FileReplay } from '../../sessions/hol4/file-replay.ts';
import type { HolEntry } from '../../sessions/hol4/hol-sessions.ts';
import { defineOperation } from '../definition/operation.ts';
import { restsOnSchema } from '../definition/rests-on.ts';
import { holGoalText, goalsOf, holGoalSchema, sessionField } from './hol-schemas.ts';
import { holRestsOn, inHolSession } from './hol-service.ts';
import { placeFields, placeIn } from './place-in-script.ts';

const attemptSchema = z.object({
  tactic: z.string(),
  status: z.enum(['solved', 'progress', 'unchanged', 'failed', 'timeout', 'interrupted']),
  goals: z.array(holGoalSchema),
  oracles: z.array(z.string()).describe('`cheat` when it solves by cheating.'),
  message: z.string().nullable(),
  seconds: z.number(),
});

type Attempt = z.output<typeof attemptSchema>;

export const holTry = defineOperation({
  name: 'hol_try',
  area: 'hol',
  title: 'Try tactics',
  summary:
    'Tries several tactics from the same state and shows what each makes of it; the state stays as it is.',
  details:
    'From the first goal of the proof that is open in the session, or, with `line`, from a place of a file.',
  input: z.object({
    session: sessionField,
    tactics: z.array(z.string().min(1)).min(1).max(50),
    file: placeFields.file,
    line: z.int().positive().optional().describe('From 1; default: the proof that is open in the session.'),
    column: placeFields.column,
    tactic_timeout: z.number().positive().max(600).default(10).describe('Seconds for each tactic.'),
  }),
  output: z.object({ attempts: z.array(attemptSchema), rests_on: restsOnSchema }),
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: true },
  defaultTimeout: 600,
  positional: ['tactics'],
  holds: ({ attempts }) => attempts.some(({ status }) => status === 'solved' || status === 'progress'),
  render: ({ attempts }) =>
    attempts
      .map(({ tactic, status, goals, message }) =>
        [`${status}: ${tactic}${message === null ? '' : `: ${message}`}`, ...goals.map(holGoalText)].join(
          '\n',
        ),
      )
      .join('\n\n'),
  run: async (input, context) =>
    inHolSession(context, input.session, async (entry, service) => {
      const { line } = input;
      const limits = { timeoutMs: input.tactic_timeout * 1000, signal: context.signal };
      if (line === undefined) {
        const attempts: Attempt[] = [];
        await entry.workbench.ask('Quod_Port.set_goal 1 (proofManagerLib.top_goal ())', context);
        for (const tactic of input.tactics) attempts.push(await tryInManager(entry, tactic, limits));
        return { attempts, rests_on: holRestsOn(context, entry) };
      }
      const { place, replay, source } = await placeIn(entry, service, { ...input, line }, context);
      if (place.kind !== 'goals') {
        const why = place.kind === 'broken' ? `The proof fails before it: ${place.message}` : place.message;
        throw new QuodError('invalid-input', why, { remedy: 'Ask `hol_state_at` about the place.' });
      }
      const attempts: Attempt[] = [];
      for (const tactic of input.tactics) attempts.push(await tryAtPlace(replay, place, tactic, limits));
      return { attempts, rests_on: holRestsOn(context, entry, source) };
    }),
});

interface TryLimits {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

async function tryInManager({ workbench }: HolEntry, tactic: string, limits: TryLimits): Promise<Attempt> {
  const steps = stepList(tactic, tacticSteps(tactic));
  const code = `val () = Quod_Port.run 1 2 ${steps}\n;val () = Quod_Port.tell_state 1\n;val () = Quod_Port.tell_state 2`;
  const { reply, stopped, values, elapsedMs } = await workbench.run(code, limits);
  const nothing = { tactic, goals: [], oracles: [], seconds: elapsedMs / 1000 };
  if (stopped !== undefined) return { ...nothing, status: stopped, message: null };
  if (reply.status !== 'ok')
    return { ...nothing, status: 'failed', message: errorDiagnostic(reply, tactic).message };
  const [before, after] = [readShownState(values.slice(1, 2)), readShownState(values.slice(2))];
  const goals = goalsOf(after.goals);
  const status = progressOf(goalsOf(before.goals), goals);
  return { ...nothing, status, goals, oracles: [...after.oracles], message: null };
}

async function tryAtPlace(
  { session }: FileReplay,
  place: { readonly state: StateId; readonly goals: Parameters<typeof goalsOf>[0] },
  tactic: string,
  limits: TryLimits,
): Promise<Attempt> {
  const result = await session.run(place.state, tacticsOf(tactic, tacticSteps(tactic), ''), {
    ...limits,
    withGoals: true,
  });
  const nothing = { tactic, goals: [], oracles: [], seconds: result.elapsedMs / 1000 };
  if (result.status === 'failed') return { ...nothing, status: 'failed', message: result.error.message };
  if (result.status === 'unknown') {
    if (result.reason !== 'timeout' && result.reason !== 'interrupted')
      throw new QuodError(result.reason, result.message);
    return { ...nothing, status: result.reason, message: null };
  }
  const goals = goalsOf(result.proof?.goals ?? []);
  const status = progressOf(goalsOf(place.goals), goals);
  const oracles = orZero(result.proof?.givenUp) > 0 ? ['cheat'] : [];
  return { ...nothing, status, goals, oracles, message: null };
}

function progressOf(before: Attempt['goals'], after: Attempt['goals']): 'solved' | 'unchanged' | 'progress' {
  if (after.length === 0) return 'solved';
  return JSON.stringify(after) === JSON.stringify(before) ? 'unchanged' : 'progress';
}
