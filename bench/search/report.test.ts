import { describe, expect, it } from 'vitest';
import { parseAttempts, type Attempt } from './attempt.ts';
import { markdownReport } from './report.ts';
import type { Task, TaskFile } from './task.ts';

function task(library: string, theorem: string, length: number): Task {
  return {
    id: `${library}:${theorem}`,
    set: 'report',
    library,
    source: `user-contrib/${library}/file.v`,
    theorem,
    length,
    stratum: length <= 4 ? '≤ 4' : length <= 8 ? '5–8' : '9–20',
    allowedSources: { own: [], others: [] },
    loaded: [],
    replaySeconds: 1,
  };
}

function attempt(of: Task, outcome: Attempt['outcome'], change: Partial<Attempt> = {}): Attempt {
  return {
    task: of.id,
    method: 'quod',
    without: [],
    budgetSeconds: 60,
    outcome,
    seconds: 2,
    revision: 'abc',
    at: '2026-01-01T00:00:00Z',
    ...change,
  };
}

const [a, b, c] = [task('one', 'a', 2), task('one', 'b', 6), task('two', 'c', 3)];
const FILE: TaskFile = {
  seed: 's',
  tasks: [a, b, c],
  populations: [
    { library: 'one', lengths: { '2': 90, '6': 10, '40': 1000 } },
    { library: 'two', lengths: { '3': 5 } },
  ],
};

describe('the report', () => {
  it('counts by length and weighs by the real lengths, each library the same', () => {
    const report = markdownReport(FILE, [
      attempt(a, 'proved'),
      attempt(b, 'not-proved'),
      attempt(c, 'refused'),
    ]);
    expect(report).toContain('| quod | 1/2 50 % (9–91) | 0/1 0 % (0–79) | – | 1/3 33 % (6–79) | 2.0 |');
    const weighted = report.split('\n').find((line) => line.startsWith('| quod | 90 %'));
    expect(weighted).toMatch(/^\| quod \| 90 % \(.*\) \| 0 % \(.*\) \| 45 % \(.*\) \|$/);
  });

  it('lists what was solved and what was claimed in vain', () => {
    const report = markdownReport(FILE, [attempt(a, 'proved'), attempt(c, 'refused')]);
    expect(report).toContain('- user-contrib/one/file.v `a` (2), 2.0 s');
    expect(report).toContain('| quod | 1 | 0 |');
  });

  it('compares a configuration with the whole on the tasks of both', () => {
    const leftOut = [
      attempt(a, 'proved', { searchSeconds: 3 }),
      attempt(b, 'proved', { searchSeconds: 4 }),
      attempt(a, 'not-proved', { without: ['reuse'], searchSeconds: 20 }),
    ];
    const report = markdownReport(FILE, [attempt(a, 'not-proved')], leftOut);
    expect(report).toContain('60 s each, commit abc.');
    expect(report).toContain('| quod without reuse | 1 | 1 | 0 | −1 +0 | 1.000 | 3 / 20 |');
    expect(report).toContain('| quod | 0/1 0 %');
  });

  it('puts methods that ran on a part side by side on the tasks of all', () => {
    const both = [attempt(a, 'proved'), attempt(b, 'proved'), attempt(a, 'not-proved', { method: 'hammer' })];
    const report = markdownReport(FILE, both);
    expect(report).toContain('## On the tasks that all methods ran on (1)');
    expect(report).toContain('| hammer | 0/1 0 % (0–79) | – | – | 0/1 0 % (0–79) |');
    expect(markdownReport(FILE, [attempt(a, 'proved')])).not.toContain('that all methods ran on');
  });

  it('says which single tactic of a baseline proves how much', () => {
    const report = markdownReport(FILE, [
      attempt(a, 'proved', { method: 'oneshot', winners: ['auto', 'lia'] }),
      attempt(b, 'proved', { method: 'oneshot', winners: ['lia'] }),
    ]);
    expect(report).toMatch(/`lia` \| .* \| 2\/2 100 % \|\n\| `auto` \| .* \| 1\/2 50 % \|/);
  });
});

describe('records of attempts', () => {
  it('survive a run that was killed while it wrote, and the latest counts', () => {
    const [first, second] = [attempt(a, 'trouble'), attempt(a, 'proved')].map((one) => JSON.stringify(one));
    const half = JSON.stringify(attempt(b, 'proved')).slice(0, 50);
    expect(parseAttempts(`\n${first ?? ''}\n${half}\n${second ?? ''}`)).toEqual([attempt(a, 'proved')]);
  });
});
