/** Ranks the lemmas in scope at a place: those of the file itself, and those of the libraries that it requires. */
import { z } from 'zod';
import { counted } from '../../../core/counted.ts';
import { viewGoal } from '../../../provers/rocq/goals/goal-view.ts';
import { closedStatementOf } from '../../../provers/rocq/syntax/theorem-text.ts';
import type { Lemma, LemmaMemory } from '../../../retrieval/lexical/lemma-similarity.ts';
import { asSentence } from '../../../provers/rocq/syntax/sentences.ts';
import type { ProverAt } from '../../../sessions/prover-pool.ts';
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

const ASKING_TIMEOUT_MS = 5000;

/** What decides a question states something, too, though it is no proposition: `{x = y} + {x <> y}`. */
const DECIDES = /\{[^{}]*\}(?:\s*\+\s*\{[^{}]*\})?$/u;

/** Whether something says what holds: `app_assoc` and `le_S` do, `app` and `cons` do not. What Rocq cannot say counts. */
async function isLemma(
  { session, state }: ProverAt,
  { name, statement }: Lemma,
  signal: AbortSignal,
): Promise<boolean> {
  if (DECIDES.test(statement)) return true;
  const question = asSentence(`Check (ltac:(let t := type of @${name} in exact t) : Prop).`);
  const answer = await session.query(state, question, { timeoutMs: ASKING_TIMEOUT_MS, signal });
  return answer.status !== 'failed' || !/expected\s+to\s+have\s+type\s+"Prop"/u.test(answer.error.message);
}

/** The first of them that are lemmas. */
async function firstLemmas<Ranked extends { readonly lemma: Lemma }>(
  ranked: readonly Ranked[],
  limit: number,
  isOne: (lemma: Lemma) => Promise<boolean>,
): Promise<readonly Ranked[]> {
  const found: Ranked[] = [];
  for (const one of ranked) {
    if (found.length >= limit) break;
    if (await isOne(one.lemma)) found.push(one);
  }
  return found;
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
        'How many names share anything with the goal, up to 1,000 of the file and of the libraries; some may be of no lemmas.',
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
      : `${premises.length} of ${counted(total, 'name')} in scope that share something with the goal. Scores are from 0 to 1: how much of the symbols is shared.`,
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
      const { signal } = context;
      const first = await pool.at(state, { signal }, (prover) =>
        firstLemmas(ranked, input.limit, (lemma) => isLemma(prover, lemma, signal)),
      );
      return {
        premises: first.map(({ lemma, score }) => ({
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
