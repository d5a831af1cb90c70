import { expect, test } from 'vitest';
import type { RunEvent, RunRecord } from '../../../agent/runs/events.ts';
import { mergeSettings } from '../../../agent/settings.ts';
import { LiveView } from './agent-live.ts';

const begun = Date.UTC(2026, 0, 1);
const record = (event: RunEvent, seconds: number): RunRecord => ({
  ...{ seq: 0, event },
  at: new Date(begun + seconds * 1000).toISOString(),
});
const started = (theorem: string): RunEvent => ({
  kind: 'theorem-started',
  key: theorem,
  theorem,
  statement: '',
});
const tool = (key: string, outcome: string | null, goal: string | null): RunEvent => ({
  ...{ kind: 'tool-answered', key, tool: 'rocq_check_proof', input: '', text: '', proof: null, ms: 1 },
  ...{ outcome, goal },
});

test('plan, goal, attempts of each theorem in work, and what is left of the budgets', () => {
  const view = new LiveView(mergeSettings({ maxCost: 2, maxToolCalls: 9 }));
  const settings = mergeSettings();
  const files = { file: '/a.v', fileHash: '', files: [], task: null, theorems: ['one', 'two'] };
  const events: RunEvent[] = [
    { kind: 'run-started', format: 1, quod: 'test', ...files, settings },
    started('one'),
    started('two'),
    { kind: 'model-called', key: 'one/plan-0', role: 'planner', model: 'a/b' },
    {
      kind: 'model-failed',
      key: 'one/plan-0',
      role: 'planner',
      model: 'a/b',
      message: '',
      cost: 0.25,
      ms: 1,
      tries: 1,
    },
    { kind: 'planned', key: 'one/plan-0', plan: '1. induction\n2. rest', by: 'direct' },
    { kind: 'attempt-started', key: 'one/attempt-1', plan: 0 },
    tool('one/attempt-1/tool-1', 'failed', 'n + 0 = n'),
    tool('one/attempt-1/tool-2', 'incomplete', null),
    tool('one/attempt-1/tool-3', null, null),
  ];
  events.forEach((event, index) => view.add(record(event, index)));
  expect(view.lines(begun + 60_000)).toEqual([
    '  … one, plan 1, 2 checks, 1 failed',
    '      plan  1. induction 2. rest',
    '      goal  n + 0 = n',
    '  … two',
    '  1 min 00 s · $0.2500 of $2 · 1 message · 3 of 9 tool calls',
  ]);
  const ended = {
    outcome: 'not-proved',
    proof: null,
    restsOnOpen: [] as string[],
    found: null,
    reason: '',
  } as const;
  view.add(record({ kind: 'theorem-ended', key: 'one', theorem: 'one', ...ended }, 60));
  view.add(record({ kind: 'run-ended', outcome: 'interrupted', message: '' }, 60));
  // What lies between an end and a resume does not count.
  view.add(record({ kind: 'run-resumed', settings }, 1000));
  expect(view.lines(begun + 1_030_000)).toEqual(['  … two', expect.stringMatching(/^ {2}1 min 30 s/u)]);
});
