/** Proofs that a goal's own may be like: what worked for them may work here. */
import { join } from 'node:path';
import { z } from 'zod';
import { counted } from '../../../core/counted.ts';
import { orZero } from '../../../core/entry.ts';
import { QuodError } from '../../../core/errors.ts';
import type { Goal } from '../../../core/proof-state.ts';
import { appendAll } from '../../../core/lists/many.ts';
import { projectSources, requiresAsRead } from '../../../provers/rocq/build/project-sources.ts';
import { RequiredSources } from '../../../provers/rocq/build/required-sources.ts';
import { findRocqProject } from '../../../provers/rocq/project/project.ts';
import type { FileOutline } from '../../../provers/rocq/syntax/outline.ts';
import { endOfProof } from '../../../provers/rocq/syntax/theorem-text.ts';
import { tacticsOfProof } from '../../../retrieval/distance/tactic-list.ts';
import {
  best,
  RANKER_NAMES,
  SCORE_BOUNDS,
  type Ranker,
  type RankerName,
} from '../../../retrieval/rankers/ranker.ts';
import type { OperationContext } from '../../definition/operation-context.ts';
import { READS, defineOperation } from '../../definition/operation.ts';
import { restsOnSchema } from '../../definition/rests-on.ts';
import { rocqFilesBelow } from '../file/file-operations.ts';
import {
  atPlace,
  atPlaceOrEmptyFile,
  firstGoalAt,
  placeFields,
  placeRestsOn,
  sharedSentences,
  rocqWorkbenchOf,
} from '../session/place.ts';
import { retrievalService, type PlacedStatement, type RetrievalService } from './retrieval-service.ts';
import type { RocqFile } from '../session/rocq-file.ts';

/** Rankers that give 0 to what has nothing in common with the goal. */
const COUNTING: ReadonlySet<RankerName> = new Set(['jaccard', 'bm25', 'tf-idf', 'proof-bm25']);

export const rocqSimilarProofs = defineOperation({
  name: 'rocq_similar_proofs',
  area: 'rocq',
  title: 'Similar proofs',
  summary:
    'Finds finished proofs of the file or the project that a proof of a goal may be like, with their scores.',
  details:
    'Read them before you write a proof of your own. The goal is that of a state, of a place, or the one in `goal`. The proof ' +
    'of the session’s own target is never shown. Without `ranker` the best that can run here is taken; `learned`, `blend` and ' +
    '`feedback` need a model, `proof-bm25` a proof that has begun.',
  positional: ['session_id'],
  input: z.object({
    ...placeFields,
    goal: z
      .string()
      .optional()
      .describe('A statement to compare with, instead of the goal at a place, which need not be named then.'),
    scope: z
      .enum(['file', 'project', 'index'])
      .default('file')
      .describe(
        'Look in the file, in all `.v` files of the workspace, or in the vector index that QUOD_PROOF_INDEX names.',
      ),
    search_in: z.string().optional().describe('Look in this file instead of the session’s own.'),
    ranker: z.enum(RANKER_NAMES).optional().describe('How to compare.'),
    limit: z.int().positive().max(200).default(15),
    max_characters: z.int().positive().max(100_000).default(4000).describe('Of one proof.'),
  }),
  output: z.object({
    proofs: z.array(
      z.object({
        name: z.string(),
        file: z.string(),
        statement: z.string(),
        proof: z.string(),
        score: z.number().describe('Only its order means something, and only within one answer.'),
        line: z.int(),
      }),
    ),
    ranker: z.string().describe('Which ranker made the scores, from what, and within which bounds.'),
    passed_over: z
      .array(z.object({ ranker: z.string(), why: z.string() }))
      .describe('Better rankers that cannot run here.'),
    candidates: z.int().describe('How many finished proofs there were to choose from.'),
    rests_on: restsOnSchema,
  }),
  annotations: READS,
  defaultTimeout: 120,
  render: ({ proofs, ranker, passed_over }) =>
    [
      ...passed_over.map((passed) => `(* ${passed.ranker} was passed over: ${passed.why} *)`),
      ...(proofs.length === 0
        ? []
        : [`(* Scores by ${ranker}. Higher is nearer; they compare within this list only. *)`]),
      ...proofs.map(
        ({ score, file, line, statement, proof }) =>
          `(* ${score.toFixed(2)}  ${file}:${line} *)\n${statement}\n${proof}`,
      ),
    ].join('\n\n'),
  conclude: ({ proofs, candidates }) =>
    proofs.length === 0 ? `No similar proof among ${counted(candidates, 'finished proof')}.` : '',
  run: async (input, context) =>
    // A goal that is written out needs no place.
    (input.goal === undefined ? atPlace : atPlaceOrEmptyFile)(
      input,
      context,
      async ({ pool, state, file: own, session }) => {
        const service = context.services.get(retrievalService);
        const file =
          input.search_in === undefined
            ? own
            : await rocqWorkbenchOf(context).file(context.workspace, input.search_in);
        if (file === undefined && input.scope === 'file') {
          const message = session === undefined ? 'Say in which file to look.' : 'The session has no file.';
          throw new QuodError('invalid-input', message, {
            remedy: 'Name one in `search_in`, or look in the project (`scope` project).',
          });
        }
        const remedy = 'Name a state inside a proof, a theorem of the file, or write the `goal`.';
        const goal: Goal =
          input.goal === undefined
            ? await firstGoalAt({ pool, state }, context.signal, remedy)
            : { id: '', hypotheses: [], conclusion: input.goal };
        // Its own proof is what a target must do without; what comes behind it, or requires its file, may rest on it.
        const reached = own === undefined ? 0 : sharedSentences(own, state);
        const placeOffset = orZero(own?.outline.sentences[reached - 1]?.span.end);
        const isOnlyFile = input.scope === 'file' && file === own;
        const above =
          own !== undefined && !isOnlyFile && isInProof(own.outline, reached)
            ? await filesRequiring(own.source.path)
            : new Set<string>();
        const begun = session === undefined ? [] : tacticsOfProof(session.scriptTo(state).join('\n'));
        const ranked =
          input.scope === 'index'
            ? await fromIndex(input, goal, service, context.signal)
            : await fromFiles(
                input,
                { goal, tactics: begun },
                {
                  service,
                  context,
                  place: {
                    file,
                    isUsable: ({ origin, end }) =>
                      origin === own?.name
                        ? end <= placeOffset
                        : !above.has(join(context.workspace.root, origin)),
                  },
                },
              );
        return {
          ...ranked,
          proofs: ranked.proofs.map((found) => ({
            ...found,
            proof: shortened(found.proof, input.max_characters),
            score: Math.round(found.score * 1000) / 1000,
          })),
          rests_on: await placeRestsOn(context, pool, file),
        };
      },
    ),
});

/** Whether a proof of the file is open before the sentence with that number. */
function isInProof({ statements }: FileOutline, sentence: number): boolean {
  return statements.some((item) => item.sentence < sentence && sentence < endOfProof(item));
}

/** The files of its project that require a file, directly or through others. */
async function filesRequiring(path: string): Promise<ReadonlySet<string>> {
  const sources = await projectSources(await findRocqProject(path));
  const required = new RequiredSources(sources);
  const found = new Set<string>();
  for (const source of sources) {
    const below = await required.inOrder(await requiresAsRead(source.path), source.path);
    if (below.some((one) => one.path === path)) found.add(source.path);
  }
  return found;
}

interface Ranked {
  readonly proofs: readonly {
    readonly name: string;
    readonly file: string;
    readonly statement: string;
    readonly proof: string;
    readonly score: number;
    readonly line: number;
  }[];
  readonly ranker: string;
  readonly passed_over: { ranker: string; why: string }[];
  readonly candidates: number;
}

interface Wanted {
  readonly scope: 'file' | 'project' | 'index';
  readonly ranker?: RankerName | undefined;
  readonly limit: number;
}

function rankerText({ name, about }: Pick<Ranker, 'name' | 'about'>): string {
  return `${name}: ${about}; ${SCORE_BOUNDS[name]}`;
}

function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}…`;
}

async function fromIndex(
  { ranker, limit }: Wanted,
  goal: Goal,
  service: RetrievalService,
  signal: AbortSignal,
): Promise<Ranked> {
  if (ranker !== undefined && ranker !== 'learned') {
    throw new QuodError('invalid-input', 'The index is searched by learned vectors alone.', {
      remedy: 'Leave `ranker` out, or look in the file or the project.',
    });
  }
  const { proofs, size } = await service.indexed(goal, limit, signal);
  return {
    proofs: proofs.map(({ name, library, statement, proof, score, line }) => ({
      name,
      file: library,
      statement: `Lemma ${name} ${statement}.`,
      proof: `${proof}\nQed.`,
      score,
      line,
    })),
    ranker: rankerText({ name: 'learned', about: 'cosine of learned vectors of goals, in the index' }),
    passed_over: [],
    candidates: size,
  };
}

async function fromFiles(
  { scope, ranker: wanted, limit }: Wanted,
  query: { readonly goal: Goal; readonly tactics: readonly string[] },
  {
    service,
    context,
    place,
  }: {
    readonly service: RetrievalService;
    readonly context: OperationContext;
    readonly place: {
      readonly file: RocqFile | undefined;
      readonly isUsable: (statement: PlacedStatement) => boolean;
    };
  },
): Promise<Ranked> {
  const candidates = (await statementsIn(scope, place.file, service, context)).filter(place.isUsable);
  const { ranker, collection, passedOver } = await service.collection(wanted, candidates, context.signal);
  const scores = await collection.scores(query, context.signal);
  return {
    proofs: best(scores, limit).flatMap(({ index, score }) => {
      const candidate = candidates[index];
      if (candidate === undefined || (score <= 0 && COUNTING.has(ranker.name))) return [];
      const { name, origin, statement, proof, line } = candidate;
      return [{ name, file: origin, statement, proof, score, line }];
    }),
    ranker: rankerText(ranker),
    passed_over: passedOver,
    candidates: candidates.length,
  };
}

async function statementsIn(
  scope: Wanted['scope'],
  file: RocqFile | undefined,
  service: RetrievalService,
  { workspace, signal }: OperationContext,
): Promise<readonly PlacedStatement[]> {
  if (scope === 'file') return file === undefined ? [] : service.statementsOf(file.source.path, file.name);
  const statements: PlacedStatement[] = [];
  for (const name of await rocqFilesBelow(workspace, workspace.root, signal)) {
    signal.throwIfAborted();
    appendAll(statements, await service.statementsOf(join(workspace.root, name), name));
  }
  return statements;
}
