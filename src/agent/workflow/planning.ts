/** Plans: made at once by debate or directly, scored, the best ones chosen. A plan is never empty. */
import { z } from 'zod';
import { entryAt } from '../../core/entry.ts';
import type { EventOf } from '../runs/events.ts';
import type { Target } from '../target.ts';
import { withoutThoughts } from '../prover-conventions.ts';
import { tailOf, type Briefing } from '../context/briefing.ts';
import { objectIn, together, userWords } from './run-context.ts';
import type { RunContextWithModels } from './run-context.ts';

export interface Plan {
  /** From 0, in the order in which they were made. */
  readonly number: number;
  readonly text: string;
  readonly score: number;
}

/** @returns the plans to carry out, best first; among equals the one that was made first. */
export async function makePlans(
  run: RunContextWithModels,
  target: Target,
  briefing: Briefing,
): Promise<readonly Plan[]> {
  const { settings, prompts } = run;
  const { theorem } = target;
  const task = prompts.fill('plan', {
    tools: target.tools
      .map(({ name, description }) => `- ${name}: ${entryAt(description.split('\n'), 0, 'line')}`)
      .join('\n'),
    said: userWords(run, `${theorem}/plan-0${settings.planning === 'debate' ? '/pro-1' : ''}`),
  });
  const plans = await together(
    Array.from({ length: settings.plans }, (_, number) => async (): Promise<Plan> => {
      const key = `${theorem}/plan-${number}`;
      const make = settings.planning === 'debate' ? debate : planDirectly;
      const { plan } = await make(run, key, task, briefing);
      return { number, text: plan, score: await scorePlan(run, key, plan, briefing) };
    }),
  );
  return plans
    .toSorted((one, other) => other.score - one.score || one.number - other.number)
    .slice(0, settings.plansExecuted);
}

const NO_PLAN = 'Look at the goal, try the obvious induction or case split, and finish each case.';

async function planDirectly(
  { roleModels, eventLog }: RunContextWithModels,
  key: string,
  task: string,
  briefing: Briefing,
): Promise<EventOf<'planned'>> {
  const { text } = await roleModels.ask({ role: 'planner', key, messages: briefing.question(() => task) });
  return eventLog.note({ kind: 'planned', key, plan: withoutThoughts(text) || NO_PLAN, by: 'direct' });
}

const judgementSchema = z.object({ winner: z.string(), plan: z.string().trim().min(1) });

/** Rounds of proposal and objection, then a judge; where the judge cannot be understood the last proposal stands. */
async function debate(
  run: RunContextWithModels,
  key: string,
  task: string,
  briefing: Briefing,
): Promise<EventOf<'planned'>> {
  const { roleModels, prompts, eventLog, settings } = run;
  const said: string[] = [];
  let proposal = '';
  const soFar = (left: number): string => tailOf(said.join('\n\n'), left);
  for (let round = 1; round <= settings.debateRounds; round++) {
    const pro = await roleModels.ask({
      role: 'planner',
      key: `${key}/pro-${round}`,
      messages: briefing.question((left) => prompts.fill('plan-proposal', { task, debate: soFar(left) })),
    });
    proposal = withoutThoughts(pro.text) || proposal;
    said.push(`Pro, round ${round}:\n${proposal}`);
    const con = await roleModels.ask({
      role: 'critic-of-plans',
      key: `${key}/con-${round}`,
      messages: briefing.question((left) => prompts.fill('plan-objection', { task, debate: soFar(left) })),
    });
    said.push(`Con, round ${round}:\n${withoutThoughts(con.text)}`);
  }
  const question = briefing.question((left) => prompts.fill('plan-judgement', { task, debate: soFar(left) }));
  const first = await roleModels.ask({ role: 'judge', key: `${key}/judge-1`, messages: question });
  let judgement = objectIn(first.text, judgementSchema);
  if ('fault' in judgement) {
    const { fault } = judgement;
    const again = await roleModels.ask({
      role: 'judge',
      key: `${key}/judge-2`,
      messages: (room) => [
        ...question(room),
        { role: 'assistant', text: first.text || '(nothing)', calls: [] },
        { role: 'user', text: prompts.fill('plan-judgement-again', { fault }) },
      ],
    });
    judgement = objectIn(again.text, judgementSchema);
  }
  return eventLog.note(
    'value' in judgement
      ? { kind: 'planned', key, plan: judgement.value.plan, by: 'judge' }
      : { kind: 'planned', key, plan: proposal || NO_PLAN, by: 'last-proposal' },
  );
}

const scoreSchema = z.object({ score: z.coerce.number().min(1).max(10), reason: z.string().default('') });

/** The middle of the scale, for a scorer that cannot be understood. */
const NO_SCORE = 5;

async function scorePlan(
  { roleModels, prompts, eventLog }: RunContextWithModels,
  key: string,
  plan: string,
  briefing: Briefing,
): Promise<number> {
  const { text } = await roleModels.ask({
    role: 'scorer',
    key: `${key}/score`,
    messages: briefing.question((left) => prompts.fill('score', { plan: tailOf(plan, left) })),
  });
  const answer = objectIn(text, scoreSchema);
  const { score, reason } =
    'value' in answer ? answer.value : { score: NO_SCORE, reason: `Not understood: ${answer.fault}.` };
  return eventLog.note({ kind: 'scored', key, score, reason }).score;
}
