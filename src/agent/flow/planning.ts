/** Plans: made at once by debate or directly, scored, the best ones chosen. A plan is never empty. */
import { z } from 'zod';
import { entryAt } from '../../core/entry.ts';
import type { EventOf } from '../runs/events.ts';
import type { Target } from '../target.ts';
import { withoutThoughts } from '../manners.ts';
import { objectIn, together } from './flow.ts';
import type { FlowWithModels } from './flow.ts';

export interface Plan {
  /** From 0, in the order in which they were made. */
  readonly number: number;
  readonly text: string;
  readonly score: number;
}

/** @returns the plans to carry out, best first; among equals the one that was made first. */
export async function makePlans(
  flow: FlowWithModels,
  target: Target,
  goals: string,
  similar: string,
): Promise<readonly Plan[]> {
  const { settings, prompts } = flow;
  const task = prompts.fill('plan', {
    file: target.file,
    statement: target.statement,
    goals,
    similar,
    tools: target.tools
      .map(({ name, description }) => `- ${name}: ${entryAt(description.split('\n'), 0, 'line')}`)
      .join('\n'),
  });
  const plans = await together(
    Array.from({ length: settings.plans }, (_, number) => async (): Promise<Plan> => {
      const key = `${target.theorem}/plan-${number}`;
      const { plan } =
        settings.planning === 'debate' ? await debate(flow, key, task) : await planDirectly(flow, key, task);
      return { number, text: plan, score: await scorePlan(flow, target, { key, goals, plan }) };
    }),
  );
  return plans
    .toSorted((one, other) => other.score - one.score || one.number - other.number)
    .slice(0, settings.plansExecuted);
}

const NO_PLAN = 'Look at the goal, try the obvious induction or case split, and finish each case.';

async function planDirectly(
  { crew, journal }: FlowWithModels,
  key: string,
  task: string,
): Promise<EventOf<'planned'>> {
  const { text } = await crew.ask({ role: 'planner', key, messages: [{ role: 'user', text: task }] });
  return journal.note({ kind: 'planned', key, plan: withoutThoughts(text) || NO_PLAN, by: 'direct' });
}

const judgementSchema = z.object({ winner: z.string(), plan: z.string().trim().min(1) });

/** Rounds of proposal and objection, then a judge; where the judge cannot be understood the last proposal stands. */
async function debate(flow: FlowWithModels, key: string, task: string): Promise<EventOf<'planned'>> {
  const { crew, prompts, journal, settings } = flow;
  const said: string[] = [];
  let proposal = '';
  const soFar = (): string => said.join('\n\n');
  for (let round = 1; round <= settings.debateRounds; round++) {
    const pro = await crew.ask({
      role: 'planner',
      key: `${key}/pro-${round}`,
      messages: [{ role: 'user', text: prompts.fill('plan-proposal', { task, debate: soFar() }) }],
    });
    proposal = withoutThoughts(pro.text) || proposal;
    said.push(`Pro, round ${round}:\n${proposal}`);
    const con = await crew.ask({
      role: 'critic-of-plans',
      key: `${key}/con-${round}`,
      messages: [{ role: 'user', text: prompts.fill('plan-objection', { task, debate: soFar() }) }],
    });
    said.push(`Con, round ${round}:\n${withoutThoughts(con.text)}`);
  }
  const question = { role: 'user' as const, text: prompts.fill('plan-judgement', { task, debate: soFar() }) };
  const first = await crew.ask({ role: 'judge', key: `${key}/judge-1`, messages: [question] });
  let judgement = objectIn(first.text, judgementSchema);
  if ('fault' in judgement) {
    const again = await crew.ask({
      role: 'judge',
      key: `${key}/judge-2`,
      messages: [
        question,
        { role: 'assistant', text: first.text || '(nothing)', calls: [] },
        { role: 'user', text: prompts.fill('plan-judgement-again', { fault: judgement.fault }) },
      ],
    });
    judgement = objectIn(again.text, judgementSchema);
  }
  return journal.note(
    'value' in judgement
      ? { kind: 'planned', key, plan: judgement.value.plan, by: 'judge' }
      : { kind: 'planned', key, plan: proposal || NO_PLAN, by: 'last-proposal' },
  );
}

const scoreSchema = z.object({ score: z.coerce.number().min(1).max(10), reason: z.string().default('') });

/** The middle of the scale, for a scorer that cannot be understood. */
const NO_SCORE = 5;

async function scorePlan(
  { crew, prompts, journal }: FlowWithModels,
  target: Target,
  { key, goals, plan }: { readonly key: string; readonly goals: string; readonly plan: string },
): Promise<number> {
  const { text } = await crew.ask({
    role: 'scorer',
    key: `${key}/score`,
    messages: [{ role: 'user', text: prompts.fill('score', { statement: target.statement, goals, plan }) }],
  });
  const answer = objectIn(text, scoreSchema);
  const { score, reason } =
    'value' in answer ? answer.value : { score: NO_SCORE, reason: `Not understood: ${answer.fault}.` };
  return journal.note({ kind: 'scored', key, score, reason }).score;
}
