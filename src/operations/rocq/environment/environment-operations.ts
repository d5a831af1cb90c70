/** Questions about the environment at a place: they change nothing, whatever name or term they are asked about. */
import { z } from 'zod';
import { olderFilesText, restsOnAxiomsText } from '../../../core/rests-on.ts';
import { QuodError } from '../../../core/errors.ts';
import { asSentence, splitSentences } from '../../../provers/rocq/syntax/sentences.ts';
import { sentencesTo } from '../../../sessions/script-state.ts';
import { READS, defineOperation } from '../../definition/operation.ts';
import { restsOnSchema } from '../../definition/rests-on.ts';
import {
  atPlace,
  atPlaceOrEmptyFile,
  placeFields,
  placeRestsOn,
  type Place,
  type PlaceInput,
} from '../session/place.ts';
import { requireShown } from '../session/withheld-proofs.ts';
import type { OperationContext } from '../../definition/operation.ts';
import { mentionedNames, objectsIn } from './printed-objects.ts';

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

const NAME_REMEDY = '`rocq_locate` and `rocq_search` find names; the place decides what is in scope.';
const SEARCH_REMEDY =
  'A part of a name is looked for in quotes (`"comm"`), a form in parentheses (`(_ + 0)`); a name by itself has to be in scope at the place.';

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
          remedy: NAME_REMEDY,
        });
      }
      return messages;
    }
    case 'failed':
      throw new QuodError('invalid-input', answer.error.message.trim(), {
        remedy: command.startsWith('Search ') ? SEARCH_REMEDY : NAME_REMEDY,
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
  return atPlace(input, context, answerAt(input, context, command, resultsOf));
}

function answerAt(
  input: PageInput,
  context: OperationContext,
  command: string,
  resultsOf: (messages: readonly string[], place: Place) => readonly string[],
): (place: Place) => Promise<z.output<typeof answerSchema>> {
  return async (place) => {
    const messages = await ask(place, command, context);
    return {
      ...page(resultsOf(messages, place), input),
      rests_on: await placeRestsOn(context, place.pool, place.file),
    };
  };
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
  // Without `Term` words such as `Options` and `All` would be commands that print the prover's own tables.
  run: (input, context) =>
    answerOf(input, context, `Print Term ${input.name}.`, (messages, { file }) => {
      if (file !== undefined) requireShown(context, file, input.name);
      return messages;
    }),
});

export const rocqSearch = defineOperation({
  ...QUERY,
  name: 'rocq_search',
  title: 'Search lemmas',
  summary: 'Finds lemmas by pattern, name or both, with their statements.',
  details:
    'The pattern is what stands behind `Search`: `(_ + 0)`, `"comm"`, `(_ <= _) (_ < _)`, `-negb`, `(_ ++ _) inside List`. ' +
    'Without a session or file: what an empty file has.',
  input: z.object({ pattern: z.string().min(1), ...placeFields, ...pageFields }),
  positional: ['pattern'],
  run: (input, context) =>
    atPlaceOrEmptyFile(
      input,
      context,
      answerAt(input, context, `Search ${input.pattern}.`, (messages) =>
        messages.flatMap((message) => message.split(/\n(?=\S)/u)).filter((entry) => entry !== ''),
      ),
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
  render: (answer) => {
    const said = answer.total === 0 ? `It ${restsOnAxiomsText([])}.` : QUERY.render(answer);
    const { stale } = answer.rests_on;
    return stale.length === 0 ? said : `${said}\n${olderFilesText(stale)}`;
  },
  run: (input, context) =>
    answerOf(input, context, `Print Assumptions ${input.name}.`, (messages) =>
      messages
        // The type of a section's variable may begin a line of its own.
        .flatMap((message) => message.split(/\n(?=[^\s:])/u))
        .map((entry) => entry.replace(/\s*\n:/u, ' :'))
        .filter((line) => !/^(?:Closed under the global context|Axioms:|Section Variables:)/u.test(line)),
    ),
});
