import { describe, expect, it } from 'vitest';
import { outputOf } from '../testing/recordings.ts';
import {
  readFormatted,
  readIssues,
  readLookup,
  readProgress,
  readSegments,
  readTacticState,
} from './answers.ts';
import { MessageReader } from './messages.ts';

const responses = new Map(
  new MessageReader().push(outputOf('basic.jsonl')).flatMap((message) => {
    return message.kind === 'response' ? [[message.queryId, message] as const] : [];
  }),
);

describe('issues', () => {
  it('without a number are issues, with their places', () => {
    expect(readIssues(responses.get('8')?.response, true)).toEqual([
      {
        level: 'error',
        number: null,
        message: expect.stringContaining('could not prove post-condition') as string,
        ranges: [
          { file: '<input>', start: { line: 5, column: 35 }, end: { line: 5, column: 37 } },
          { file: '<input>', start: { line: 5, column: 19 }, end: { line: 5, column: 32 } },
        ],
      },
    ]);
  });

  it('have the number that newer versions give', () => {
    const issue = { level: 'error', number: 19, message: 'm', ranges: [] };
    expect(readIssues([issue], true)).toEqual([issue]);
  });

  it('that are only a text are one without a place', () => {
    expect(readIssues('Too many pops', true)).toEqual([
      { level: 'error', number: null, message: 'Too many pops', ranges: [] },
    ]);
  });

  it('are never lost because one of them has another shape', () => {
    const issues = readIssues(
      [
        { level: 'fatal', message: 'x' },
        { level: 'info', message: 'y' },
      ],
      true,
    );
    expect(issues.map(({ level }) => level)).toEqual(['error', 'info']);
    expect(issues[0]?.message).toContain('fatal');
  });
});

describe('lookups', () => {
  it('of a symbol, a module, an option and nothing', () => {
    expect(readLookup(responses.get('14')?.response)).toMatchObject({
      kind: 'symbol',
      name: 'Demo.fact',
      type: 'n: nat -> Prims.Tot pos',
      documentation: null,
      definedAt: { start: { line: 3, column: 8 }, end: { line: 3, column: 12 } },
    });
    expect(readLookup(responses.get('17')?.response)).toEqual({
      kind: 'module',
      name: 'FStar.Mul',
      path: '/opt/fstar/ulib/FStar.Mul.fst',
    });
    expect(readLookup(responses.get('18')?.response)).toMatchObject({
      kind: 'option',
      name: 'z3rlimit',
      value: 5,
    });
    expect(readLookup(responses.get('16')?.response)).toEqual({
      kind: 'not-found',
      message: 'No such symbol, module, or namespace.',
    });
  });
});

describe('progress', () => {
  it('of dependencies, fragments and the buffer', () => {
    const range = { fname: 'A.fst', beg: [1, 0], end: [1, 8] };
    expect(readProgress({ stage: 'loading-dependency', modname: 'prims' })).toEqual({
      stage: 'loading-dependency',
      module: 'prims',
    });
    expect(readProgress({ stage: null })).toEqual({ stage: 'dependencies-loaded' });
    expect(readProgress({ stage: 'full-buffer-finished' })).toEqual({ stage: 'full-buffer-finished' });
    expect(readProgress({ stage: 'full-buffer-fragment-failed', ranges: range })).toMatchObject({
      stage: 'fragment-failed',
      range: { file: 'A.fst' },
    });
    expect(readProgress({ stage: 'full-buffer-fragment-ok' })).toBeUndefined();
    expect(readProgress('loading')).toBeUndefined();
  });
});

it('proof states have goals, hypotheses and the goals left to the solver', () => {
  const goal = {
    hyps: [{ name: 'a', type: 'int' }],
    goal: { witness: '_', type: 'squash (a == a)', label: '' },
  };
  const state = { label: 'at the time of failure', depth: 1, urgency: 1, goals: [goal], 'smt-goals': [goal] };
  expect(readTacticState(state)).toMatchObject({
    label: 'at the time of failure',
    goals: [{ hypotheses: [{ name: 'a', type: 'int' }], conclusion: 'squash (a == a)' }],
    smtGoals: [{ conclusion: 'squash (a == a)' }],
    location: null,
  });
  expect(readTacticState('state')).toBeUndefined();
});

it('segments are places of declarations', () => {
  expect(readSegments(responses.get('2')?.response)?.map(({ start }) => start.line)).toEqual([1, 2, 3, 4]);
  expect(readSegments(responses.get('3')?.response)).toBeUndefined();
});

it('formatted code is the code, or the issues', () => {
  expect(readFormatted({ 'formatted-code': 'module A' })).toEqual({ code: 'module A' });
  expect(readFormatted({ 'formatted-code-issue': [{ level: 'error', message: 'm' }] })).toMatchObject({
    issues: [{ level: 'error', number: null, message: 'm', ranges: [] }],
  });
});
