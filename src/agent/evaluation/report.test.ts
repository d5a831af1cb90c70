import { expect, test } from 'vitest';
import { benchReport } from './report.ts';
import type { Cell } from './cell.ts';
import { comparisonReport } from './comparison.ts';
import { groupOf, listedTheorems, methodsOf, parseSpec } from './spec.ts';

const spec = parseSpec(
  { name: 'A & B', theorems: { 'a.v': ['one', 'two'] }, methods: [{ name: 'search' }, { name: 'few-shot' }] },
  'spec.json',
);
const cell = (method: string, task: string, outcome: Cell['outcome']): Cell => ({
  ...{ method, task, outcome, repeat: 0, group: task === 'one' ? '≤ 4' : '5–8' },
  ...{ seconds: 2, cost: 0.25, uncosted: 0, modelCalls: 3, toolCalls: 4 },
  ...{ inputTokens: 900, cachedTokens: 400, outputTokens: 100 },
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
  expect(markdown).toContain('| search | 2.0 | 4 | 6 | 8 | 1800 | 800 | 200 | $0.5000 | 0 |');
  expect(markdown).toContain('| few-shot | – | 4 | 6 | 8 | 1800 | 800 | 200 | $0.5000 | 1 |');
  expect(markdown).toContain('| search | few-shot | 1 | 0 | 1.000 |');
  // What could not be run is in no share, and a proof costs what everything cost.
  expect(markdown).toMatch(/\| few-shot \| 0 % \[0 %–79 %\] \(0\/1\) \| – \|/u);
  expect(markdown).toContain('| search | 1 | 1000 | 2000 | $0.5000 | 4.0 |');
  expect(markdown).toContain('- few-shot: two, repeat 0: the run failed');
  expect(markdown).not.toContain('pass@');
  expect(markdown).toContain('- `a.v#three`: It has no finished proof.');
  for (const svg of Object.values(plots)) expect(svg).toMatch(/^<svg [^]*few-shot[^]*<\/svg>\n$/u);
});

test('what may be a value is told apart, where one was found', () => {
  const value = { ...cell('search', 'a.v#f', 'proved'), isValue: true };
  const other = { ...cell('search', 'a.v#g', 'not-proved'), isValue: true };
  const { markdown } = benchReport(spec, [value, value, other, cell('search', 'a.v#t', 'proved')], []);
  expect(markdown).toMatch(/## May be values\n\n.*any value of its type.*\n\n- `a\.v#f`\n/u);
  expect(markdown).not.toMatch(/^- `a\.v#[gt]`/mu);
  expect(benchReport(spec, [other], []).markdown).not.toContain('May be values');
});

test('what is read from logs is not told as the word of the gate', () => {
  const cells = [cell('search', 'one', 'proved')];
  const gateWord = 'theorems that the gate accepted a proof of';
  expect(benchReport(spec, cells, []).markdown).toContain(gateWord);
  const { markdown } = benchReport(spec, cells, [], true);
  expect(markdown).not.toContain(gateWord);
  expect(markdown).toContain('what the logs of the runs say (the gate was not asked again)');
});

test('a name is text, in one line and one cell, whatever it contains', () => {
  const name = 'a\u001b[2J\n| forged | row |\n<script>';
  const hostile = parseSpec(
    { name, theorems: { 'a.v': ['one'] }, methods: [{ name }, { name: 'search' }] },
    'spec.json',
  );
  const cells = [{ ...cell(name, 'one', 'failed'), why: name }];
  const { markdown, plots } = benchReport(hostile, cells, [{ task: name, why: name }]);
  for (const text of [
    ...[markdown, ...Object.values(plots)],
    comparisonReport([name, cells], [name, [cell(name, 'two', 'proved')]]),
  ]) {
    // In code it is no HTML.
    expect(text).not.toMatch(/\u001b|^\| forged|(?<!`[^`\n]*)<script>/mu);
    expect(text).toContain('a\\u{1b}[2J\\u{a}');
  }
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
  expect(wrong({ without: ['debate'] })).toThrow(/The method m has no debate/u);
  expect(wrong({ without: ['debate'], settings: { planning: 'debate' } })).not.toThrow();
});

test('with repeats: pass@k, and intervals and tests that count theorems, not runs', () => {
  const repeated = parseSpec(
    { name: 'R', theorems: { 'a.v': ['one'] }, methods: [{ name: 'm' }], without: ['critic'], repeats: 4 },
    'spec.json',
  );
  const cells = ['one', 'two', 'three', 'four'].flatMap((task) =>
    [0, 1, 2, 3].flatMap((repeat) => [
      { ...cell('m', task, 'proved'), repeat },
      { ...cell('m without critic', task, repeat === 0 ? 'proved' : 'not-proved'), repeat },
    ]),
  );
  const { markdown } = benchReport(repeated, cells, []);
  expect(markdown).toContain('| method | pass@1 | pass@2 | pass@4 |');
  expect(markdown).toMatch(/\| m without critic \| 25 % \[.*?\] \(4\/16\) \| 50 % \[.*?\] \| 100 % \[/u);
  // Twelve runs of four theorems: two to the power of minus three, not of minus eleven.
  expect(markdown).toContain('| m | m without critic | 12 | 0 | 0.125 |');
});

test('a method has the settings that were written, and no defaults in the place of others', () => {
  const { methods, ...rest } = spec;
  const own = parseSpec(
    {
      ...{ name: rest.name, theorems: rest.theorems, settings: { plans: 3, jobs: 2 } },
      methods: [...methods.map(({ name }) => ({ name })), { name: 'own', settings: { jobs: 4 } }],
      without: ['search', 'lemmas', 'refutation'],
    },
    'spec.json',
  );
  expect(methodsOf(own).slice(-4)).toEqual([
    { name: 'own', settings: { plans: 3, jobs: 4 } },
    { name: 'own without search', settings: { plans: 3, jobs: 4, searchFirst: false } },
    { name: 'own without lemmas', settings: { plans: 3, jobs: 4, lemmas: 0 } },
    { name: 'own without refutation', settings: { plans: 3, jobs: 4, refuteSeconds: 0 } },
  ]);
});

test('two benchmarks side by side, pairs alone', () => {
  const report = comparisonReport(
    ['before', [cell('m', 'one', 'not-proved'), cell('m', 'two', 'failed'), cell('gone', 'one', 'proved')]],
    ['after', [cell('m', 'one', 'proved'), cell('m', 'two', 'proved')]],
  );
  expect(report).toContain('| m | 0 % [0 %–79 %] (0/1) | 100 % [34 %–100 %] (2/2) | 1 | 0 | 1 | 1.000 |');
  expect(report).toContain('Only in one of them: gone.');
});

test('of two benchmarks with no theorem in common no probability is told, but that there is nothing to compare', () => {
  const report = comparisonReport(
    ['before', [cell('m', 'one', 'proved'), cell('m', 'two', 'failed')]],
    ['after', [cell('m', 'two', 'proved')]],
  );
  expect(report).toMatch(/\| 0 \| 0 \| 0 \| – \|$/mu);
  expect(report).toContain(
    'No theorem was run in both (with the same repeat): m. There is nothing to compare.',
  );
});
