/** Questions about theorems of the loaded theories: by name or pattern, and which oracles and axioms they rest on. */
import { z } from 'zod';
import { mlString } from '../../provers/hol4/session/step-code.ts';
import { READS, defineOperation } from '../definition/operation.ts';
import { restsOnSchema } from '../definition/rests-on.ts';
import { holTheoremSchema, sessionField } from './hol-schemas.ts';
import { holRestsOn, inHolSession } from './hol-service.ts';

const SEARCH_LIMIT_MS = 60_000;

const hitFields = {
  theory: z.string(),
  name: z.string(),
  kind: z.enum(['theorem', 'definition', 'axiom']),
};

const hitSchema = z.object({ ...hitFields, statement: z.string(), oracles: z.array(z.string()) });

const hitsSchema = z.object({
  total: z.int(),
  hits: z.array(z.object({ ...hitFields, theorem: holTheoremSchema })),
});

const tagsSchema = z.object({
  theorems: z.array(z.object({ name: z.string(), theorem: holTheoremSchema })),
  axioms: z.array(z.string()),
});

export const holSearch = defineOperation({
  name: 'hol_search',
  area: 'hol',
  title: 'Search theorems',
  summary: 'Finds theorems of the loaded theories by a part of their name, or by a term pattern.',
  details:
    '`name` searches names; `match` finds theorems with a subterm that is an instance of the pattern, such as `LENGTH (a ++ b)`; `apropos` ' +
    'does so up to what HOL’s `DB.apropos` allows.',
  input: z.object({
    session: sessionField,
    query: z.string().min(1),
    by: z.enum(['name', 'match', 'apropos']).default('name'),
    limit: z.int().positive().max(1000).default(50),
  }),
  output: z.object({ total: z.int(), results: z.array(hitSchema), rests_on: restsOnSchema }),
  annotations: READS,
  defaultTimeout: 60,
  positional: ['query'],
  render: ({ total, results }) =>
    [
      ...results.map(({ theory, name, statement }) => `${theory}.${name}: ${statement}`),
      `${results.length} of ${total}`,
    ].join('\n'),
  run: async ({ session, query, by, limit }, context) =>
    inHolSession(context, session, async (entry) => {
      const term = `(Parse.Term [QUOTE ${mlString(query)}])`;
      const search =
        by === 'name'
          ? `DB.find ${mlString(query)}`
          : by === 'match'
            ? `DB.match [] ${term}`
            : `DB.apropos ${term}`;
      const told = await entry.workbench.ask(`Quod_Port.tell_hits ${limit} (${search})`, {
        timeoutMs: SEARCH_LIMIT_MS,
        signal: context.signal,
      });
      const { total, hits } = hitsSchema.parse(told);
      return {
        total,
        results: hits.map(({ theorem, ...hit }) => ({
          ...hit,
          statement: theorem.conclusion,
          oracles: theorem.oracles,
        })),
        rests_on: holRestsOn(context, entry),
      };
    }),
});

export const holTags = defineOperation({
  name: 'hol_tags',
  area: 'hol',
  title: 'What theorems rest on',
  summary: 'Says for theorems which oracles and hypotheses they rest on, and which axioms there are below.',
  details:
    'A cheated lemma marks everything proved from it. Axioms are told for the whole theory: HOL does not keep them by theorem.',
  input: z.object({
    session: sessionField,
    theorems: z
      .array(z.string().regex(/^[A-Za-z][\w'.]*$/, 'It must be an ML name.'))
      .max(500)
      .default([]),
    theory: z
      .string()
      .regex(/^[\w']+$/)
      .optional()
      .describe('All theorems of a loaded theory; `-` is not needed: the current one is the default.'),
  }),
  output: z.object({
    theorems: z.array(z.object({ name: z.string(), ...holTheoremSchema.shape })),
    axioms: z.array(z.string()).describe('`theory$name` of every axiom below.'),
    rests_on: restsOnSchema,
  }),
  annotations: READS,
  defaultTimeout: 60,
  positional: ['theorems'],
  render: ({ theorems, axioms }) =>
    [
      ...theorems.map(
        ({ name, oracles, hypotheses }) =>
          `${name}: ${oracles.length === 0 ? 'no oracles' : oracles.join(', ')}${hypotheses.length === 0 ? '' : `; hypotheses ${hypotheses.join(', ')}`}`,
      ),
      `axioms: ${axioms.join(', ')}`,
    ].join('\n'),
  run: async ({ session, theorems, theory }, context) =>
    inHolSession(context, session, async (entry) => {
      const thy = theory === undefined ? '(Theory.current_theory ())' : mlString(theory);
      const named =
        theorems.length > 0
          ? `[${theorems.map((name) => `(${mlString(name)}, ${name})`).join(', ')}]`
          : `(DB.thms ${thy})`;
      const each =
        '(fn (n, th) => Quod_Port.obj [("name", Quod_Port.str n), ("theorem", Quod_Port.theorem th)])';
      const told = await entry.workbench.ask(
        `Quod_Port.tell (Quod_Port.obj [("theorems", Quod_Port.arr (map ${each} ${named})), ("axioms", Quod_Port.arr (map Quod_Port.str (Quod_Port.axioms_below ${thy})))])`,
        { timeoutMs: SEARCH_LIMIT_MS, signal: context.signal },
      );
      const tags = tagsSchema.parse(told);
      return {
        theorems: tags.theorems.map(({ name, theorem }) => ({ name, ...theorem })),
        axioms: tags.axioms,
        rests_on: holRestsOn(context, entry),
      };
    }),
});
