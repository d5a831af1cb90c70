/** hol_state_at: the goals at a place inside a proof of a file. */
import { z } from 'zod';
import { defineOperation } from '../definition/operation.ts';
import { restsOnSchema } from '../definition/rests-on.ts';
import { holGoalText, goalsOf, holGoalSchema, sessionField } from './hol-schemas.ts';
import { holRestsOn, inHolSession } from './hol-service.ts';
import { placeFields, placeIn } from './place-in-script.ts';

export const holStateAt = defineOperation({
  name: 'hol_state_at',
  area: 'hol',
  title: 'Goals at a place',
  summary:
    'Shows the goals at a place inside a proof of a file, by executing the proof step by step up to it.',
  details:
    'Steps that end before the place are executed: `>>`, `>-`, `>|`, `by`, `suffices_by` and parentheses are taken apart. Where a step before the ' +
    'place fails, its position, its message and the goals before it are answered instead (`broken`).',
  input: z.object({ session: sessionField, ...placeFields }),
  output: z.object({
    kind: z.enum(['goals', 'broken', 'outside']),
    theorem: z.string().nullable(),
    goals: z.array(holGoalSchema),
    unfocused: z.int().describe('Goals that wait outside of the parentheses that are open here.'),
    step: z.int().describe('Steps that were executed.'),
    steps: z.int().describe('Steps of the whole proof.'),
    failure: z
      .object({ line: z.int(), column: z.int(), tactic: z.string(), message: z.string() })
      .nullable()
      .describe('The step that fails before the place.'),
    assumed: z.array(z.object({ name: z.string(), why: z.string() })),
    rests_on: restsOnSchema,
  }),
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: true },
  defaultTimeout: 600,
  positional: ['file', 'line', 'column'],
  render: ({ kind, goals, failure }) =>
    [
      kind === 'outside' ? 'No proof stands at this place.' : '',
      failure === null ? '' : `${failure.line}:${failure.column}: ${failure.tactic}: ${failure.message}`,
      ...goals.map(holGoalText),
      kind === 'goals' && goals.length === 0 ? 'No goals.' : '',
    ]
      .filter((part) => part !== '')
      .join('\n\n'),
  run: async (input, context) =>
    inHolSession(context, input.session, async (entry, service) => {
      const { place, replay, source } = await placeIn(entry, service, input, context);
      const rests_on = holRestsOn(context, entry, source);
      const assumed = replay.assumed.map(({ name, why }) => ({ name, why }));
      if (place.kind === 'outside') {
        const nothing = { theorem: null, goals: [], unfocused: 0, step: 0, steps: 0, failure: null };
        return { kind: place.kind, ...nothing, assumed, rests_on };
      }
      const { theorem, goals, step, steps } = place;
      return {
        kind: place.kind,
        theorem,
        goals: goalsOf(goals),
        unfocused: place.kind === 'goals' ? place.unfocused : 0,
        step,
        steps,
        failure:
          place.kind === 'broken'
            ? { ...place.position, tactic: place.tactic, message: place.message }
            : null,
        assumed,
        rests_on,
      };
    }),
});
