/** Ranks the lemmas in scope at a place: those of the file itself, and those of the libraries that it requires. */
import { z } from 'zod';
import { counted } from '../../../core/counted.ts';
import { viewGoal } from '../../../provers/rocq/goals/goal-view.ts';
import { closedStatementOf } from '../../../provers/rocq/syntax/theorem-text.ts';
import type { Lemma, LemmaMemory } from '../../../retrieval/lexical/lemma-similarity.ts';
import { lemmasAt } from '../../../search/libraries/lemmas-in-scope.ts';
import { READS, defineOperation } from '../../definition/operation.ts';
import { restsOnSchema } from '../../definition/rests-on.ts';
import {
  atPlace,
  firstGoalAt,
  placeFields,
  placeRestsOn,
  sharedSentences,
  type Place,
} from '../session/place.ts';
import type { RocqFile } from '../session/rocq-file.ts';
import { libraryLemmas, memoryOf } from './library-lemmas.ts';

/** What the file itself has stated, and closed, before the place: a theorem is no help for its own proof. */
function ownLemmas({ outline }: RocqFile, upTo: number): readonly (Lemma & { readonly open: boolean })[] {
  return outline.statements.flatMap((item) => {
    const { name, sentence, otherNames, hole, closing = sentence } = item;
    if (name === undefined || closing >= upTo || otherNames.length > 0 || hole === 'aborted') return [];
    return [{ name, statement: closedStatementOf(item), open: hole !== undefined }];
  });
}

/** Behind a preamble there is no file whose requires could be read: what is in scope is asked of the prover. */
async function preambleMemory({ pool, state }: Place, signal: AbortSignal): Promise<LemmaMemory> {
  return pool.at(state, { signal }, async (prover) =>
    memoryOf((await lemmasAt(prover.session, prover.state, [], signal)).lemmas),
  );
}

export const rocqPremises = defineOperation({
  name: 'rocq_premises',
  area: 'rocq',
  title: 'Lemmas for a goal',
  summary: 'Ranks the lemmas in scope by how much they share with the goal at the place.',
  positional: ['session_id'],
  input: z.object({ ...placeFields, limit: z.int().positive().max(500).default(30) }),
  output: z.object({
    premises: z.array(
      z.object({
        name: z.string(),
        statement: z.string(),
        score: z
          .number()
          .describe('From 0 to 1: how much of the symbols is shared, rare ones counting more.'),
        open: z.boolean().describe('It is stated in the file and has no proof there.'),
      }),
    ),
    total: z
      .int()
      .describe(
        'How many lemmas share anything with the goal, up to 1,000 of the file and of the libraries.',
      ),
    rests_on: restsOnSchema,
  }),
  annotations: READS,
  defaultTimeout: 120,
  render: ({ premises }) =>
    premises
      .map(
        ({ name: lemma, statement, score, open }) =>
          `${score.toFixed(2)}  ${lemma}${open ? ' (open)' : ''} : ${statement}`,
      )
      .join('\n'),
  conclude: ({ premises, total }) =>
    premises.length === 0
      ? 'No lemma in scope shares a symbol with the goal.'
      : `${premises.length} of ${counted(total, 'lemma')}. Scores are from 0 to 1: how much of the symbols is shared.`,
  run: async (input, context) =>
    atPlace(input, context, async (place) => {
      const { pool, state, file, workbench } = place;
      const remedy = 'Name a state inside a proof, or a theorem of the file.';
      const view = viewGoal(await firstGoalAt(place, context.signal, remedy));
      const upTo = file === undefined ? 0 : sharedSentences(file, state);
      const own = file === undefined ? [] : ownLemmas(file, upTo);
      const open = new Set(own.flatMap((lemma) => (lemma.open ? [lemma.name] : [])));
      const memories =
        file === undefined
          ? [await preambleMemory(place, context.signal)]
          : [
              memoryOf(own),
              await context.services
                .get(libraryLemmas)
                .memory({ file, upTo, workbench, signal: context.signal }),
            ];
      const ranked = memories
        .flatMap((memory) => memory.similarToGoal(view, 1000))
        .sort((one, other) => other.score - one.score);
      return {
        premises: ranked.slice(0, input.limit).map(({ lemma, score }) => ({
          name: lemma.name,
          open: open.has(lemma.name),
          statement: lemma.statement,
          score: Math.round(score * 1000) / 1000,
        })),
        total: ranked.length,
        rests_on: await placeRestsOn(context, pool, file),
      };
    }),
});
