import { expect, test } from 'vitest';
import { fstarAudit } from './audit-operation.ts';
import { auditedRuns } from './audited-runs.ts';

type Run = Parameters<typeof auditedRuns>[0][number];

const run = (name: string, status: Run['status']): Run => ({
  declaration: { names: [name], kind: 'let' },
  status,
});

test('what takes too long is cut off, and what has an error fails', () => {
  const stands = [run('a', 'ok'), run('b', 'stopped'), run('c', 'failed'), run('d', 'skipped')];
  expect(auditedRuns(stands, [])).toEqual({ failing: ['c', 'd'], hidden: [], cutOff: ['b'] });
});

test('unsafe options hide what fails without them, and not what takes too long', () => {
  const stands = [run('a', 'ok'), run('b', 'ok'), run('c', 'stopped'), run('d', 'failed')];
  const without = [run('a', 'failed'), run('b', 'stopped'), run('c', 'failed'), run('d', 'failed')];
  expect(auditedRuns(stands, without)).toEqual({ failing: ['d'], hidden: ['a'], cutOff: ['c', 'b'] });
});

const JUDGED = { verdict: 'clean', failing: [], cut_off: [], judged: true };
/** What is said for people decides nothing. */
const unjudged = (why: string) => ({ judged: false, not_judged: why, not_judged_because: 'Said otherwise.' });

test.each([
  ['clean and judged', {}, true],
  ['cut off', { cut_off: ['a'] }, undefined],
  ['failing, and cut off', { failing: ['b'], cut_off: ['a'] }, false],
  ['unsound, and cut off', { verdict: 'unsound', cut_off: ['a'] }, false],
  ['read only, as was asked', unjudged('not-asked'), true],
  ['not judged for want of F*', unjudged('no-fstar'), undefined],
  ['unsound without F*', { verdict: 'unsound', ...unjudged('no-fstar') }, false],
])('whether an audit holds: %s', (_, change, holds) => {
  const rest = {
    not_judged: null,
    not_judged_because: null,
    findings: [],
    hidden_failures: [],
    files: [],
    dependencies: [],
  };
  expect(fstarAudit.readAnswer({ ...JUDGED, ...rest, ...change }).holds()).toBe(holds);
});
