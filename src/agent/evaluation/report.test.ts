import { expect, test } from 'vitest';
import { benchReport } from './report.ts';
import type { Cell } from './report.ts';
import { groupOf, listedTheorems, parseSpec } from './spec.ts';

const spec = parseSpec(
  { name: 'A & B', theorems: { 'a.v': ['one', 'two'] }, methods: [{ name: 'search' }, { name: 'few-shot' }] },
  'spec.json',
);
const cell = (method: string, task: string, outcome: Cell['outcome']): Cell => ({
  ...{ method, task, outcome, repeat: 0, group: task === 'one' ? '≤ 4' : '5–8' },
  ...{ seconds: 2, cost: 0.25, modelCalls: 3, toolCalls: 4 },
});

test('tables with intervals, costs, comparisons, what was left out, and plots', () => {
  const { markdown, plots } = benchReport(
    spec,
    [
      cell('search', 'one', 'proved'),
      cell('search', 'two', 'not-proved'),
      cell('few-shot', 'one', 'not-proved'),
      cell('few-shot', 'two', 'failed'),
    ],
    [{ task: 'a.v#three', why: 'It has no finished proof.' }],
  );
  expect(markdown).toContain(
    '| search | 100 % [21 %–100 %] (1/1) | 0 % [0 %–79 %] (0/1) | – | 50 % [9 %–91 %] (1/2) |',
  );
  expect(markdown).toContain('| search | 2.0 | 4 | 6 | 8 | $0.5000 | 0 |');
  expect(markdown).toContain('| few-shot | – | 4 | 6 | 8 | $0.5000 | 1 |');
  expect(markdown).toContain('| search | few-shot | 1 | 0 | 1.000 |');
  expect(markdown).toContain('- a.v#three: It has no finished proof.');
  for (const svg of Object.values(plots)) expect(svg).toMatch(/^<svg [^]*few-shot[^]*<\/svg>\n$/u);
});

test('no comparison is said to have a chance of nothing', () => {
  const tasks = Array.from({ length: 12 }, (_, index) => `theorem-${index}`);
  const cells = tasks.flatMap((task) => [
    cell('search', task, 'proved'),
    cell('few-shot', task, 'not-proved'),
  ]);
  expect(benchReport(spec, cells, []).markdown).toContain('| search | few-shot | 12 | 0 | < 0.001 |');
});

test('a specification lists theorems one by one or by file, and says what is wrong with it', () => {
  expect(listedTheorems(spec)).toEqual([
    { file: 'a.v', theorem: 'one' },
    { file: 'a.v', theorem: 'two' },
  ]);
  expect([1, 4, 5, 20, 21].map((length) => groupOf(length, spec))).toEqual([
    '≤ 4',
    '≤ 4',
    '5–8',
    '9–20',
    undefined,
  ]);
  const wrong = (change: object) => () =>
    parseSpec({ name: 'x', theorems: { 'a.v': ['one'] }, methods: [{ name: 'm' }], ...change }, 'spec.json');
  expect(wrong({ methods: [{ name: 'm' }, { name: 'm' }] })).toThrow(/called m/u);
  expect(wrong({ methods: [{ name: 'm', settings: { plans: 0 } }] })).toThrow(/methods\.0\.settings\.plans/u);
  expect(wrong({ theorem: [] })).toThrow(/Unrecognized key/u);
});
