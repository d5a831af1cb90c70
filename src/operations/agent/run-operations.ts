/** What runs of the agent were and are, read from their logs. */
import { z } from 'zod';
import { sayRemedies } from '../../core/remedies/run-remedies.ts';
import { costSumFields, costSumText } from '../../agent/models/cost-sum.ts';
import { eventLine } from '../../agent/runs/event-line.ts';
import { textAsSent } from '../../agent/models/conversation.ts';
import type { RunRecord } from '../../agent/runs/events.ts';
import { outsideBlocks } from '../../agent/markdown.ts';
import { exportRun } from '../../agent/runs/export.ts';
import { costSoFar, foldRun, lostCalls, type RunState, type Spent } from '../../agent/runs/fold.ts';
import { findRun, listRuns, lookAtRun, readRun, runsFolder } from '../../agent/runs/run-log.ts';
import { inColumns } from '../definition/columns.ts';
import { counted } from '../../core/counted.ts';
import { foreignName, foreignText } from '../../core/foreign-text.ts';
import { formatDuration } from '../../core/duration.ts';
import { QuodError } from '../../core/errors.ts';
import { defineOperation, type Saying } from '../definition/operation.ts';
import { ALLOW_OPERATIONS } from './allow-operations.ts';
import { LIVE_OPERATIONS } from './live-operations.ts';
import { groundsNotes, theoremAnswers, theoremSchema } from './theorem-answer.ts';

const READS = { readOnly: true, destructive: false, idempotent: true, openWorld: false } as const;
const runField = z.string().describe('Its name, the beginning of it, or `last`.');

const listedSchema = z.object({
  name: z.string(),
  file: z.string(),
  running: z.boolean().describe('A process works on it now.'),
  outcome: z.string(),
  model: z.string().nullable().describe('`provider/model`; null: the offline search alone.'),
  proved: z.int(),
  proved_but: z.int().describe('Proved, but resting on statements that are open.'),
  theorems: z.int(),
  ...costSumFields,
  seconds: z.number().describe('During which it ran.'),
  started_at: z.string(),
});

type Listed = z.output<typeof listedSchema>;

const unreadableSchema = z.object({ name: z.string(), problem: z.string() });

const agentRuns = defineOperation({
  name: 'agent_runs',
  area: 'agent',
  title: 'List the runs of the agent',
  summary: 'Lists the runs of the agent in the workspace, oldest first, with what their logs record of them.',
  input: z.object({}),
  output: z.object({
    runs: z.array(listedSchema),
    unreadable: z.array(unreadableSchema).describe('Runs whose logs cannot be read, and why.'),
  }),
  annotations: READS,
  defaultTimeout: 60,
  render: ({ runs, unreadable }) =>
    [
      ...inColumns(runs.map(listedCells)),
      ...unreadable.map(({ name, problem }) => `${foreignName(name)}  unreadable: ${foreignText(problem)}`),
    ].join('\n'),
  conclude: ({ runs, unreadable }) =>
    runs.length + unreadable.length === 0 ? 'There are no runs in this folder.' : '',
  run: (_input, { workspace }) => {
    const folder = runsFolder(workspace.root);
    const runs: Listed[] = [];
    const unreadable: z.output<typeof unreadableSchema>[] = [];
    for (const name of listRuns(folder)) {
      try {
        const { records, running } = lookAtRun(folder, name);
        const state = foldRun(records);
        if (state !== undefined) runs.push(listedOf(name, state, running));
        else if (records.length > 0) unreadable.push({ name, problem: 'Its log does not begin with a run.' });
      } catch (error) {
        if (!(error instanceof QuodError)) throw error;
        unreadable.push({ name, problem: error.message });
      }
    }
    return Promise.resolve({ runs, unreadable });
  },
});

function listedOf(name: string, state: RunState, running: boolean): Listed {
  const { file, outcome, theorems, elapsedMs, startedAt, settings } = state;
  return {
    ...{ name, file, outcome, model: settings.model, theorems: theorems.length },
    ...costSoFar(state, running),
    running,
    proved: theorems.filter((one) => one.outcome === 'proved').length,
    proved_but: theorems.filter((one) => one.outcome === 'proved-but').length,
    ...{ seconds: elapsedMs / 1000, started_at: startedAt },
  };
}

function listedCells({
  name,
  running,
  outcome,
  proved,
  proved_but,
  theorems,
  cost,
  uncosted,
  seconds,
  file,
}: Listed): string[] {
  const open = proved_but === 0 ? '' : ` (+${proved_but} but open)`;
  return [
    name,
    running ? 'at work' : outcome,
    `${proved}/${theorems}${open}`,
    costSumText({ cost, uncosted }),
    formatDuration(seconds * 1000),
    foreignName(file),
  ];
}

const spentFields = {
  calls: z.int(),
  failed: z.int(),
  input_tokens: z.int(),
  cached_tokens: z.int(),
  output_tokens: z.int(),
  ...costSumFields,
  seconds: z.number(),
};

const shownSchema = z.object({
  ...listedSchema.shape,
  message: z.string(),
  events: z.array(z.string()).describe('What happened, line by line, with the time since the start.'),
  spent: z.object(spentFields),
  by_role: z.array(z.object({ role: z.string(), ...spentFields })),
  tool_calls: z.int(),
  context: z
    .array(
      z.object({ key: z.string(), role: z.string(), model: z.string(), tokens: z.int(), text: z.string() }),
    )
    .describe(
      'With `context`: what was sent to models, question by question; what an earlier one had is left out.',
    ),
  lost_calls: z
    .int()
    .describe(
      'Calls under way when the process died; of what they cost no more is known than what was sent.',
    ),
  results: z.array(theoremSchema),
});

const agentShow = defineOperation({
  name: 'agent_show',
  area: 'agent',
  title: 'Show a run of the agent',
  summary: 'Shows what happened in a run of the agent, what it cost, and the proofs that it found.',
  input: z.object({
    run: runField,
    context: z.boolean().default(false).describe('What was sent to the models, instead of what happened.'),
  }),
  output: shownSchema,
  annotations: READS,
  defaultTimeout: 60,
  positional: ['run'],
  render: shownText,
  run: (input, { workspace }) => {
    const folder = runsFolder(workspace.root);
    const name = findRun(folder, input.run);
    const { records, running } = lookAtRun(folder, name);
    const state = foldRun(records);
    if (state === undefined) throw new QuodError('invalid-input', `Run ${name} ended before it began.`);
    const begun = Date.parse(state.startedAt);
    return Promise.resolve({
      ...listedOf(name, state, running),
      message: state.message,
      events: records.flatMap((record) => {
        const line = eventLine(record);
        if (line === undefined) return [];
        // The tree of attempts is in the keys: each level is indented.
        const depth = 'key' in record.event ? record.event.key.split('/').length - 1 : 0;
        const after = formatDuration(Date.parse(record.at) - begun).padStart(9);
        return [`${after}  ${'  '.repeat(depth)}${line}`];
      }),
      spent: { ...spentOf(state.spent), ...costSoFar(state, running) },
      by_role: [...state.byRole].map(([role, spent]) => ({ role, ...spentOf(spent) })),
      tool_calls: state.toolCalls,
      context: input.context ? sentTo(records) : [],
      lost_calls: lostCalls(state, running),
      results: theoremAnswers(state, (path) => workspace.nameOf(path)),
    });
  },
});

function sentTo(records: readonly RunRecord[]): z.output<typeof shownSchema>['context'] {
  return records.flatMap(({ event }) => {
    if (event.kind !== 'model-called' || event.sent === undefined) return [];
    const { like, kept, messages, tools, tokens } = event.sent;
    const text = [
      ...(like === null ? [] : [`(${counted(kept, 'message')} as in ${like})`]),
      // No line of a message looks like the beginning of another.
      ...messages.map((message) => `${message.role}: ${indented(textAsSent(message)).trimStart()}`),
      ...(tools.length === 0 ? [] : [`(tools: ${tools.join(', ')})`]),
    ].join('\n\n');
    return [{ key: event.key, role: event.role, model: event.model, tokens, text }];
  });
}

/** Every line: only Quod's own begin where lines begin. */
function indented(text: string): string {
  return text.replace(/^(?=.)/gmu, '    ');
}

function spentOf({ calls, failed, inputTokens, cachedTokens, outputTokens, cost, uncosted, ms }: Spent) {
  return {
    ...{ calls, failed, input_tokens: inputTokens, cached_tokens: cachedTokens },
    ...{ output_tokens: outputTokens, cost, uncosted, seconds: ms / 1000 },
  };
}

/** A log is text that anybody can write. */
const RECORDED =
  'As the log has it, which is no evidence: `agent_resume` has the gate judge recorded proofs again.';

function shownText(shown: z.output<typeof shownSchema>, say: Saying): string {
  const { name, outcome, seconds, tool_calls, lost_calls, spent, context } = shown;
  if (context.length > 0) {
    return context
      .map(
        ({ key, role, model, tokens, text }) =>
          `=== ${foreignName(key)}: ${role}, ${foreignName(model)}, about ${tokens} tokens\n\n${indented(text)}`,
      )
      .join('\n\n');
  }
  const role = (called: string): string => `  ${called.padEnd(18)}`;
  return [
    say(RECORDED),
    ...shown.events.map((line) => sayRemedies(line, say)),
    `\n${name}: recorded as ${outcome}, ${formatDuration(seconds * 1000)}, ${counted(tool_calls, 'tool call')}`,
    ...shown.by_role.map(
      (one) =>
        `${role(one.role)} ${String(one.calls).padStart(4)} calls  ${one.input_tokens} + ${one.output_tokens} tokens  ${costSumText(one)}`,
    ),
    `${role('all')} ${String(spent.calls).padStart(4)} calls  ${costSumText(spent)}`,
    ...(lost_calls === 0
      ? []
      : [
          `  ${counted(lost_calls, 'call')} under way when the process died; of what that cost no more is counted than what was sent.`,
        ]),
    ...shown.results.map(
      (one) =>
        `\n${one.theorem}: recorded as ${one.outcome}${one.reason === '' ? '' : ` (${sayRemedies(one.reason, say)})`}${groundsNotes(
          one,
          say,
        )
          .map((text) => `\n  ${text}`)
          .join(
            '',
          )}${one.before === null ? '' : `\n${one.before}\n`}${one.proof === null ? '' : `\n${one.proof}`}`,
    ),
  ].join('\n');
}

const agentExport = defineOperation({
  name: 'agent_export',
  area: 'agent',
  title: 'Export a run of the agent',
  summary: 'Writes a run as Markdown: everything that was asked, said, tried and judged in it.',
  input: z.object({ run: runField }),
  output: z.object({ name: z.string(), markdown: z.string() }),
  annotations: READS,
  defaultTimeout: 60,
  positional: ['run'],
  render: ({ markdown }, say) => outsideBlocks(markdown, (line) => sayRemedies(line, say)),
  run: ({ run }, { workspace }) => {
    const folder = runsFolder(workspace.root);
    const name = findRun(folder, run);
    return Promise.resolve({ name, markdown: exportRun(name, readRun(folder, name)) });
  },
});

export const AGENT_OPERATIONS = [
  agentRuns,
  agentShow,
  agentExport,
  ...LIVE_OPERATIONS,
  ...ALLOW_OPERATIONS,
] as const;
