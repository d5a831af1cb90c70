/**
 * Looking around: the goals at a place of a file, several tactics from one state, theorems by name or pattern,
 * oracles.
 */
import { z } from 'zod';
import { orZero } from '../../core/entry.ts';
import { QuodError } from '../../core/errors.ts';
import { LineIndex } from '../../core/position.ts';
import type { StateId } from '../../core/prover.ts';
import { errorDiagnostic } from '../../provers/hol4/session/diagnostics.ts';
import { tacticsOf } from '../../provers/hol4/session/sentence.ts';
import { mlString, stepList } from '../../provers/hol4/session/step-code.ts';
import { readShownState } from '../../provers/hol4/session/values.ts';
import { tacticSteps } from '../../provers/hol4/syntax/tactic.ts';
import type { FileReplay, PlaceInFile } from '../../sessions/hol4/file-replay.ts';
import type { HolEntry } from '../../sessions/hol4/hol-sessions.ts';
import { defineOperation, type OperationContext } from '../definition/operation.ts';
import { restsOnSchema } from '../definition/rests-on.ts';
import { readSourceFile, type SourceFile } from '../files/source-file.ts';
import { goalText, goalsOf, holGoalSchema, holTheoremSchema, sessionField } from './hol-schemas.ts';
import { holRestsOn, inHolSession, type HolService } from './hol-service.ts';
import { requireLanguage } from '../files/source-language.ts';

const placeFields = {
  file: z.string().optional().describe('A script; default: the one that the cursor is on.'),
  line: z.int().positive().describe('From 1.'),
  column: z.int().nonnegative().default(0).describe('From 0, in code points.'),
};

interface PlaceInput {
  readonly file?: string | undefined;
  readonly line: number;
  readonly column: number;
}

/** Executes a file up to a place. */
async function placeIn(
  entry: HolEntry,
  service: HolService,
  input: PlaceInput,
  context: OperationContext,
): Promise<{ readonly place: PlaceInFile; readonly replay: FileReplay; readonly source: SourceFile }> {
  const path = input.file === undefined ? entry.cursor?.path : await context.workspace.resolve(input.file);
  if (path === undefined) {
    throw new QuodError('invalid-input', 'No file was named, and the session has no cursor.', {
      remedy: 'Give `file`.',
    });
  }
  if (input.file !== undefined) requireLanguage('hol4', path, input.file);
  const source = await readSourceFile(path);
  const offset = new LineIndex(source.text).offsetOfPrinted(input);
  if (offset === undefined) {
    throw new QuodError(
      'invalid-input',
      `The file has no line ${input.line} with a column ${input.column}.`,
      {
        place: { file: context.workspace.nameOf(path) },
      },
    );
  }
  const replay = await service.replayOf(entry);
  const place = await replay.stateAt(source.text, offset, {
    timeoutMs: ITEM_LIMIT_MS,
    signal: context.signal,
    progress: (done, total) =>
      context.progress({ message: 'Executing the file up to the theorem', done, total }),
  });
  return { place, replay, source };
}

const ITEM_LIMIT_MS = 300_000;

const holStateAt = defineOperation({
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
      ...goals.map(goalText),
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

const attemptSchema = z.object({
  tactic: z.string(),
  status: z.enum(['solved', 'progress', 'unchanged', 'failed', 'timeout', 'interrupted']),
  goals: z.array(holGoalSchema),
  oracles: z.array(z.string()).describe('`cheat` when it solves by cheating.'),
  message: z.string().nullable(),
  seconds: z.number(),
});

type Attempt = z.output<typeof attemptSchema>;

const holTry = defineOperation({
  name: 'hol_try',
  area: 'hol',
  title: 'Try tactics',
  summary:
    'Tries several tactics from the same state and shows what each makes of it; the state stays as it is.',
  details:
    'From the first goal of the proof that is open in the session, or, with `line`, from a place of a file.',
  input: z.object({
    session: sessionField,
    tactics: z.array(z.string().min(1)).min(1).max(50),
    file: placeFields.file,
    line: z.int().positive().optional().describe('From 1; default: the proof that is open in the session.'),
    column: placeFields.column,
    tactic_timeout: z.number().positive().max(600).default(10).describe('Seconds for each tactic.'),
  }),
  output: z.object({ attempts: z.array(attemptSchema), rests_on: restsOnSchema }),
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: true },
  defaultTimeout: 600,
  positional: ['tactics'],
  render: ({ attempts }) =>
    attempts
      .map(({ tactic, status, goals, message }) =>
        [`${status}: ${tactic}${message === null ? '' : `: ${message}`}`, ...goals.map(goalText)].join('\n'),
      )
      .join('\n\n'),
  run: async (input, context) =>
    inHolSession(context, input.session, async (entry, service) => {
      const { line } = input;
      const limits = { timeoutMs: input.tactic_timeout * 1000, signal: context.signal };
      if (line === undefined) {
        const attempts: Attempt[] = [];
        await entry.workbench.ask('Quod_Port.set_goal 1 (proofManagerLib.top_goal ())', context);
        for (const tactic of input.tactics) attempts.push(await tryInManager(entry, tactic, limits));
        return { attempts, rests_on: holRestsOn(context, entry) };
      }
      const { place, replay, source } = await placeIn(entry, service, { ...input, line }, context);
      if (place.kind !== 'goals') {
        const why = place.kind === 'broken' ? `The proof fails before it: ${place.message}` : place.message;
        throw new QuodError('invalid-input', why, { remedy: 'Ask hol_state_at about the place.' });
      }
      const attempts: Attempt[] = [];
      for (const tactic of input.tactics) attempts.push(await tryAtPlace(replay, place, tactic, limits));
      return { attempts, rests_on: holRestsOn(context, entry, source) };
    }),
});

interface TryLimits {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

async function tryInManager({ workbench }: HolEntry, tactic: string, limits: TryLimits): Promise<Attempt> {
  const steps = stepList(tactic, tacticSteps(tactic));
  const code = `val () = Quod_Port.run 1 2 ${steps}\n;val () = Quod_Port.tell_state 1\n;val () = Quod_Port.tell_state 2`;
  const { reply, stopped, values, elapsedMs } = await workbench.run(code, limits);
  const seconds = elapsedMs / 1000;
  const nothing = { tactic, goals: [], oracles: [], seconds };
  if (stopped !== undefined) return { ...nothing, status: stopped, message: null };
  if (reply.status !== 'ok')
    return { ...nothing, status: 'failed', message: errorDiagnostic(reply, tactic).message };
  const [before, after] = [readShownState(values.slice(1, 2)), readShownState(values.slice(2))];
  const goals = goalsOf(after.goals);
  const unchanged = JSON.stringify(goals) === JSON.stringify(goalsOf(before.goals));
  const status = goals.length === 0 ? 'solved' : unchanged ? 'unchanged' : 'progress';
  return { tactic, status, goals, oracles: [...after.oracles], message: null, seconds };
}

async function tryAtPlace(
  { session }: FileReplay,
  place: { readonly state: StateId; readonly goals: Parameters<typeof goalsOf>[0] },
  tactic: string,
  limits: TryLimits,
): Promise<Attempt> {
  const result = await session.run(place.state, tacticsOf(tactic, tacticSteps(tactic), ''), {
    ...limits,
    withGoals: true,
  });
  const nothing = { tactic, goals: [], oracles: [], seconds: result.elapsedMs / 1000 };
  if (result.status === 'failed') return { ...nothing, status: 'failed', message: result.error.message };
  if (result.status === 'unknown') {
    if (result.reason !== 'timeout' && result.reason !== 'interrupted')
      throw new QuodError(result.reason, result.message);
    return { ...nothing, status: result.reason, message: null };
  }
  const goals = goalsOf(result.proof?.goals ?? []);
  const unchanged = JSON.stringify(goals) === JSON.stringify(goalsOf(place.goals));
  const status = goals.length === 0 ? 'solved' : unchanged ? 'unchanged' : 'progress';
  const oracles = orZero(result.proof?.givenUp) > 0 ? ['cheat'] : [];
  return { ...nothing, status, goals, oracles, message: null };
}

const hitSchema = z.object({
  theory: z.string(),
  name: z.string(),
  kind: z.enum(['theorem', 'definition', 'axiom']),
  statement: z.string(),
  oracles: z.array(z.string()),
});

const hitsSchema = z.object({
  total: z.int(),
  hits: z.array(
    z.object({
      theory: z.string(),
      name: z.string(),
      kind: z.enum(['theorem', 'definition', 'axiom']),
      theorem: holTheoremSchema,
    }),
  ),
});

const holSearch = defineOperation({
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
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
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
        results: hits.map(({ theory, name, kind, theorem }) => ({
          theory,
          name,
          kind,
          statement: theorem.conclusion,
          oracles: theorem.oracles,
        })),
        rests_on: holRestsOn(context, entry),
      };
    }),
});

const SEARCH_LIMIT_MS = 60_000;

const holTags = defineOperation({
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
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
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

const tagsSchema = z.object({
  theorems: z.array(z.object({ name: z.string(), theorem: holTheoremSchema })),
  axioms: z.array(z.string()),
});

export const HOL_EXPLORING_OPERATIONS = [holStateAt, holTry, holSearch, holTags] as const;
