/** Starting runs of the agent, watching them while they work, talking to them, stopping them and going on. */
import { setTimeout as delay } from 'node:timers/promises';
import { sayRemedies } from '../../core/remedies/run-remedies.ts';
import { z } from 'zod';
import { costSoFar, foldRun, lostCalls, type RunState } from '../../agent/runs/fold.ts';
import {
  findRun,
  lookAtRun,
  ownerOfRun,
  RunLog,
  runsFolder,
  sizeOfRun,
  type RunLook,
} from '../../agent/runs/run-log.ts';
import { settingsHere } from '../../agent/configuration/layers.ts';
import { mergeSettings } from '../../agent/settings.ts';
import { costSumFields, costSumText } from '../../agent/models/cost-sum.ts';
import { PROVIDERS } from '../../agent/models/providers.ts';
import { keysOfModels } from '../../agent/models/key-store.ts';
import { orNothing } from '../../core/entry.ts';
import { QuodError } from '../../core/errors.ts';
import { foreignName, foreignText } from '../../core/foreign-text.ts';
import { defineOperation, type OperationContext } from '../definition/operation.ts';
import { liveRuns } from './live-runs.ts';
import { budgetFields, budgetOptions, plainName } from './run-options.ts';
import { theoremAnswers, theoremSchema } from './theorem-answer.ts';
import { timelineEvent, timelineSchema } from './timeline.ts';

const READS = { readOnly: true, destructive: false, idempotent: true, openWorld: false } as const;
const WORKS = { readOnly: false, destructive: false, idempotent: false, openWorld: true } as const;
const runField = z.string().describe('Its name, the beginning of it, or `last`.');

export const agentStart = defineOperation({
  name: 'agent_start',
  area: 'agent',
  title: 'Start a run of the agent',
  summary: 'Starts a run of the agent on holes of a file, and answers its name while it works.',
  details:
    'The run goes on whoever watches, until it ends, is stopped with `agent_stop`, or this server ends; `agent_events` tells what happens. ' +
    'Models, addresses and keys come from the configuration of the server (`.quod/agent.json`, its environment); addresses that only the folder names have to be allowed first, by a person (`agent_reaches`).',
  input: z.object({
    file: z.string().describe('A Rocq file or an HOL4 script of the workspace.'),
    theorems: z.array(plainName).min(1).optional().describe('Default: every hole of the file.'),
    model: plainName
      .optional()
      .describe('`provider/model`; default: as configured. Without one the offline search works alone.'),
    offline: z
      .boolean()
      .optional()
      .describe('Ask no model, whatever is configured: the offline search works alone.'),
    mode: z.enum(['plan', 'few-shot']).optional().describe('Plans and tools, or samples of whole proofs.'),
    planning: z.enum(['debate', 'direct']).optional(),
    plans: z.int().min(1).max(20).optional().describe('Plans that are made.'),
    search_first: z.boolean().optional().describe('Try the offline search before any model.'),
    ...budgetFields,
  }),
  output: z.object({ run: z.string() }),
  annotations: WORKS,
  defaultTimeout: 300,
  positional: ['file', 'theorems'],
  render: ({ run }) => `Run ${run}`,
  run: async (input, { workspace, services, signal }) => {
    const { model, offline, mode, planning, plans, search_first, theorems = [] } = input;
    if (offline === true && model !== undefined)
      throw new QuodError('invalid-input', `A run that asks no model cannot ask ${model}.`, {
        remedy: 'Leave out `offline` or `model`.',
      });
    const options = [
      ...theorems.map((name) => `--theorem=${name}`),
      ...(model === undefined ? [] : [`--model=${model}`]),
      ...(offline === true ? ['--set=model=null'] : []),
      ...(mode === undefined ? [] : [`--mode=${mode}`]),
      ...(planning === undefined ? [] : [`--planning=${planning}`]),
      ...(plans === undefined ? [] : [`--set=plans=${plans}`]),
      ...(search_first === undefined ? [] : [`--set=searchFirst=${search_first}`]),
      ...budgetOptions(input),
    ];
    const file = await workspace.resolve(input.file);
    const commandLine = ['agent', ...options, '--', file];
    return { run: await services.get(liveRuns).start(workspace.root, commandLine, signal) };
  },
});

export const agentResume = defineOperation({
  name: 'agent_resume',
  area: 'agent',
  title: 'Go on with a run of the agent',
  summary:
    'Goes on where the log of a run ends, with larger budgets if they are given; no answered call is made again. Files outside of the workspace are not touched, whatever the log names.',
  input: z.object({ run: runField, ...budgetFields }),
  output: z.object({ run: z.string() }),
  annotations: WORKS,
  defaultTimeout: 300,
  positional: ['run'],
  render: ({ run }) => `Run ${run}`,
  run: async (input, { workspace, services, signal }) => {
    const folder = runsFolder(workspace.root);
    const name = findRun(folder, input.run);
    const live = services.get(liveRuns);
    // That proofs are put into files is for the caller to say, not for a log; the work on a task is in its files.
    const isWritten = input.write === true || stateOf(folder, name).task !== null;
    const options = [...budgetOptions(input), ...(isWritten ? [] : ['--set=write=false'])];
    return { run: await live.start(workspace.root, ['resume', ...options, '--', name], signal) };
  },
});

export const agentStop = defineOperation({
  name: 'agent_stop',
  area: 'agent',
  title: 'Stop a run of the agent',
  summary:
    'Stops a run that `agent_start` or `agent_resume` began; what it found is recorded, and it can be gone on with.',
  input: z.object({ run: runField }),
  output: z.object({ run: z.string(), outcome: z.string(), message: z.string() }),
  annotations: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  defaultTimeout: 60,
  positional: ['run'],
  render: ({ run, outcome, message }, say) => `${run}: ${outcome}. ${foreignText(sayRemedies(message, say))}`,
  run: async ({ run }, { workspace, services }) => {
    const folder = runsFolder(workspace.root);
    const name = findRun(folder, run);
    if (!(await services.get(liveRuns).stop(name))) refuseForeign(folder, name);
    const { outcome, message } = stateOf(folder, name);
    return { run: name, outcome, message };
  },
});

export const agentSay = defineOperation({
  name: 'agent_say',
  area: 'agent',
  title: 'Say something to a run of the agent',
  summary:
    'Records a message for the model of a run, which reads it before its next step, or when the run goes on.',
  input: z.object({ run: runField, text: z.string().min(1).max(20_000) }),
  output: z.object({
    run: z.string(),
    working: z.boolean().describe('False: it is read when the run goes on.'),
  }),
  annotations: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
  defaultTimeout: 60,
  positional: ['run', 'text'],
  render: ({ working }) =>
    working ? 'The model reads it before its next step.' : 'It is read when the run goes on.',
  run: async ({ run, text }, { workspace, services, signal }) => {
    const folder = runsFolder(workspace.root);
    const name = findRun(folder, run);
    const { length } = lookAtRun(folder, name).records;
    const isSent = services.get(liveRuns).say(name, text);
    if (isSent && (await isRecorded({ folder, name, after: length - 1, text }, signal)))
      return { run: name, working: true };
    refuseForeign(folder, name);
    const keys = await keysOfModels(stateOf(folder, name).settings, process.env);
    const log = RunLog.reopen(folder, name);
    try {
      for (const key of keys) log.keepOut(key);
      log.append({ kind: 'user-said', text });
    } finally {
      log.close();
    }
    return { run: name, working: false };
  },
});

/** A run that is just ending does not hear any more. @returns false when it ended without the message. */
async function isRecorded(
  { folder, name, after, text }: Omit<Wanted, 'wait'> & { readonly text: string },
  signal: AbortSignal,
): Promise<boolean> {
  for (;;) {
    const { records, running } = lookAtRun(folder, name);
    const isThere = records
      .slice(after + 1)
      .some(({ event }) => event.kind === 'user-said' && isRecordOf(event.text, text));
    if (isThere || !running) return isThere;
    await delay(LOOK_MS, undefined, { signal });
  }
}

/** Where keys were left out, anything may have stood. */
function isRecordOf(recorded: string, text: string): boolean {
  if (recorded === text) return true;
  const [first, ...parts] = recorded.split('[key]');
  const last = parts.pop();
  if (first === undefined || last === undefined || !text.startsWith(first)) return false;
  let at = first.length;
  for (const part of parts) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}

/** @throws QuodError `unsupported` when another process works on the run. */
function refuseForeign(folder: string, name: string): void {
  const owner = ownerOfRun(folder, name);
  if (owner === undefined) return;
  throw new QuodError(
    'unsupported',
    `Process ${owner} works on run ${name}, and this server did not start it.`,
    {
      remedy: 'Steer it where it was started: Ctrl+C there stops it and asks for a message.',
    },
  );
}

function stateOf(folder: string, name: string): RunState {
  const state = foldRun(lookAtRun(folder, name).records);
  if (state === undefined) throw new QuodError('invalid-input', `Run ${name} ended before it began.`);
  return state;
}

export const agentEvents = defineOperation({
  name: 'agent_events',
  area: 'agent',
  title: 'What happens in a run of the agent',
  summary:
    'Answers the events of a run from a place on, waiting for new ones while it works, and where it stands.',
  details: 'Call it again with `after` as the answer’s `last`: nothing is missed and nothing comes twice.',
  input: z.object({
    run: runField,
    after: z.int().min(-1).default(-1).describe('Only events behind this one.'),
    limit: z.int().positive().max(2000).default(500),
    wait: z
      .number()
      .min(0)
      .max(60)
      .default(0)
      .describe('Seconds to wait for an event when there is none yet.'),
  }),
  output: z.object({
    run: z.string(),
    running: z.boolean(),
    steerable: z.boolean().describe('This server can stop it and hand messages on to it.'),
    events: z.array(timelineSchema),
    last: z.int().describe('The number of the last event that was answered, or `after`.'),
    more: z.boolean().describe('There are more behind it now.'),
    file: z.string(),
    model: z.string().nullable(),
    mode: z.string(),
    started_at: z.string(),
    outcome: z.string().describe('open: it works, or its process died.'),
    message: z.string(),
    seconds: z.number(),
    max_time: z.number().nullable(),
    ...costSumFields,
    max_cost: z.number().nullable(),
    model_calls: z.int(),
    max_messages: z.int().nullable(),
    tool_calls: z.int(),
    max_tool_calls: z.int().nullable(),
    lost_calls: z.int().describe('Calls whose answer never came into the log.'),
    theorems: z.array(theoremSchema),
  }),
  annotations: READS,
  defaultTimeout: 120,
  positional: ['run'],
  render: ({ events }, say) => events.map(({ line }) => sayRemedies(line, say)).join('\n'),
  conclude: ({ run, running, outcome, ...spent }) =>
    `${run}: ${running ? 'at work' : outcome}, ${costSumText(spent)}`,
  run: async ({ run, after, limit, wait }, context) => {
    const { workspace, services } = context;
    const folder = runsFolder(workspace.root);
    const name = findRun(folder, run);
    const { records, running } = await lookBehind({ folder, name, after, wait }, context);
    const state = foldRun(records);
    if (state === undefined) throw new QuodError('invalid-input', `Run ${name} ended before it began.`);
    const behind = records.slice(after + 1);
    const events = behind.slice(0, limit).map(timelineEvent);
    const { settings, spent } = state;
    const begun = records.findLast(
      ({ event }) => event.kind === 'run-started' || event.kind === 'run-resumed',
    );
    const last = records.at(-1);
    // The clock of a run at work goes on between its events.
    const sinceLast =
      running && last !== undefined && begun !== undefined ? Date.now() - Date.parse(last.at) : 0;
    return {
      ...{ run: name, running, steerable: running && services.get(liveRuns).has(name) },
      ...{ events, last: events.at(-1)?.seq ?? after, more: behind.length > events.length },
      ...{ file: workspace.nameOf(state.file), model: settings.model, mode: settings.mode },
      ...{ started_at: state.startedAt, outcome: state.outcome, message: state.message },
      ...{ seconds: (state.elapsedMs + sinceLast) / 1000, max_time: settings.maxTime },
      ...{ ...costSoFar(state, running), max_cost: settings.maxCost },
      ...{ model_calls: spent.calls, max_messages: settings.maxMessages },
      ...{ tool_calls: state.toolCalls, max_tool_calls: settings.maxToolCalls },
      lost_calls: lostCalls(state, running),
      theorems: theoremAnswers(state, (path) => workspace.nameOf(path)),
    };
  },
});

/** How often a log is looked at while nothing comes. */
const LOOK_MS = 150;

interface Wanted {
  readonly folder: string;
  readonly name: string;
  readonly after: number;
  readonly wait: number;
}

/** The whole log, when there is something behind `after`, the run ended, or the time to wait is over. */
async function lookBehind(
  { folder, name, after, wait }: Wanted,
  { signal }: OperationContext,
): Promise<RunLook> {
  const until = performance.now() + wait * 1000;
  for (;;) {
    const size = sizeOfRun(folder, name);
    const look = lookAtRun(folder, name);
    if (look.records.length > after + 1 || !look.running) return look;
    do {
      if (performance.now() >= until) return look;
      await delay(LOOK_MS, undefined, { signal });
    } while (sizeOfRun(folder, name) === size && ownerOfRun(folder, name) !== undefined);
  }
}

const agentProviders = defineOperation({
  name: 'agent_providers',
  area: 'agent',
  title: 'Providers of models',
  summary:
    'Lists the providers of language models that Quod knows by name, for which of them the environment has a key, and which model is configured.',
  details:
    'Keys themselves are never answered. The system’s key store is not asked: it might wait for somebody to unlock it.',
  input: z.object({}),
  output: z.object({
    providers: z.array(
      z.object({
        name: z.string().describe('What stands before the slash of `provider/model`.'),
        local: z.boolean().describe('On this machine, without a key.'),
        key_variable: z.string().nullable(),
        has_key: z.boolean().describe('Whether that variable is set for this server.'),
      }),
    ),
    configured: z
      .string()
      .nullable()
      .describe('`provider/model` of a run that names none; null: the offline search works alone.'),
    search_first: z
      .boolean()
      .describe('Whether a run with a model tries the offline search first where it does not say so itself.'),
  }),
  annotations: READS,
  defaultTimeout: 10,
  render: ({ providers, configured }) =>
    [
      ...providers.map(({ name, local, key_variable, has_key }) => {
        const needs =
          key_variable === null ? 'needs no key' : `${key_variable} ${has_key ? 'is set' : 'is not set'}`;
        return `${name.padEnd(12)}  ${local ? 'on this machine, ' : ''}${needs}`;
      }),
      `configured    ${configured === null ? 'no model: the offline search works alone' : foreignName(configured)}`,
    ].join('\n'),
  run: (_input, { workspace }) => {
    const settings = mergeSettings(settingsHere({ folder: workspace.root, environment: process.env }, {}));
    return Promise.resolve({
      configured: settings.model,
      search_first: settings.searchFirst,
      providers: PROVIDERS.map(({ name, free, keyVariable }) => ({
        ...{ name, local: free, key_variable: keyVariable },
        has_key: keyVariable !== null && orNothing(process.env[keyVariable]) !== '',
      })),
    });
  },
});

export const LIVE_OPERATIONS = [
  agentStart,
  agentResume,
  agentStop,
  agentSay,
  agentEvents,
  agentProviders,
] as const;
