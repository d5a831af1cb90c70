/** `rocq_goals` and `rocq_proof_tree`: looking at a proof, at one state or at all that were reached. */
import { z } from 'zod';
import { counted } from '../../../core/counted.ts';
import { orZero } from '../../../core/entry.ts';
import { QuodError } from '../../../core/errors.ts';
import { capitalised } from '../../../core/sentence.ts';
import { sentencesTo } from '../../../sessions/script-state.ts';
import { READS, defineOperation } from '../../definition/operation.ts';
import { restsOnSchema } from '../../definition/rests-on.ts';
import {
  DEFAULT_GOAL_LIMITS,
  goalSchema,
  goalsShown,
  proofFields,
  proofFieldsOf,
  rocqGoalText,
  rocqProofStateText,
  type GoalField,
} from '../session/goal-schemas.ts';
import { atPlace, inSession, placeFields, placeRestsOn } from '../session/place.ts';

export const rocqGoals = defineOperation({
  name: 'rocq_goals',
  area: 'rocq',
  title: 'Show goals',
  summary: 'Shows the goals at a state of a session or at a position of a file.',
  details:
    'Goals out of focus are listed on request. With `compare_with` the answer has the difference from another state.',
  input: z.object({
    ...placeFields,
    compare_with: z.string().optional().describe('Another state of the same session.'),
    all: z.boolean().default(false).describe('Also goals out of focus, shelved and given up.'),
    max_goals: z.int().positive().max(1000).default(DEFAULT_GOAL_LIMITS.goals),
    max_characters: z
      .int()
      .positive()
      .max(1_000_000)
      .default(DEFAULT_GOAL_LIMITS.characters)
      .describe('Of one type, body or conclusion.'),
  }),
  output: z.object({
    state: z.string().nullable().describe('The state in the session; null at a place of a file.'),
    ...proofFields,
    background: z
      .array(z.object({ where: z.string(), ...goalSchema.shape }))
      .describe('With `all`: goals out of focus (`unfocused 1` is the nearest), shelved, given up.'),
    text: z.string().describe('The same for people.'),
    difference: z
      .string()
      .nullable()
      .describe('With `compare_with`: a unified diff from that state’s goals.'),
    rests_on: restsOnSchema,
  }),
  annotations: READS,
  defaultTimeout: 150,
  positional: ['session_id'],
  render: ({ text, difference, background, unfocused, shelved, given_up }, say) => {
    const aside = unfocused.reduce((sum, count) => sum + count, shelved + given_up);
    const isHidden = aside > 0 && background.length === 0;
    return [
      text,
      ...(isHidden ? [say('The goals that are not in focus: `rocq_goals` with `all` shows them.')] : []),
      ...(difference === null ? [] : [difference]),
    ].join('\n\n');
  },
  run: async (input, context) =>
    atPlace(input, context, async ({ pool, state, file, session }) => {
      const limits = { goals: input.max_goals, characters: input.max_characters };
      const options = { signal: context.signal };
      const { proof, background } = await pool.at(state, options, async (prover) => ({
        proof: await prover.session.goals(prover.state),
        background: input.all ? await prover.session.background(prover.state) : null,
      }));
      const groups = [
        ...(background?.unfocused ?? []).map((goals, index) => ({ where: `unfocused ${index + 1}`, goals })),
        { where: 'shelved', goals: background?.shelved ?? [] },
        { where: 'given up', goals: background?.givenUp ?? [] },
      ].map(({ where, goals }) => ({ where, total: goals.length, ...goalsShown(goals, limits) }));
      const inFocus = proofFieldsOf(proof, limits);
      const fields = { ...inFocus, goals_cut: inFocus.goals_cut || groups.some(({ cut }) => cut) };
      const text = rocqProofStateText(fields);
      let difference: string | null = null;
      if (input.compare_with !== undefined) {
        if (session === undefined) {
          throw new QuodError(
            'invalid-input',
            '`compare_with` names a state of a session; give `session_id`.',
          );
        }
        const other = session.stateNamed(input.compare_with);
        const before = await pool.at(other, options, (prover) => prover.session.goals(prover.state));
        const { createTwoFilesPatch } = await import('diff');
        difference = createTwoFilesPatch(
          input.compare_with,
          session.nameOf(state),
          `${rocqProofStateText(proofFieldsOf(before, limits))}\n`,
          `${text}\n`,
        );
      }
      return {
        state: session?.nameOf(state, proof) ?? null,
        ...fields,
        background: groups.flatMap(({ where, goals }) => goals.map((goal) => ({ where, ...goal }))),
        text: [text, ...groups.flatMap(backgroundTexts)].join('\n\n'),
        difference,
        rests_on: await placeRestsOn(context, pool, file),
      };
    }),
});

/** The goals of one group below a heading of their own; nothing where it has none. */
function backgroundTexts({ where, total, goals }: BackgroundGroup): string[] {
  const heading = (index: number): string =>
    `${capitalised(where)}${total > 1 ? `, goal ${index + 1} of ${total}` : ''}:`;
  return goals.map((goal, index) => `${heading(index)}\n${rocqGoalText(goal)}`);
}

interface BackgroundGroup {
  readonly where: string;
  readonly total: number;
  readonly goals: readonly GoalField[];
}

const stateSchema = z.object({
  state: z.string(),
  parent: z.string().nullable(),
  script: z.string().describe('The sentences that lead here from the parent.'),
  goals_left: z.int().nullable().describe('In focus, set aside, shelved and given up; null when not known.'),
  in_proof: z.boolean().nullable().describe('False behind the closing command; null when not known.'),
});

/** Each state a line, indented below the state that it was reached from. A parent stands before its children. */
function treeText(states: readonly z.output<typeof stateSchema>[]): string {
  const depths = new Map<string, number>();
  return states
    .map(({ state, parent, script, goals_left, in_proof }) => {
      const depth = parent === null ? 0 : 1 + orZero(depths.get(parent));
      depths.set(state, depth);
      const left = goals_left === null ? '' : ` (${counted(goals_left, 'goal')} left)`;
      const what = in_proof === false ? ' (the proof is closed)' : left;
      return `${'  '.repeat(depth)}${state}${what} ${script.replaceAll(/\s+/gu, ' ')}`.trimEnd();
    })
    .join('\n');
}

export const rocqProofTree = defineOperation({
  name: 'rocq_proof_tree',
  area: 'rocq',
  title: 'Show what was tried',
  summary:
    'Lists the states of a session as a tree: what leads from each to the next, and how many goals are left there.',
  input: z.object({ session_id: z.string() }),
  output: z.object({
    states: z.array(stateSchema),
  }),
  annotations: READS,
  defaultTimeout: 10,
  positional: ['session_id'],
  render: ({ states }) => treeText(states),
  run: async ({ session_id }, context) =>
    inSession(context, { session_id }, ({ session }) => {
      const named = new Map(session.states.map((state) => [state.key, session.nameOf(state)]));
      const states = session.states.map((state) => {
        const isRoot = state.key === session.base.key;
        const { start, sentences } = sentencesTo(state, (at) => at !== state && named.has(at.key));
        const summary = session.summaryOf(state);
        return {
          state: session.nameOf(state),
          parent: isRoot ? null : (named.get(start.key) ?? null),
          script: isRoot ? '' : sentences.join('\n'),
          goals_left: summary?.goalsLeft ?? null,
          in_proof: summary?.inProof ?? null,
        };
      });
      return Promise.resolve({ states });
    }),
});
