import { expect, test } from 'vitest';
import type { BuildStep } from './last-build.ts';
import { stateSaid, statementLine, uncompiledSaid } from './stated.ts';

test.each([
  ['Lemma add_zero (n : nat) : n + 0 = n.', 'add_zero', ' (n : nat) : n + 0 = n.'],
  // The name is also a part of the word before it.
  ['Variable r : RelDec eqt.', 'r', ' : RelDec eqt.'],
  ['Lemma a_b : a_b_c = 1.\n', 'a_b', ' : a_b_c = 1. '],
  ['Instance : Proper eq f.', 'f', '.'],
  ['Goal True.', 'Unnamed_thm', 'Goal True.'],
])('what stands behind the name of %s', (statement, name, expected) => {
  expect(statementLine(statement, name)).toBe(expected);
});

const NO_BUILD = { faults: [], changed: new Set<string>() };

test.each([
  ['proved', 'yes', 'proved', 'good'],
  // Of another prover than Rocq.
  ['proved', null, 'not checked', 'plain'],
  ['proved', 'no', 'not compiled', 'plain'],
  ['proved', 'not-known', 'not compiled', 'plain'],
  ['proved', 'no-module-name', 'cannot be compiled', 'plain'],
  ['open', 'no', 'open', 'open'],
  ['assumed', 'yes', 'assumed', 'plain'],
] as const)('what is %s in a file that is compiled (%s) is called %s, %s', (state, compiled, word, tone) => {
  expect(stateSaid({ state, compiled, file: 'a.v' }, NO_BUILD)).toMatchObject({ word, tone });
});

const FAULT: BuildStep = {
  ...{ kind: 'failed', reason: null, library: null, file: 'a.v', line: 1, column: 0 },
  ...{ seconds: 0, message: 'No.' },
};

test.each([
  { what: 'failed', fault: FAULT, changed: [], said: { word: 'does not compile', tone: 'bad' } },
  {
    what: 'changed',
    fault: FAULT,
    changed: ['a.v'],
    said: { word: 'changed since the build', tone: 'plain' },
  },
  {
    ...{ what: 'left out', fault: { ...FAULT, kind: 'left-out' as const }, changed: [] },
    said: { word: 'left out', tone: 'plain' },
  },
  {
    ...{ what: 'unreadable', fault: { ...FAULT, reason: 'file-unreadable' }, changed: [] },
    said: { word: 'not compiled', tone: 'plain' },
  },
])(
  'a proof in a file that was $what in the last build has the word of the file',
  ({ fault, changed, said }) => {
    const build = { faults: [fault], changed: new Set<string>(changed) };
    const file = { file: 'a.v', compiled: 'no' as const };
    expect(stateSaid({ ...file, state: 'proved' }, build)).toMatchObject(said);
    expect(uncompiledSaid(file, build)).toMatchObject(said);
    // What was compiled by somebody else since then is.
    expect(stateSaid({ ...file, state: 'proved', compiled: 'yes' }, build).word).toBe('proved');
  },
);
