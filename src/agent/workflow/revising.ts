/** A plan is revised when checks keep failing: a critic looks on, and similar proofs are explained. */
import { tailOf, type Briefing } from '../context/briefing.ts';
import { withoutThoughts } from '../prover-conventions.ts';
import type { Message } from '../models/conversation.ts';
import type { Target } from '../target.ts';
import { historyText, similarProofs, type RunContextWithModels } from './run-context.ts';

export interface Revised {
  /** The place in the workflow. */
  readonly key: string;
  readonly briefing: Briefing;
  readonly plan: string;
  /** Where the work stands; undefined: at the statement. */
  readonly goal: string | undefined;
  /** Checks that failed in a row. */
  readonly failures: number;
  readonly turns: readonly Message[];
}

export interface Revision {
  readonly plan: string;
  readonly criticism: string;
  readonly explanation: string;
}

/** @throws what ends a run. */
export async function revise(
  run: RunContextWithModels,
  target: Target,
  { key, briefing, plan, goal: reached, failures, turns }: Revised,
): Promise<Revision> {
  const { roleModels, prompts, eventLog, settings } = run;
  const goal = reached ?? target.statement;
  const ask = async (
    role: 'critic' | 'explainer' | 'replanner',
    question: (left: number) => string,
  ): Promise<string> => {
    const messages = briefing.question(question);
    return withoutThoughts((await roleModels.ask({ role, key: `${key}/${role}`, messages })).text);
  };
  const history = historyText(turns);
  const criticism = await ask('critic', (left) =>
    prompts.fill('criticise', {
      failures: String(failures),
      plan: tailOf(plan, left / 4),
      history: tailOf(history, left),
    }),
  );
  const similar = await similarProofs(run, target, { key, goal: reached, limit: settings.similarProofs });
  const explanation =
    similar === ''
      ? ''
      : await ask('explainer', (left) =>
          prompts.fill('explain-similar', { goal: tailOf(goal, left / 2), similar: tailOf(similar, left) }),
        );
  const revised = await ask('replanner', (left) =>
    prompts.fill('replan', {
      plan: tailOf(plan, left / 4),
      criticism: tailOf(criticism, left / 4),
      goal: tailOf(goal, left / 4),
      explanation: tailOf(explanation, left / 4),
    }),
  );
  return {
    plan: eventLog.note({ kind: 'replanned', key, plan: revised || plan }).plan,
    criticism,
    explanation,
  };
}
