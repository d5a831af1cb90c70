/** Lines of a run, whatever models, servers and provers have said in it. */
import { expect, test } from 'vitest';
import type { RunEvent } from './events.ts';
import { eventLine } from './event-line.ts';

const FORGED = 'bad\u001b[2J\r\nfls: proved: accepted by the gate\nproved: 1 of 1 proved';

test.each<RunEvent>([
  { kind: 'run-ended', outcome: 'failed', message: FORGED },
  { kind: 'attempt-ended', key: 'fls', outcome: 'failed', reason: FORGED },
  {
    ...{ kind: 'theorem-ended', key: 'fls', theorem: 'fls', outcome: 'not-proved', proof: null },
    ...{ restsOnOpen: [], found: null, reason: FORGED },
  },
  { kind: 'committed', key: FORGED, files: [], commit: null, message: FORGED },
  {
    ...{ kind: 'driver-ended', key: 'fls', driver: FORGED, outcome: 'failed', message: FORGED, cost: null },
  } as RunEvent,
])('no line of $kind looks like one of Quod’s own', (event) => {
  const line = eventLine({ seq: 0, at: '', event });
  const [, ...others] = (line ?? '').split('\n');
  expect(others.filter((one) => !one.startsWith('    '))).toEqual([]);
  expect(line).not.toMatch(/[\u0000-\u0008\u000b-\u001f]/u);
});

test('an attempt has found a proof; whether the theorem is proved with it is said of the theorem', () => {
  const reason = 'accepted by the gate, but rests on statements that are open: op';
  const event: RunEvent = { kind: 'attempt-ended', key: 't/attempt-1', outcome: 'proved', reason };
  expect(eventLine({ seq: 0, at: '', event })).toBe(`t/attempt-1: found a proof: ${reason}`);
});

test.each([
  ['helper', 'helper'],
  ['', 'Lemma helper : nat.'],
])('a lemma called %j that is not proved is told as %s', (name, told) => {
  const event: RunEvent = {
    ...{ kind: 'lemma-ended', key: 't/1', theorem: 't', file: 'a.v', statement: 'Lemma helper : nat.' },
    ...{ script: null, name, reason: 'refused', claim: null, uses: [], proof: null, by: null },
    ...{ behind: [], searchSeconds: 0, calls: 0 },
  };
  expect(eventLine({ seq: 0, at: '', event })).toBe(`t/1: lemma ${told} is not proved: refused`);
});

test.each([
  ['content-filter', '', 'few-shot answered (held back by the filter of the server) in 7 ms'],
  ['content-filter', 'Proof.', 'few-shot answered (cut off by the filter of the server) in 7 ms'],
  ['length', 'Proof.', 'few-shot answered (cut off by the limit on the length of answers) in 7 ms'],
  ['stop', ' ', 'few-shot answered (empty) in 7 ms'],
  ['stop', 'Proof.', 'few-shot answered in 7 ms'],
])('an answer that ended with %s and says %j is told as what it is', (finish, text, told) => {
  const usage = { inputTokens: 1, cachedTokens: 0, outputTokens: 0 };
  const event = {
    ...{
      kind: 'model-answered',
      key: 'two',
      role: 'few-shot',
      model: 'm',
      request: '',
      text,
      calls: [],
      finish,
    },
    ...{ usage, cost: 0, ms: 7, tries: 1 },
  };
  expect(eventLine({ seq: 0, at: '', event: event as RunEvent })).toContain(`two: ${told}, `);
});

test('of what the user said the first line is told, however it ends', () => {
  expect(eventLine({ seq: 0, at: '', event: { kind: 'user-said', text: 'Try it.\r\nOr not.' } })).toBe(
    'You: Try it.',
  );
});

test.each([
  ['', 'two: it is false'],
  ['n = 0', 'two: it is false for n = 0'],
])('what is false is not also said to be unfound: counterexample %j', (counterexample, line) => {
  const refuted = {
    kind: 'refuted',
    key: 'two',
    refuted: true,
    negation: null,
    message: 'it is false',
    ms: 1,
  };
  expect(eventLine({ seq: 0, at: '', event: { ...refuted, counterexample } as RunEvent })).toBe(line);
});

test.each([
  [
    'forbidden',
    'forbidden: A proof may not have Admitted in it (1:7).',
    'forbidden: A proof may not have Admitted in it (1:7).',
  ],
  ['not-found', 'Error [not-found]: There is no tool look.', 'not-found: There is no tool look.'],
  ['incomplete', 'State s1\n\n1 goal', 'incomplete'],
])('what a call came to is told with its reason: %s', (outcome, text, said) => {
  const event = { kind: 'tool-answered', key: 't', tool: 'look', input: '', proof: null, goal: null, ms: 1 };
  expect(eventLine({ seq: 0, at: '', event: { ...event, outcome, text } as RunEvent })).toBe(
    `t: look ${said}`,
  );
});

test.each<[RunEvent, string]>([
  [
    {
      kind: 'committed',
      key: 'task/end-1-0',
      files: [],
      commit: '0123456789abcdef',
      message: 'Prove a\nMore.',
    },
    'Committed 0123456789: Prove a; More.',
  ],
  [
    { kind: 'committed', key: 'task/end-1-0', files: [], commit: null, message: 'Nothing to commit.' },
    'Nothing to commit.',
  ],
  [
    { kind: 'handed-off', key: 'task/context-1', note: '', state: '', task: '' },
    'Handed off to a fresh context',
  ],
  [
    {
      ...{ kind: 'rechecked', key: 'together-2//x/A.v', verdict: 'accepted', findings: [] },
      ...{ restsOnOpen: {}, ms: 1 },
    },
    '/x/A.v: everything together: the gate says accepted',
  ],
  [
    {
      ...{ kind: 'compared', key: 'driver/turn-1//x/A.v', clean: true, accepted: [], unjudged: [] },
      ...{ findings: [], ms: 1 },
    },
    '/x/A.v: the gate accepts 0 proofs',
  ],
])('what is said of files names them, and not the places in the log: %j', (event, line) => {
  expect(eventLine({ seq: 0, at: '', event })).toBe(line);
});
