/** One theorem from start to end: the offline search first, then the models in the chosen mode. */
import { counted } from '../../core/counted.ts';
import { isNestedTooDeep } from '../../core/errors.ts';
import { BudgetExhausted } from '../budget.ts';
import { ContextTooSmall, type RoleModels } from '../role-models.ts';
import { scriptIn } from '../prover-conventions.ts';
import { answerLacks } from '../runs/answer-lack.ts';
import type { EventOf } from '../runs/events.ts';
import type { Target } from '../target.ts';
import { RecordedToolSession } from './recorded-tool-session.ts';
import { theoremEnded, theoremRefuted } from './conclusion.ts';
import { carryOut } from './executing.ts';
import { proveByExamples } from './few-shot.ts';
import { brief, claimsFalsehood, judge, refute, requireReachable, timed } from './run-context.ts';
import type { RunContext, RunContextWithModels } from './run-context.ts';
import { Lemmas, type LemmaProver } from './lemmas.ts';
import { provedByPaid } from './paid-answers.ts';
import { makePlans } from './planning.ts';

type Ended = EventOf<'theorem-ended'>;
type Found = NonNullable<Ended['found']>;

const ACCEPTED = 'accepted by the gate';

/** @throws BudgetExhausted, and QuodErrors that end a run: it can be resumed after each of them. */
export async function proveTheorem(
  run: RunContext,
  roleModels: RoleModels | undefined,
  target: Target,
): Promise<Ended> {
  try {
    return await proveWithin(run, roleModels, target);
  } catch (error) {
    if (!isNestedTooDeep(error)) throw error;
    // Other theorems are not.
    return run.eventLog.note(theoremEnded(target.theorem, undefined, 'plan', error.toString()));
  }
}

async function proveWithin(
  run: RunContext,
  roleModels: RoleModels | undefined,
  target: Target,
): Promise<Ended> {
  const { theorem, statement } = target;
  const { eventLog, settings } = run;
  const key = theorem;
  const known = eventLog.recorded('theorem-ended', key);
  if (known !== undefined) return known;
  const wasBegun = eventLog.recorded('theorem-started', key) !== undefined;
  eventLog.note({ kind: 'theorem-started', key, theorem, statement });
  const end = (judged: EventOf<'judged'> | undefined, found: Found, reason: string): Ended => {
    // A proof that the gate could not look at is told when no other was accepted.
    const last =
      judged ?? eventLog.recordedUnder('judged', `${key}/`).find(({ verdict }) => verdict === 'unknown');
    return eventLog.note(theoremEnded(theorem, last, found, reason));
  };
  if (settings.searchFirst || roleModels === undefined) {
    const { judged, message } = await proveBySearch(run, target);
    if (judged !== undefined) return end(judged, 'search', 'found by the offline search');
    const refuted = await refute(run, target, key);
    if (refuted?.refuted === true) return eventLog.note(theoremRefuted(theorem, refuted));
    if (roleModels === undefined) {
      return end(undefined, 'search', `the offline search found none (no model is in use): ${message}`);
    }
  }
  const refuted = await refute(run, target, key);
  if (refuted?.refuted === true) return eventLog.note(theoremRefuted(theorem, refuted));
  const withModels: RunContextWithModels = { ...run, prompts: run.prompts.in(target.prover), roleModels };
  try {
    if (wasBegun || settings.mode === 'few-shot') await requireReachable(withModels, target);
    if (settings.mode === 'few-shot') {
      const judged = await proveByExamples(withModels, target);
      return end(judged, 'few-shot', judged === undefined ? noneAccepted(withModels, target) : ACCEPTED);
    }
    return await followPlans(withModels, target, end);
  } catch (error) {
    // Other theorems may be shorter, or be worked on by other models.
    if (error instanceof ContextTooSmall) return end(undefined, 'plan', error.toString());
    const paid = error instanceof BudgetExhausted ? await provedByPaid(withModels, target) : undefined;
    if (paid !== undefined) return end(paid, settings.mode, ACCEPTED);
    throw error;
  }
}

/** Answers without a proof in them were no tries: how many there are is told, and what ended them. */
function noneAccepted({ eventLog, settings }: RunContext, { theorem, prover }: Target): string {
  const answers = eventLog.recordedUnder('model-answered', `${theorem}/few-shot/`);
  const isTried = answers.some(({ text }) => scriptIn(text, prover) !== '');
  const lacks = answerLacks(answers);
  return [
    `none of the samples ${isTried ? 'was accepted' : 'has a proof in it'} (${settings.samples}, ${counted(settings.rounds, 'round')})`,
    ...(lacks === undefined ? [] : [lacks]),
  ].join(': ');
}

/** The offline search, with the gate's word on what it finds. */
export async function proveBySearch(
  run: RunContext,
  target: Target,
): Promise<{ readonly judged: EventOf<'judged'> | undefined; readonly message: string }> {
  const { eventLog, settings } = run;
  const key = target.theorem;
  const { proof, message } = await eventLog.once('searched', key, async () => {
    const { result, ms } = await timed(
      run,
      (signal) => target.search(settings.searchSeconds, settings.seed, signal),
      (found) => found.proof !== null,
    );
    return { ...result, ms };
  });
  if (proof === null) return { judged: undefined, message };
  const judged = await judge(run, target, `${key}/search`, proof);
  return judged.verdict === 'accepted'
    ? { judged, message }
    : { judged: undefined, message: `the gate said ${judged.verdict}` };
}

async function followPlans(
  run: RunContextWithModels,
  target: Target,
  end: (judged: EventOf<'judged'> | undefined, found: Found, reason: string) => Ended,
): Promise<Ended> {
  const key = target.theorem;
  const toolSession = new RecordedToolSession(run, target);
  const goals = await toolSession.start(key).finally(() => toolSession.close());
  const briefing = await brief(run, target, goals);
  const plans = await makePlans(run, target, briefing);
  if (plans.some(({ text }) => claimsFalsehood(text))) {
    const refuted = await refute(run, target, `${key}/claimed`);
    if (refuted?.refuted === true) return run.eventLog.note(theoremRefuted(key, refuted));
  }
  const lemmas = new Lemmas(run, target, proveByCalls);
  const lessons: string[] = [];
  let reason = '';
  for (const [index, plan] of plans.entries()) {
    const attempt = { number: index + 1, plan, briefing, lessons: [...lessons], lemmas };
    const outcome = await carryOut(run, target, attempt);
    if (outcome.kind === 'proved') return end(outcome.judged, 'plan', ACCEPTED);
    if (outcome.kind === 'not-judged') return end(outcome.judged, 'plan', 'the gate could not look');
    if (outcome.kind === 'refuted') return run.eventLog.note(theoremRefuted(key, outcome.refuted));
    lessons.push(outcome.lesson);
    ({ reason } = outcome);
  }
  return end(
    undefined,
    'plan',
    plans.length === 1
      ? `The plan failed: ${reason}`
      : `${plans.length} plans failed; the last one: ${reason}`,
  );
}

/** One attempt, without plans made for it. */
const proveByCalls: LemmaProver = async (run, target, { key, plan, briefing, lemmas }) => {
  const end = await carryOut(run, target, {
    ...{ key, briefing, lessons: [], plan: { number: 0, text: plan, score: 0 } },
    // Nobody asks for its lesson.
    number: run.settings.plansExecuted,
    lemmas,
  });
  return end.kind === 'proved' ? end.judged.proof : undefined;
};
