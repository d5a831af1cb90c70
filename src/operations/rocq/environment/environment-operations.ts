/** Questions about the environment at a place: they change nothing, whatever name or term they are asked about. */
import { z } from 'zod';
import { QuodError } from '../../../core/errors.ts';
import { splitSentences, asSentence } from '../../../provers/rocq/syntax/sentences.ts';
import { viewGoal } from '../../../provers/rocq/goals/goal-view.ts';
import { lemmasAt } from '../../../search/libraries/lemmas-in-scope.ts';
import { LemmaMemory, type Lemma } from '../../../retrieval/lexical/lemma-memory.ts';
import { listLemmas } from '../../../search/libraries/list-lemmas.ts';
import { sentencesTo, type ScriptState } from '../../../sessions/script-state.ts';
import { defineOperation } from '../../definition/operation.ts';
import { restsOnSchema } from '../../definition/rests-on.ts';
import { atPlace, placeFields, placeRestsOn, type Place, type PlaceInput } from '../session/place.ts';
import type { OperationContext } from '../../definition/operation.ts';
import { mentionedNames, objectsIn } from './printed-objects.ts';
import type { RocqFile } from '../session/rocq-file.ts';
import type { RocqWorkbench } from '../session/rocq-workbench.ts';

const READS = { readOnly: true, destructive: false, idempotent: true, openWorld: false } as const;
const QUERY_TIMEOUT_MS = 60_000;

const pageFields = {
  offset: z.int().nonnegative().default(0).describe('Leave out so many results.'),
  limit: z.int().positive().max(1000).default(50).describe('Show at most so many results.'),
  max_characters: z.int().positive().max(1_000_000).default(8000).describe('Of one result.'),
};

type PageInput = z.output<z.ZodObject<typeof pageFields>>;

const answerSchema = z.object({
  results: z.array(z.string()),
  total: z.int().describe('How many results there are; ask with a larger `offset` for the rest.'),
  cut: z.boolean().describe('True when a result was cut; ask with larger `max_characters`.'),
  rests_on: restsOnSchema,
});

/** A name, as far as it may be qualified, or a notation in quotes. */
const name = z
  .string()
  .regex(
    /^(?:[\p{L}_][\p{L}\p{N}_']*(?:\.[\p{L}_][\p{L}\p{N}_']*)*|"[^"]+"(?:%[\p{L}_]\w*)?)$/u,
    'It must be a name, which may be qualified, or a notation in quotes.',
  );

/** One query at a place. @throws QuodError `invalid-input` when Rocq refuses it, or it is not one command. */
async function ask(place: Place, command: string, context: OperationContext): Promise<string[]> {
  const { sentences, unterminated } = splitSentences(command);
  if (sentences.length !== 1 || unterminated !== undefined) {
    throw new QuodError('invalid-input', 'That is more than one term.', {
      remedy: 'Give one name or term, without its final dot.',
    });
  }
  const answer = await place.pool.at(place.state, { signal: context.signal }, ({ session, state }) =>
    session.query(state, asSentence(command), { timeoutMs: QUERY_TIMEOUT_MS, signal: context.signal }),
  );
  switch (answer.status) {
    case 'done': {
      const messages = answer.messages.map(({ message }) => message.trim());
      const [first] = messages;
      // Rocq says so in an ordinary message.
      if (first?.endsWith('not a defined object.') === true) {
        throw new QuodError('not-found', first, {
          remedy: 'rocq_locate and rocq_search find names; the place decides what is in scope.',
        });
      }
      return messages;
    }
    case 'failed':
      throw new QuodError('invalid-input', answer.error.message.trim(), {
        remedy: 'rocq_locate and rocq_search find names; the place decides what is in scope.',
      });
    case 'unknown':
      throw new QuodError(answer.reason, answer.message);
  }
}

function page(results: readonly string[], { offset, limit, max_characters }: PageInput) {
  const shown = results.slice(offset, offset + limit);
  return {
    results: shown.map((text) =>
      text.length <= max_characters ? text : `${text.slice(0, max_characters)}… (${text.length} characters)`,
    ),
    total: results.length,
    cut: shown.some(({ length }) => length > max_characters),
  };
}

/** What all questions have in common. */
const QUERY = {
  area: 'rocq',
  output: answerSchema,
  annotations: READS,
  defaultTimeout: 120,
  render: ({ results, total }: z.output<typeof answerSchema>) =>
    [...results, ...(results.length < total ? [`(${results.length} of ${total})`] : [])].join('\n'),
} as const;

/** @param resultsOf What the messages of Rocq are cut into. */
function answerOf(
  input: PlaceInput & PageInput,
  context: OperationContext,
  command: string,
  resultsOf: (messages: readonly string[], place: Place) => readonly string[] = (messages) => messages,
): Promise<z.output<typeof answerSchema>> {
  return atPlace(input, context, async (place) => {
    const messages = await ask(place, command, context);
    return {
      ...page(resultsOf(messages, place), input),
      rests_on: await placeRestsOn(context, place.pool, place.file),
    };
  });
}

export const rocqAbout = defineOperation({
  ...QUERY,
  name: 'rocq_about',
  title: 'About a name',
  summary: 'Says what a name is: its type, its implicit arguments, where it comes from.',
  input: z.object({ name, ...placeFields, ...pageFields }),
  positional: ['name'],
  run: (input, context) => answerOf(input, context, `About ${input.name}.`),
});

export const rocqCheckTerm = defineOperation({
  ...QUERY,
  name: 'rocq_check_term',
  title: 'Type of a term',
  summary: 'Says the type of a term, which may use the hypotheses of the goal at the place.',
  input: z.object({ term: z.string().min(1), ...placeFields, ...pageFields }),
  positional: ['term'],
  run: (input, context) => answerOf(input, context, `Check (${input.term}).`),
});

export const rocqPrint = defineOperation({
  ...QUERY,
  name: 'rocq_print',
  title: 'Print a definition',
  summary: 'Prints the definition behind a name.',
  input: z.object({ name, ...placeFields, ...pageFields }),
  positional: ['name'],
  run: (input, context) => answerOf(input, context, `Print ${input.name}.`),
});

export const rocqSearch = defineOperation({
  ...QUERY,
  name: 'rocq_search',
  title: 'Search lemmas',
  summary: 'Finds lemmas by pattern, name or both, with their statements.',
  details:
    'The pattern is what stands behind `Search`: `(_ + 0)`, `"comm"`, `(_ <= _) (_ < _)`, `-negb`, `(_ ++ _) inside List`.',
  input: z.object({ pattern: z.string().min(1), ...placeFields, ...pageFields }),
  positional: ['pattern'],
  run: (input, context) =>
    answerOf(input, context, `Search ${input.pattern}.`, (messages) =>
      messages.flatMap((message) => message.split(/\n(?=\S)/u)).filter((entry) => entry !== ''),
    ),
});

export const rocqLocate = defineOperation({
  ...QUERY,
  name: 'rocq_locate',
  title: 'Locate a name or notation',
  summary: 'Says which things a name or a notation in quotes can mean here, with full names.',
  input: z.object({ name, ...placeFields, ...pageFields }),
  positional: ['name'],
  run: (input, context) => answerOf(input, context, `Locate ${input.name}.`),
});

export const rocqObjects = defineOperation({
  ...QUERY,
  name: 'rocq_objects',
  title: 'Objects of the file so far',
  summary: 'Lists what the file has defined up to the place.',
  input: z.object({ ...placeFields, ...pageFields }),
  run: (input, context) =>
    answerOf(input, context, 'Print All.', (messages, { state }) => {
      const names = mentionedNames(sentencesTo(state, () => false).sentences);
      return messages.flatMap((message) => objectsIn(message, names));
    }),
});

export const rocqAssumptions = defineOperation({
  ...QUERY,
  name: 'rocq_assumptions',
  title: 'Axioms behind a name',
  summary: 'Lists the axioms that a theorem rests on; none when the list is empty.',
  input: z.object({ name, ...placeFields, ...pageFields }),
  positional: ['name'],
  run: (input, context) =>
    answerOf(input, context, `Print Assumptions ${input.name}.`, (messages) =>
      messages
        .flatMap((message) => message.split(/\n(?=\S)/u))
        .filter((line) => !/^(?:Closed under the global context|Axioms:|Section Variables:)/u.test(line)),
    ),
});

const MEMORIES_KEPT = 8;
/** Lemmas of the libraries behind the first sentences of a file, ready to be ranked. */
const libraryMemories = new Map<string, Promise<LemmaMemory>>();

/** @param upTo Sentences of the file that stand before the place. */
function libraryMemory(
  file: RocqFile,
  upTo: number,
  workbench: RocqWorkbench,
  signal: AbortSignal,
): Promise<LemmaMemory> {
  const requires = file.outline.requires.filter(({ sentence }) => sentence < upTo);
  const key = `${file.context.libraries}\n${requires.map(({ sentence }) => file.outline.sentences[sentence]?.text).join('\n')}`;
  let memory = libraryMemories.get(key);
  if (memory === undefined) {
    const { cacheDirectory } = workbench.settings;
    memory = workbench.prover().then(async (prover) => {
      const request = {
        prover,
        file: file.context.file,
        ...(cacheDirectory !== undefined && { cacheDirectory }),
      };
      const lemmas = await listLemmas(request, file.outline, upTo, signal);
      if (lemmas.length === 0) libraryMemories.delete(key);
      return memoryOf(lemmas);
    });
    libraryMemories.set(key, memory);
    memory.catch(() => libraryMemories.delete(key));
    const [oldest] = libraryMemories.keys();
    if (libraryMemories.size > MEMORIES_KEPT && oldest !== undefined) libraryMemories.delete(oldest);
  }
  return memory;
}

function memoryOf(lemmas: readonly Lemma[]): LemmaMemory {
  const memory = new LemmaMemory();
  for (const lemma of lemmas) memory.add(lemma);
  return memory;
}

/** What the file itself states before the place. */
function ownLemmas({ outline }: RocqFile, upTo: number): Lemma[] {
  return outline.statements.flatMap(({ name, sentence, binders, statement, otherNames, hole }) => {
    if (name === undefined || sentence >= upTo || otherNames.length > 0 || hole === 'aborted') return [];
    return [
      { name, statement: binders.trim() === '' ? statement : `forall ${binders.trim()}, ${statement}` },
    ];
  });
}

/** How many sentences of the file the state has behind it, whatever came after them. */
function sharedSentences(file: RocqFile, state: ScriptState): number {
  let at = state;
  while (file.sentenceBefore(at) === undefined && at.parent !== undefined) at = at.parent;
  return at.depth;
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
  input: z.object({ ...placeFields, limit: z.int().positive().max(500).default(30) }),
  output: z.object({
    premises: z.array(z.object({ name: z.string(), statement: z.string(), score: z.number() })),
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
      .map(({ name: lemma, statement, score }) => `${score.toFixed(2)}  ${lemma} : ${statement}`)
      .join('\n'),
  run: async (input, context) =>
    atPlace(input, context, async (place) => {
      const { pool, state, file, workbench } = place;
      const proof = await pool.at(state, { signal: context.signal }, (prover) =>
        prover.session.goals(prover.state),
      );
      const [goal] = proof?.goals ?? [];
      if (goal === undefined) {
        throw new QuodError('invalid-input', 'There is no goal at this place.', {
          remedy: 'Name a state inside a proof, or a theorem of the file.',
        });
      }
      const view = viewGoal(goal);
      const upTo = file === undefined ? 0 : sharedSentences(file, state);
      const target = place.session?.target?.item.name;
      const memories =
        file === undefined
          ? [await preambleMemory(place, context.signal)]
          : [
              memoryOf(ownLemmas(file, upTo).filter((lemma) => lemma.name !== target)),
              await libraryMemory(file, upTo, workbench, context.signal),
            ];
      const ranked = memories
        .flatMap((memory) => memory.similarToGoal(view, 1000))
        .sort((one, other) => other.score - one.score);
      return {
        premises: ranked.slice(0, input.limit).map(({ lemma, score }) => ({
          name: lemma.name,
          statement: lemma.statement,
          score: Math.round(score * 1000) / 1000,
        })),
        total: ranked.length,
        rests_on: await placeRestsOn(context, pool, file),
      };
    }),
});
