/** How goals look in answers: as data, and as the text that people and models read; long ones are cut and say so. */
import { z } from 'zod';
import { counted } from '../../../core/counted.ts';
import type { BackgroundGoals, Goal, ProofState } from '../../../core/proof-state.ts';

export const goalSchema = z.object({
  hypotheses: z.array(
    z.object({
      name: z.string(),
      type: z.string(),
      body: z.string().nullable().describe('The value of a local definition.'),
    }),
  ),
  conclusion: z.string(),
});

/** The fields that every answer about a proof state has. */
export const proofFields = {
  in_proof: z.boolean().describe('False when no proof is open at the state.'),
  goals: z.array(goalSchema).describe('The goals in focus, in order, as far as they are shown.'),
  goals_total: z.int().describe('How many goals are in focus.'),
  unfocused: z.array(z.int()).describe('Goals set aside by each open bullet or brace, innermost first.'),
  shelved: z.int(),
  given_up: z.int(),
  goals_cut: z
    .boolean()
    .describe('True when goals or parts of them are left out; ask `rocq_goals` with larger limits.'),
};

export interface GoalLimits {
  readonly goals: number;
  /** Characters of one type, body or conclusion. */
  readonly characters: number;
}

export const DEFAULT_GOAL_LIMITS: GoalLimits = { goals: 10, characters: 4000 };

export type ProofFields = z.output<z.ZodObject<typeof proofFields>>;

export function proofFieldsOf(
  proof: ProofState | null,
  limits: GoalLimits = DEFAULT_GOAL_LIMITS,
): ProofFields {
  if (proof === null) {
    return {
      in_proof: false,
      goals: [],
      goals_total: 0,
      unfocused: [],
      shelved: 0,
      given_up: 0,
      goals_cut: false,
    };
  }
  const shown = goalsShown(proof.goals, limits);
  return {
    in_proof: true,
    goals: shown.goals,
    goals_total: proof.goals.length,
    unfocused: [...proof.unfocused],
    shelved: proof.shelved,
    given_up: proof.givenUp,
    goals_cut: shown.cut,
  };
}

export type GoalField = z.output<typeof goalSchema>;

export function goalsShown(
  goals: readonly Goal[],
  limits: GoalLimits,
): { readonly goals: GoalField[]; readonly cut: boolean } {
  let cut = goals.length > limits.goals;
  const short = (text: string): string => {
    if (text.length <= limits.characters) return text;
    cut = true;
    return `${text.slice(0, limits.characters)}… (${text.length} characters)`;
  };
  const shown = goals.slice(0, limits.goals).map(({ hypotheses, conclusion }) => ({
    hypotheses: hypotheses.map(({ name, type, body }) => ({
      name,
      type: short(type),
      body: body === undefined ? null : short(body),
    })),
    conclusion: short(conclusion),
  }));
  return { goals: shown, cut };
}

/** The first goals that are not in focus, from the inside out, and how many focuses lie around them. */
export function firstElsewhere(
  background: BackgroundGoals | null,
): { readonly goals: readonly Goal[]; readonly depth: number } | undefined {
  for (const [index, goals] of (background?.unfocused ?? []).entries()) {
    if (goals.length > 0) return { goals, depth: index + 1 };
  }
  return undefined;
}

export function rocqGoalText({ hypotheses, conclusion }: GoalField): string {
  const context = hypotheses.map(
    ({ name, type, body }) => `${name}${body === null ? '' : ` := ${body}`} : ${type}`,
  );
  return [...context, '─'.repeat(30), conclusion].join('\n');
}

export function rocqProofStateText(fields: ProofFields): string {
  if (!fields.in_proof) return 'No proof is open.';
  const aside = fields.unfocused.reduce((sum, count) => sum + count, 0);
  const more = [
    aside > 0 ? `${aside} outside of the focus` : '',
    fields.shelved > 0 ? `${fields.shelved} shelved` : '',
    fields.given_up > 0 ? `${fields.given_up} given up` : '',
  ].filter((part) => part !== '');
  const count =
    fields.goals_total === 0
      ? more.length === 0
        ? 'No goals are left: the closing command can be run.'
        : 'No goals in focus'
      : counted(fields.goals_total, 'goal');
  const head = `${count}${more.length > 0 ? `, ${more.join(', ')}` : ''}`;
  const goals = fields.goals.map(
    (goal, index) => `${fields.goals_total > 1 ? `Goal ${index + 1}:\n` : ''}${rocqGoalText(goal)}`,
  );
  const cut = fields.goals_cut ? ['(cut; asked for with larger limits, the goals show the rest)'] : [];
  return [head, ...goals, ...cut].join('\n\n');
}
