/** The questions of the RocqStar server about what is visible to a session: objects, names, terms, patterns. */
import { z } from 'zod';
import type { AnyOperation, OperationContext } from '../../definition/operation.ts';
import {
  rocqAbout,
  rocqCheckTerm,
  rocqObjects,
  rocqPrint,
  rocqSearch,
} from '../environment/environment-operations.ts';
import { everywhere, sessionOf, tool } from './rocqstar-tool.ts';

const lines = { message: z.string(), result: z.array(z.string()) };

/** One of the questions about the environment of a session. */
function question(
  name: string,
  summary: string,
  {
    parameter,
    field,
    ask,
  }: {
    readonly parameter: 'term' | 'pattern';
    readonly field: z.ZodString;
    readonly ask: (
      asked: string,
      place: { readonly session_id: string; readonly limit: number },
      context: OperationContext,
    ) => Promise<{ readonly results: string[] }>;
  },
): AnyOperation {
  const answer = async (asked: string, session: string | undefined, context: OperationContext) => {
    const place = { session_id: sessionOf(session, context), limit: 1000 };
    const { results } = await ask(asked, place, context);
    return { message: `${name} was asked.`, result: results };
  };
  switch (parameter) {
    case 'term':
      return tool({
        ...{ name, summary, answer: lines },
        fields: { ...everywhere, term: field },
        run: ({ term, coqSessionId: session }, context) => answer(term, session, context),
      });
    case 'pattern':
      return tool({
        ...{ name, summary, answer: lines },
        fields: { ...everywhere, pattern: field },
        run: ({ pattern, coqSessionId: session }, context) => answer(pattern, session, context),
      });
  }
}

export const getObjects = tool({
  name: 'get_objects',
  summary: 'Lists all that is defined in the file above the target (`Print All`).',
  fields: everywhere,
  answer: { message: z.string(), objects: z.array(z.string()) },
  run: async (input, context) => {
    const { results } = await rocqObjects.call(
      { session_id: sessionOf(input.coqSessionId, context), limit: 1000 },
      context,
    );
    return { message: 'These are the objects.', objects: results };
  },
});

export const QUESTION_TOOLS: readonly AnyOperation[] = [
  question('about_term', 'Says what a name is (`About`).', {
    parameter: 'term',
    field: rocqAbout.fields.shape.name,
    ask: (name, place, context) => rocqAbout.call({ ...place, name }, context),
  }),
  question('search_pattern', 'Finds lemmas by a pattern (`Search`).', {
    parameter: 'pattern',
    field: rocqSearch.fields.shape.pattern,
    ask: (pattern, place, context) => rocqSearch.call({ ...place, pattern }, context),
  }),
  question('print_term', 'Prints the definition behind a name (`Print`).', {
    parameter: 'term',
    field: rocqPrint.fields.shape.name,
    ask: (name, place, context) => rocqPrint.call({ ...place, name }, context),
  }),
  question('check_term', 'Says the type of a term (`Check`).', {
    parameter: 'term',
    field: rocqCheckTerm.fields.shape.term,
    ask: (term, place, context) => rocqCheckTerm.call({ ...place, term }, context),
  }),
];
