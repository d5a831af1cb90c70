/**
 * What a run records. The log is the run: the terminal view, `quod show`, cost, resume and export read nothing else.
 * Everything that costs something or that cannot be computed again has a `key`, the place of the effect in the workflow
 * (`lemma/plan-1/executor-3`); a run that is resumed takes the recorded answer of a key instead of asking again.
 */
import { z } from 'zod';
import { BEYOND_COUNTING } from '../models/prices.ts';
import { ROLES, settingsSchema } from '../settings.ts';
import { exact } from './exact-text.ts';
import { recordedSettings } from './recorded-settings.ts';
import { sessionName } from './session-name.ts';
import { taskSchema } from './task-schema.ts';

/** A log is text: less than nothing would make room for more, and a sum that is no number any more would be no limit. */
const countable = (said: number): number => Math.min(Math.max(0, said), BEYOND_COUNTING);
const used = z.number().overwrite(countable);
const usedTimes = z.int().overwrite(countable);
/** A path, a hash, a name or a text that the run reads back and has to find as it was. */
const text = exact(z.string());
const texts = exact(z.array(z.string()));
/** The name of a theorem, or of a place in the workflow, which holds such names. */
const named = text;
const session = sessionName.nullable().catch(null);
const usage = z.object({
  inputTokens: used,
  cachedTokens: used,
  ...{ cacheWriteTokens: used.optional(), cacheWriteHourTokens: used.optional() },
  outputTokens: used,
});
const notes = z.record(z.string(), z.record(z.string(), z.unknown())).optional();
const call = z.object({ id: z.string(), name: z.string(), input: z.string(), notes });
const thought = z.object({ text: z.string(), notes });
const message = z.discriminatedUnion('role', [
  z.object({ role: z.enum(['system', 'user']), text: z.string() }),
  z.object({
    role: z.literal('assistant'),
    text: z.string(),
    calls: z.array(call),
    thoughts: z.array(thought).optional(),
  }),
  z.object({ role: z.literal('tool'), call, text: z.string() }),
]);
const piece = z.object({
  section: z.string(),
  name: z.string(),
  text: z.string(),
  shorter: z.string().nullable(),
  value: z.number(),
});
const settings = settingsSchema.overwrite(recordedSettings);
for (const field of [settings.shape.model, settings.shape.models, settings.shape.prompts]) exact(field);
for (const field of [settings.shape.providers, settings.shape.prices]) exact(field.unwrap().keyType);
const role = z.enum(ROLES);
const verdict = z.enum(['accepted', 'rejected', 'unknown']);
/** Logs of older versions do not tell. */
const grounds = z
  .object({ axioms: z.array(z.string()), warnings: z.array(z.string()) })
  .describe('What an accepted proof, or that of the negation, rests on besides what is open.');

const openStatements = exact(
  z.array(z.string()).describe('Statements of the file that a proof uses and that are open themselves.'),
);

export const eventSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('run-started'),
    format: z.literal(1),
    quod: text,
    file: exact(z.string().describe('Absolute.')),
    fileHash: text,
    theorems: texts,
    /** Every file, where there are several; logs of older versions have none. */
    files: z
      .array(
        z.object({
          file: text,
          fileHash: text,
          theorems: texts,
          /** Holes that are not worked on, as sentences. */
          leftOut: texts.optional(),
          text: exact(z.string().describe('As it was: the original can always be had back.')),
        }),
      )
      .default([]),
    /** Of files in which nothing can be worked on. */
    leftOut: z.array(z.object({ file: text, holes: texts })).optional(),
    /** Where another program works in the project; logs of older versions have none. */
    beside: exact(
      z
        .record(z.string(), z.string())
        .optional()
        .describe('SHA-256 of the other files of the project that provers read, by their paths.'),
    ),
    task: taskSchema.nullable().default(null),
    settings,
  }),
  z.object({ kind: z.literal('user-said'), text: z.string() }),
  z.object({ kind: z.literal('heard'), key: named, text: z.string() }),
  z.object({
    kind: z.literal('handed-off'),
    key: named,
    note: z.string(),
    state: z.string(),
    task: z.string().describe('The task file afterwards.'),
    ends: z
      .boolean()
      .optional()
      .describe('The work has ended, and the task file says what is proved by then.'),
  }),
  z.object({
    kind: z.literal('committed'),
    key: named,
    files: texts,
    commit: text.nullable(),
    message: z.string(),
  }),
  z.object({
    kind: z.literal('rechecked'),
    key: named,
    verdict,
    findings: z.array(z.string()),
    /** When accepted, by theorem; logs of older versions have none of it. */
    restsOnOpen: z.record(named, openStatements).default({}),
    grounds: z.record(named, grounds).optional(),
    ms: used,
  }),
  z.object({
    kind: z.literal('compared'),
    key: named,
    clean: z.boolean().describe('Nothing but proofs differs from the original.'),
    accepted: z.array(
      z.object({
        theorem: named,
        proof: text,
        restsOnOpen: openStatements.default([]),
        grounds: grounds.optional(),
      }),
    ),
    // Proofs that the gate could not look at.
    unjudged: z.array(z.object({ theorem: named, proof: text, message: z.string() })).default([]),
    apart: z.object({ theorems: texts, finding: z.string() }).optional(),
    elsewhere: z.boolean().optional().describe('More than proofs and helper lemmas was changed.'),
    findings: z.array(z.string()),
    ms: used,
  }),
  z.object({
    kind: z.literal('driver-started'),
    key: named,
    driver: z.string(),
    session,
  }),
  z.object({
    kind: z.literal('driver-said'),
    key: named,
    /** Of the message that it is a part of; and whether the model said it. Logs of older versions do not tell. */
    ...{ id: z.string().optional(), message: z.boolean().optional() },
    ...{ text: z.string(), calls: z.array(call), results: z.array(z.string()) },
  }),
  z.object({
    kind: z.literal('driver-ended'),
    key: named,
    driver: z.string(),
    session,
    outcome: z.enum(['ended', 'failed', 'stopped']),
    message: z.string(),
    usage,
    cost: used.nullable(),
    estimated: z.boolean().optional().describe('The cost: by the tokens that were told until then.'),
    usageEstimated: z.boolean().optional().describe('The usage: by what was said.'),
    ...{ calls: usedTimes, toolCalls: usedTimes, ms: used },
  }),
  z.object({ kind: z.literal('run-resumed'), settings }),
  z.object({
    kind: z.literal('theorem-started'),
    key: named,
    theorem: named,
    statement: text,
  }),
  z.object({
    kind: z.literal('searched'),
    key: named,
    proof: text.nullable(),
    message: z.string(),
    ms: used,
  }),
  z.object({ kind: z.literal('retrieved'), key: named, text: z.string(), ms: used }),
  z.object({
    kind: z.literal('context-collected'),
    key: named,
    pieces: z.array(piece).describe('What may be shown of the file and its project, before it is packed.'),
    ms: used,
  }),
  z.object({
    kind: z.literal('model-called'),
    key: named,
    role,
    model: text,
    /** What was sent; logs of older versions do not tell. */
    sent: z
      .object({
        like: named.nullable().describe('The key of an earlier question whose beginning is repeated.'),
        kept: z.int().describe('How many messages of it.'),
        messages: z.array(message).describe('The others.'),
        tools: z.array(z.string()),
        tokens: z.int().describe('Of all that was sent, with the descriptions of the tools; an estimate.'),
      })
      .optional(),
  }),
  z.object({
    kind: z.literal('model-waits'),
    key: named,
    model: text,
    message: z.string(),
    ms: used,
  }),
  z.object({
    kind: z.literal('context-limited'),
    key: named,
    model: text,
    tokens: z.int().describe('What is sent at most from now on, after the server refused more.'),
    message: z.string(),
  }),
  z.object({
    kind: z.literal('model-answered'),
    key: named,
    role,
    model: text,
    request: exact(z.string().describe('SHA-256 of what was said.')),
    text: z.string(),
    calls: z.array(call),
    thoughts: z.array(thought).optional(),
    finish: z.string(),
    usage,
    estimated: z.boolean().optional().describe('The usage: the server gave none to be believed.'),
    cost: used.nullable(),
    wasted: used.optional().describe('US dollars of the cost: estimated for earlier tries that failed.'),
    wastedUsage: usage.optional().describe('Besides the usage: estimated for earlier tries that failed.'),
    ms: used,
    tries: usedTimes,
  }),
  z.object({
    kind: z.literal('model-failed'),
    key: named,
    role,
    model: text,
    message: z.string(),
    stopped: z
      .boolean()
      .optional()
      .describe(
        'Nothing failed: the run was stopped while it was asked, or nobody needed the answer any more.',
      ),
    cost: used.nullable(),
    wastedUsage: usage.optional().describe('Estimated, as the cost is; logs of older versions have none.'),
    ms: used,
    tries: usedTimes,
  }),
  z.object({
    kind: z.literal('planned'),
    key: named,
    plan: z.string(),
    by: z.enum(['direct', 'judge', 'last-proposal']),
  }),
  z.object({ kind: z.literal('scored'), key: named, score: z.number(), reason: z.string() }),
  z.object({ kind: z.literal('attempt-started'), key: named, plan: z.int() }),
  z.object({ kind: z.literal('session-opened'), key: named, state: z.string() }),
  z.object({
    kind: z.literal('tool-answered'),
    key: named,
    tool: z.string(),
    input: z.string(),
    text: z.string(),
    /** Null when it checked no proof. */
    outcome: z.string().nullable(),
    proof: text.nullable(),
    goal: z.string().nullable(),
    state: z.string().nullable().optional().describe('Where something was refused.'),
    ms: used,
  }),
  z.object({
    kind: z.literal('repaired'),
    key: named,
    state: z.string(),
    proof: text.nullable().describe('The whole proof, where automation or search found the rest of it.'),
    closing: text.nullable().default(null).describe('What closes the goals of the state.'),
    goal: z.string().optional().describe('Of a hole in a sketch.'),
    text: z.string(),
    ms: used,
  }),
  z.object({
    kind: z.literal('sketched'),
    key: named,
    script: text,
    texts: exact(
      z.array(z.string()).describe('What stands between the holes; empty when the sketch was refused.'),
    ),
    holes: z.array(
      z.object({
        state: z.string(),
        goal: z.string(),
        lemma: z.object({ statement: text, given: texts }).nullable(),
      }),
    ),
    text: z.string().describe('Why it was refused.'),
    goal: z.string().nullable(),
    state: z.string().nullable(),
    ms: used,
  }),
  z.object({ kind: z.literal('replanned'), key: named, plan: z.string() }),
  z.object({
    kind: z.literal('judged'),
    key: named,
    proof: text,
    before: text.optional().describe('Helper lemmas that it uses, as they stand before the statement.'),
    verdict,
    findings: z.array(z.string()),
    restsOnOpen: openStatements.default([]),
    grounds: grounds.optional(),
    ms: used,
  }),
  z.object({
    kind: z.literal('refuted'),
    key: named,
    refuted: z.boolean(),
    counterexample: z.string(),
    negation: text.nullable(),
    message: z.string(),
    grounds: grounds.optional().describe('What the proof of the negation rests on.'),
    falseWith: texts.optional().describe('What the run itself has put into the file and makes it false.'),
    ms: used,
  }),
  z.object({
    kind: z.literal('lemma-ended'),
    key: named,
    theorem: exact(z.string().describe('For which it was stated.')),
    name: named,
    statement: text,
    proof: text.nullable(),
    by: z.enum(['script', 'search', 'known', 'model']).nullable(),
    reason: z.string(),
    /** What follows logs of older versions do not tell. */
    claim: text.nullable().default(null).describe('The same for all lemmas that say the same.'),
    file: text.default('').describe('Of the theorem.'),
    script: text.nullable().default(null).describe('That it was stated with.'),
    uses: texts.default([]).describe('Keys of the lemmas that its statement or proof names.'),
    behind: texts.default([]).describe('Claims of the lemmas that stood before it.'),
    searchSeconds: used.default(0).describe('Spent at most.'),
    calls: usedTimes.default(0).describe('Of a prover of its own, at most.'),
  }),
  z.object({ kind: z.literal('written'), key: named, fileHash: text }),
  z.object({
    kind: z.literal('attempt-ended'),
    key: named,
    outcome: z.enum(['proved', 'failed']),
    reason: z.string(),
  }),
  z.object({
    kind: z.literal('theorem-ended'),
    key: named,
    theorem: named,
    outcome: z.enum(['proved', 'proved-but', 'not-judged', 'refuted', 'not-proved']),
    proof: text.nullable(),
    before: text.optional().describe('Helper lemmas that it uses, as they stand before the statement.'),
    restsOnOpen: openStatements.default([]),
    grounds: grounds.optional(),
    found: z.enum(['search', 'plan', 'few-shot', 'task', 'driver']).nullable(),
    reason: z.string(),
  }),
  z.object({
    kind: z.literal('run-ended'),
    outcome: z.enum([
      ...(['proved', 'proved-but', 'not-judged', 'not-proved'] as const),
      ...(['budget-exhausted', 'interrupted', 'failed'] as const),
    ]),
    message: z.string(),
    replaced: texts.optional().describe('Files that are others than were judged: they are not proved.'),
    gone: z.record(z.string(), z.string()).optional().describe('Those of them that are no files, with why.'),
    takenOut: texts.optional().describe('Theorems whose written proofs are not in their files any more.'),
    valuesElsewhere: texts
      .optional()
      .describe('What other files suppose of values that the run gave; sentences.'),
    usersOwn: texts.optional().describe('Theorems left alone: the proofs in the file are not the run’s.'),
  }),
]);

export type RunEvent = z.output<typeof eventSchema>;
export type EventKind = RunEvent['kind'];
export type EventOf<Kind extends EventKind> = Extract<RunEvent, { readonly kind: Kind }>;
/** An event with a place in the workflow. */
export type KeyedEvent = Extract<RunEvent, { readonly key: string }>;

/** A line of the log. */
export const recordSchema = z.object({ seq: z.int(), at: z.iso.datetime(), event: eventSchema });
export type RunRecord = z.output<typeof recordSchema>;
