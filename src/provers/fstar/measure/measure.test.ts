import { expect, it } from 'vitest';
import { judgeRecord, optionsOf, variations } from './quake.ts';
import { readQueryStatistics } from './query-statistics.ts';

it('reads what F* prints about questions to the solver, old and new', () => {
  const text = [
    '(<input>(4,43-4,88))\tQuery-stats (Demo.l, 1)\tsucceeded in 7041 milliseconds with fuel 2 and ifuel 1 and rlimit 2723280 statistics={num-checks=1 rlimit-count=3066056 time=0.91}',
    '(<input>(5,44-5,46))\tQuery-stats (Demo.l3, 2)\tfailed {reason-unknown=unknown because (incomplete quantifiers)} in 960 milliseconds with fuel 2 and ifuel 1 and rlimit 2723280',
    'something else',
  ].join('\n');
  expect(readQueryStatistics(text)).toEqual([
    {
      name: 'Demo.l',
      index: 1,
      succeeded: true,
      milliseconds: 7041,
      fuel: 2,
      ifuel: 1,
      rlimit: 2723280,
      used: 3066056,
      reason: null,
      start: { line: 4, column: 43 },
    },
    {
      name: 'Demo.l3',
      index: 2,
      succeeded: false,
      milliseconds: 960,
      fuel: 2,
      ifuel: 1,
      rlimit: 2723280,
      used: null,
      reason: 'unknown because (incomplete quantifiers)',
      start: { line: 5, column: 44 },
    },
  ]);
});

it('varies seeds always and fuel when asked, the first run as the file says', () => {
  expect(variations(3, false)).toEqual([1, 2, 3].map((seed) => ({ seed, fuel: null })));
  expect(variations(7, true).map(({ fuel }) => fuel)).toEqual([null, 0, 1, 2, 4, 8, 0]);
  expect(optionsOf({ seed: 3, fuel: 4 })).toEqual([
    '--z3seed',
    '3',
    '--initial_fuel',
    '4',
    '--max_fuel',
    '8',
  ]);
});

it('calls a proof flaky that passes only sometimes', () => {
  const record = (
    ...statuses: readonly ('ok' | 'failed' | 'stopped')[]
  ): Parameters<typeof judgeRecord>[0] => ({
    names: ['f'],
    start: 0,
    runs: statuses.map((status) => ({ status, elapsedMs: 1 })),
  });
  expect(judgeRecord(record('ok', 'ok'))).toBe('stable');
  expect(judgeRecord(record('ok', 'failed'))).toBe('flaky');
  expect(judgeRecord(record('failed', 'stopped'))).toBe('failing');
});
