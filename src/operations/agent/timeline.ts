/** What happened in a run, as events of one flat form: each kind fills the fields that it has something for. */
import { z } from 'zod';
import { orNothing } from '../../core/entry.ts';
import { eventLine } from '../../agent/runs/event-line.ts';
import type { RunEvent, RunRecord } from '../../agent/runs/events.ts';

export const timelineSchema = z.object({
  seq: z.int().describe('From 0, without gaps in the log.'),
  at: z.string(),
  kind: z.string().describe('`planned`, `tool-answered`, `judged`, …'),
  key: z.string().nullable().describe('The place in the workflow: `lemma/attempt-1/executor-3`.'),
  line: z.string().describe('In one line.'),
  role: z.string().nullable().describe('Which role of the model.'),
  model: z.string().nullable(),
  tool: z.string().nullable(),
  outcome: z.string().nullable().describe('What a check, a verdict, an attempt or the run came to.'),
  text: z.string().nullable().describe('What was said, planned, answered or found, whole.'),
  input: z.string().nullable().describe('What a tool was called with, as JSON.'),
  goal: z.string().nullable().describe('The goal that a check left.'),
  calls: z.array(z.object({ name: z.string(), input: z.string() })).describe('Tools that the model calls.'),
  findings: z.array(z.string()),
  cost: z.number().nullable().describe('US dollars; null: nothing, or the price is not known.'),
  seconds: z.number().nullable(),
  input_tokens: z.int().nullable(),
  output_tokens: z.int().nullable(),
});

export type TimelineEvent = z.output<typeof timelineSchema>;

type Filled = Partial<Omit<TimelineEvent, 'seq' | 'at' | 'kind' | 'key' | 'line'>>;

export function timelineEvent(record: RunRecord): TimelineEvent {
  const { event } = record;
  return {
    ...{ seq: record.seq, at: record.at, kind: event.kind, key: 'key' in event ? event.key : null },
    line: eventLine(record) ?? event.kind,
    ...{ role: null, model: null, tool: null, outcome: null, text: null, input: null, goal: null },
    ...{ calls: [], findings: [], cost: null, seconds: null, input_tokens: null, output_tokens: null },
    ...filledOf(event),
  };
}

function filledOf(event: RunEvent): Filled {
  switch (event.kind) {
    case 'model-called':
      return { role: event.role, model: event.model };
    case 'model-answered':
      return {
        ...{ role: event.role, model: event.model, text: event.text, cost: event.cost },
        ...{ calls: event.calls.map(({ name, input }) => ({ name, input })), seconds: event.ms / 1000 },
        ...{ input_tokens: event.usage.inputTokens, output_tokens: event.usage.outputTokens },
      };
    case 'model-failed':
      return {
        ...{ role: event.role, model: event.model, text: event.message },
        outcome: event.stopped === true ? 'interrupted' : 'failed',
        ...{ cost: event.cost, seconds: event.ms / 1000 },
      };
    case 'tool-answered':
      return {
        ...{ tool: event.tool, input: event.input, text: event.text, outcome: event.outcome },
        ...{ goal: event.goal, seconds: event.ms / 1000 },
      };
    case 'model-waits':
      return { model: event.model, text: event.message, seconds: event.ms / 1000 };
    case 'context-limited':
      return { model: event.model, text: event.message };
    case 'context-collected':
      return { seconds: event.ms / 1000 };
    case 'repaired':
      return {
        ...{ text: event.text, outcome: event.proof === null ? 'nothing found' : 'found' },
        seconds: event.ms / 1000,
      };
    case 'sketched':
      return {
        ...{ input: event.script, text: event.text, goal: event.goal, seconds: event.ms / 1000 },
        outcome: event.texts.length === 0 ? 'failed' : 'sketched',
      };
    case 'planned':
      return { text: event.plan, outcome: event.by };
    case 'replanned':
      return { text: event.plan };
    case 'scored':
      return { text: event.reason, outcome: String(event.score) };
    case 'searched':
      return {
        ...{ text: event.proof ?? event.message, outcome: event.proof === null ? 'nothing found' : 'found' },
        seconds: event.ms / 1000,
      };
    case 'retrieved':
      return { text: event.text, seconds: event.ms / 1000 };
    case 'session-opened':
      return { text: event.state };
    case 'theorem-started':
      return { text: event.statement };
    case 'judged':
      return {
        ...{ text: event.proof, outcome: event.verdict, seconds: event.ms / 1000 },
        findings: [
          ...event.findings,
          ...event.restsOnOpen.map((name) => `It rests on the open statement ${name}.`),
        ],
      };
    case 'rechecked':
      return { outcome: event.verdict, findings: [...event.findings], seconds: event.ms / 1000 };
    case 'compared':
      return { findings: [...event.findings], seconds: event.ms / 1000 };
    case 'refuted':
      return {
        ...{ text: event.negation ?? event.message, outcome: event.refuted ? 'refuted' : 'not-refuted' },
        seconds: event.ms / 1000,
      };
    case 'lemma-ended':
      return { text: `${event.statement}\n${orNothing(event.proof)}`, outcome: event.reason };
    case 'attempt-ended':
      return { outcome: event.outcome, text: event.reason };
    case 'theorem-ended':
      return { outcome: event.outcome, text: event.proof ?? event.reason };
    case 'run-ended':
      return { outcome: event.outcome, text: event.message };
    case 'user-said':
    case 'heard':
      return { text: event.text };
    case 'handed-off':
      return { text: event.note };
    case 'committed':
      return { text: event.message, outcome: event.commit };
    case 'driver-said':
      return {
        text: [event.text, ...event.results].join('\n\n'),
        calls: event.calls.map(({ name, input }) => ({ name, input })),
      };
    case 'driver-ended':
      return {
        ...{ text: event.message, outcome: event.outcome, cost: event.cost, seconds: event.ms / 1000 },
        ...{ input_tokens: event.usage.inputTokens, output_tokens: event.usage.outputTokens },
      };
    case 'run-started':
    case 'run-resumed':
    case 'attempt-started':
    case 'written':
    case 'driver-started':
      return {};
  }
}
