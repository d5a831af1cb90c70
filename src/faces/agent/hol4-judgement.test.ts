/** What the agent makes of Holmake's report: every way in which a proof of HOL4 is not one. */
import { expect, test } from 'vitest';
import { judgementOf } from './hol4-targets.ts';
import type { HolmakeAnswer } from './hol4-targets.ts';

const SCRIPT = `Theory two
Theorem first:
  T
Proof
  cheat
QED

Theorem second:
  T
Proof
  simp[first]
QED
`;
type Theory = HolmakeAnswer['theories'][number];
const built = (change: Partial<Theory>): HolmakeAnswer => ({
  ...{ status: 'cheated', stopped: null, output: '' },
  theories: [
    {
      ...{
        theory: 'two',
        state: 'built',
        flagged: [],
        missing: [],
        tampered: false,
        failure: null,
        unknown: null,
      },
      ...change,
    },
  ],
});
const flag = (name: string, standing: string, ...oracles: string[]) => ({
  flagged: [{ name, standing, oracles }],
});
const verdict = (answer: HolmakeAnswer, theorem = 'second', text = SCRIPT): string =>
  judgementOf(answer, 'two', theorem, text).verdict;

test('a theorem that nothing is said against is accepted, whatever is said of others', () => {
  expect(verdict(built({}))).toBe('accepted');
  expect(verdict(built(flag('first', 'cheated', 'cheat')))).toBe('accepted');
});

test('one that uses an open hole above it is accepted, and says so; without such a hole it is not', () => {
  const answer = built(flag('second', 'cheated', 'cheat'));
  expect(judgementOf(answer, 'two', 'second', SCRIPT)).toEqual({
    verdict: 'accepted',
    findings: [],
    restsOnOpen: ['first'],
  });
  expect(verdict(answer, 'second', SCRIPT.replace('cheat', 'simp[]'))).toBe('rejected');
  expect(verdict(built(flag('second', 'cheated', 'cheat', 'mine')))).toBe('rejected');
});

test.each([
  ['an oracle', built(flag('second', 'oracle', 'mine')), 'rejected'],
  ['an axiom', built(flag('second', 'axiom')), 'rejected'],
  ['hypotheses', built(flag('second', 'hypotheses')), 'rejected'],
  ['no such theorem in the theory', built({ missing: ['second'] }), 'rejected'],
  ['a data file that is not the exported one', built({ tampered: true }), 'rejected'],
  [
    'a proof that fails',
    built({ state: 'failed', failure: { message: 'no', theorem: 'second' } }),
    'rejected',
  ],
  [
    'a failure elsewhere',
    built({ state: 'failed', failure: { message: 'no', theorem: 'first' } }),
    'unknown',
  ],
  ['a theory that was not built', built({ state: 'not-built' }), 'unknown'],
  ['a theory that could not be looked at', built({ unknown: 'HOL died' }), 'unknown'],
  ['no word of the theory', { ...built({}), theories: [] }, 'unknown'],
  ['a build that was stopped', { ...built({}), stopped: 'timeout' }, 'unknown'],
])('%s is no proof', (_name, answer, wanted) => {
  expect(verdict(answer)).toBe(wanted);
});
