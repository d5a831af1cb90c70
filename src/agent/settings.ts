/**
 * Everything of the agent that is a number, a name or a choice, in one typed configuration. A setting comes from its
 * default, then from the configuration file, then from the environment (`QUOD_AGENT_TOOL_CALLS_PER_PLAN`), then
 * from the command line, the last one that says something winning. The defaults of the workflow are those of the
 * RocqStar paper.
 */
import { z } from 'zod';
import { hasCredentials, textWithoutCredentials } from './address-credentials.ts';
import { decimalNumber } from '../core/numbers/decimal-number.ts';
import { QuodError } from '../core/errors.ts';
import { nearestNames } from '../core/names/nearest-names.ts';
import { clause } from '../core/sentence.ts';
import { RANKER_NAMES } from '../retrieval/rankers/ranker.ts';

export const ROLES = [
  'planner',
  'critic-of-plans',
  'judge',
  'scorer',
  'executor',
  'critic',
  'explainer',
  'replanner',
  'failure-summariser',
  'few-shot',
] as const;

/** What a model is asked to be. Each may be another model. */
export type Role = (typeof ROLES)[number];

/** A dollar a token: sums of what is dearer would be no numbers any more, and no limit could be kept. */
const DEAREST = 1_000_000;

/** US dollars for a million tokens. */
export const dollarsPerMillion = z
  .number({
    error: `is no price: a price is a number of US dollars for a million tokens, of which ${DEAREST} is the most`,
  })
  .nonnegative()
  .max(DEAREST, { error: `is more than ${DEAREST} US dollars for a million tokens` });

const price = z.strictObject({
  input: dollarsPerMillion.describe('US dollars for a million tokens.'),
  output: dollarsPerMillion,
  cachedInput: dollarsPerMillion.optional(),
  cacheWrite: dollarsPerMillion.optional(),
});

/** Chat completions, which most servers have, the responses that OpenAI’s own models are asked by, and two vendors’ own. */
export const PROTOCOLS = ['chat', 'responses', 'anthropic', 'google'] as const;

const provider = z.strictObject({
  url: z.url({ protocol: /^https?$/u }).describe('Of the server, with its `/v1` (Google’s: `/v1beta`).'),
  keyVariable: z.string().nullable().default(null).describe('The environment variable with its key.'),
  free: z.boolean().default(false).describe('Nobody is paid for its models.'),
  protocol: z
    .enum(PROTOCOLS)
    .nullable()
    .default(null)
    .describe('Null: that of the provider of this name that Quod knows, else chat completions.'),
});

/** Of what a run does at the same time: a folder's settings or a log may say any number. */
const AT_ONCE = 1000;

export const settingsSchema = z.strictObject({
  model: z
    .string()
    .nullable()
    .default(null)
    .describe('`provider/model` for every role; without one the offline search works alone.'),
  models: z.partialRecord(z.enum(ROLES), z.string()).default({}).describe('Another model for some roles.'),
  mode: z.enum(['plan', 'few-shot']).default('plan').describe('Plans and tools, or samples of whole proofs.'),
  planning: z.enum(['debate', 'direct']).default('direct').describe('How a plan is made.'),
  debateRounds: z.int().min(1).max(100).default(2).describe('Rounds of a debate before it is judged.'),
  plans: z.int().min(1).max(AT_ONCE).default(4).describe('Plans that are made, at once.'),
  plansExecuted: z.int().min(1).default(2).describe('Plans that are carried out, best first.'),
  toolCallsPerPlan: z.int().min(1).default(20).describe('Tool calls to carry one plan out.'),
  failuresBeforeCritic: z
    .int()
    .min(1)
    .nullable()
    .default(null)
    .describe('Failed checks in a row that call the critic; null: nothing calls it.'),
  repairSeconds: z
    .number()
    .nonnegative()
    .default(5)
    .describe('Time of the search for the goal at which a check failed; 0: only the model goes on.'),
  lemmas: z
    .int()
    .min(0)
    .default(6)
    .describe('Helper lemmas that may be stated for one theorem, those of its lemmas among them.'),
  lemmaDepth: z
    .int()
    .min(1)
    .max(5)
    .default(2)
    .describe('How deep a lemma may rest on lemmas of its own; 1: lemmas state none.'),
  toolCallsPerLemma: z
    .int()
    .min(0)
    .default(8)
    .describe('Tool calls to prove one of them, when neither its script nor the search does.'),
  refuteSeconds: z
    .number()
    .nonnegative()
    .default(5)
    .describe(
      'Time to look for a counterexample before a model is asked, and of each claim that there is one; 0: none.',
    ),
  similarProofs: z
    .int()
    .min(0)
    .default(5)
    .describe('Similar proofs shown to the explainer and at the start; 0: none.'),
  ranker: z
    .enum(RANKER_NAMES)
    .nullable()
    .default(null)
    .describe('What ranks similar proofs; null: the best that can run here. In HOL4 files only jaccard.'),
  silentMessages: z
    .int()
    .min(1)
    .default(3)
    .describe('Messages in a row without a tool call that end a plan.'),
  historyMessages: z
    .int()
    .min(4)
    .default(60)
    .describe('Messages of a history beyond which the oldest give way to a digest of them.'),
  historyTail: z
    .int()
    .min(2)
    .default(20)
    .describe('Latest messages that a digest leaves as they are, at most.'),
  contextTokens: z
    .int()
    .min(0)
    .default(0)
    .describe('What the model takes. 0: not known; then it is learned from what the server refuses.'),
  fileTokens: z
    .int()
    .min(0)
    .default(6000)
    .describe(
      'Tokens of the file and project that every role is shown; never more than a third of what the model takes.',
    ),
  answerCharacters: z.int().min(500).default(8000).describe('Longest answer of a tool that a model sees.'),
  searchFirst: z.boolean().default(true).describe('Try the offline search before any model.'),
  searchSeconds: z.number().positive().default(15).describe('Time of that search for each theorem.'),
  examples: z.int().min(0).default(7).describe('Few-shot: nearest proofs of the file that are shown (k).'),
  samples: z
    .int()
    .min(1)
    .max(AT_ONCE)
    .default(12)
    .describe('Few-shot: proofs that are asked for at once (m).'),
  rounds: z
    .int()
    .min(1)
    .default(1)
    .describe('Few-shot: after the first, each round shows a sample its error.'),
  handoffMessages: z
    .int()
    .min(1)
    .default(100)
    .describe('Task: messages of a context before it hands off to a fresh one (`--max-messages`).'),
  contexts: z.int().min(1).default(20).describe('Task: contexts before it is given up.'),
  commit: z.boolean().default(true).describe('Task: commit progress with git, named files only.'),
  driver: z
    .enum(['quod', 'claude-code', 'codex'])
    .default('quod')
    .describe('Task: who works; another command-line agent gets Quod’s tools by MCP.'),
  driverCommand: z
    .string()
    .nullable()
    .default(null)
    .describe('The program of that agent, where it has another name or place.'),
  maxCost: z.number().positive().nullable().default(null).describe('US dollars for the run.'),
  maxTime: z.number().positive().nullable().default(null).describe('Seconds for the run.'),
  maxToolCalls: z.int().min(1).nullable().default(null).describe('Tool calls of the run.'),
  maxMessages: z
    .int()
    .min(1)
    .nullable()
    .default(null)
    .describe(
      'Requests to models in the run, those that are tried again included (`--max-messages`; of a task, where that is `handoff-messages`, `--set max-messages`).',
    ),
  maxOutputTokens: z.int().min(1).nullable().default(null).describe('Longest answer of a model.'),
  temperature: z.number().min(0).max(2).nullable().default(null).describe('Null: what the provider takes.'),
  sampleTemperature: z.number().min(0).max(2).nullable().default(1).describe('Few-shot: of the samples.'),
  reasoning: z
    .enum(['provider-default', 'none', 'minimal', 'low', 'medium', 'high', 'xhigh'])
    .default('provider-default')
    .describe('How hard a reasoning model thinks.'),
  seed: z.int().nonnegative().default(0).describe('Of the search.'),
  stream: z.boolean().default(true).describe('Take answers as they are written: a cut is noticed at once.'),
  callTimeout: z.number().positive().default(300).describe('Seconds for one answer of a model.'),
  retries: z.int().min(0).max(100).default(4).describe('Times that a failed call is tried again.'),
  retryDelay: z
    .number()
    .positive()
    .default(1)
    .describe('Seconds before the first of them, doubled for each.'),
  jobs: z.int().min(1).max(AT_ONCE).default(1).describe('Theorems at once.'),
  settleFor: z
    .enum(['holmake'])
    .nullable()
    .default(null)
    .describe(
      'HOL4: whose word is enough where proofs cannot be replayed. Null: nobody’s, they are not judged.',
    ),
  write: z.boolean().default(false).describe('Put accepted proofs into the file.'),
  allowOpen: z
    .boolean()
    .default(false)
    .describe('A proof that rests on open statements of its file is enough for exit code 0.'),
  prompts: z
    .string()
    .nullable()
    .default(null)
    .describe('A folder whose files replace prompts of the same name.'),
  providers: z
    .record(z.string(), provider)
    .default({})
    .describe('More servers, or other addresses of those that Quod knows.'),
  prices: z.record(z.string(), price).default({}).describe('By `provider/model`; goes before Quod’s table.'),
});

/**
 * Stricter than what a log may hold: keys are in the environment or in the system's key store, where nothing records
 * them.
 */
export const writtenSettingsSchema = settingsSchema.extend({
  providers: z
    .record(
      z.string(),
      provider.extend({
        url: provider.shape.url.refine((url) => !hasCredentials(url), {
          error:
            'holds more than a scheme, a host and a path; a key is given by the variable that `keyVariable` names',
        }),
        keyVariable: provider.shape.keyVariable.refine((name) => name === null || isVariableName(name), {
          error: 'is not the name of a variable of the environment; the key itself stands in that variable',
        }),
      }),
    )
    .default({}),
});

export function isVariableName(text: string): boolean {
  return /^[A-Za-z_]\w*$/u.test(text);
}

export type Settings = z.output<typeof settingsSchema>;
export type SettingName = keyof Settings;

/** Settings as they were written, not parsed. */
export type Layer = Readonly<Record<string, unknown>>;

export const SETTING_NAMES = Object.keys(settingsSchema.shape) as SettingName[];

/** `toolCallsPerPlan` as `tool-calls-per-plan`. */
export function flagOf(name: string): string {
  return name.replace(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`);
}

/** `toolCallsPerPlan` as `QUOD_AGENT_TOOL_CALLS_PER_PLAN`. */
export function variableOf(name: string): string {
  return `QUOD_AGENT_${flagOf(name).replaceAll('-', '_').toUpperCase()}`;
}

/** What the environment says, as text. */
export function settingsOfEnvironment(environment: NodeJS.ProcessEnv): Record<string, unknown> {
  return Object.fromEntries(
    SETTING_NAMES.flatMap((name) => {
      const text = environment[variableOf(name)];
      return text === undefined || text === '' ? [] : [[name, valueOf(text)]];
    }),
  );
}

/** A setting by either of its spellings, `toolCallsPerPlan` or `tool-calls-per-plan`. @throws QuodError `invalid-input`. */
function settingNamed(written: string): SettingName {
  const name = SETTING_NAMES.find((one) => one === written || flagOf(one) === written);
  if (name !== undefined) return name;
  const [nearest] = nearestNames(flagOf(written), SETTING_NAMES.map(flagOf));
  throw new QuodError(
    'invalid-input',
    `There is no setting ${textWithoutCredentials(JSON.stringify(written))}${nearest === undefined ? '' : ` (did you mean ${nearest}?)`}.`,
    { remedy: '`quod agent --print-config` lists them.' },
  );
}

/** What somebody wrote into a file, under the names that settings have here. @throws QuodError `invalid-input`. */
export function settingsWritten(written: Layer): Layer {
  return Object.fromEntries(Object.entries(written).map(([name, value]) => [settingNamed(name), value]));
}

/** `name=value` as it is written after `--set`. @throws QuodError `invalid-input`. */
export function settingOfText(text: string): Record<string, unknown> {
  const at = text.indexOf('=');
  // Its value may be a key.
  if (at < 1)
    throw new QuodError('invalid-input', 'There is no setting in what was written.', {
      remedy:
        'Write it as plans=2, and the file before --set, which takes all that follows; `quod agent --print-config` lists the settings.',
    });
  return { [settingNamed(text.slice(0, at))]: valueOf(text.slice(at + 1)) };
}

/** Numbers, booleans, null and objects as JSON; everything else is text. */
function valueOf(text: string): unknown {
  const number = decimalNumber(text);
  if (number !== undefined) return number;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** @throws QuodError `invalid-input` that names each setting that is wrong. */
export function mergeSettings(...layers: readonly Readonly<Record<string, unknown>>[]): Settings {
  const merged: Record<string, unknown> = {};
  for (const layer of layers) {
    for (const [name, value] of Object.entries(layer)) if (value !== undefined) merged[name] = value;
  }
  const result = writtenSettingsSchema.safeParse(merged);
  if (result.success) return result.data;
  const faults = result.error.issues.map(({ path, message }) =>
    textWithoutCredentials(`${path.join('.') || 'settings'}: ${message}`),
  );
  throw new QuodError('invalid-input', `The settings of the agent are wrong: ${clause(faults.join('; '))}.`, {
    remedy: '`quod agent --print-config` shows all settings.',
  });
}
