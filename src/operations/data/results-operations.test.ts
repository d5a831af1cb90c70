/** Results and data sets as the workbench reads them: found in the workspace, figures from the cells alone. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { operationNamed } from '../catalogue.ts';
import { openCaller, type Caller } from '../testing/caller.ts';

let caller: Caller;
const cell = (
  method: string,
  task: string,
  { outcome, seconds, group = '1–5' }: { outcome: string; seconds: number; group?: string },
) =>
  JSON.stringify({
    method,
    task,
    repeat: 0,
    group,
    outcome,
    seconds,
    cost: 0.5,
    modelCalls: 2,
    toolCalls: 3,
  });

beforeAll(async () => {
  caller = await openCaller();
  await mkdir(join(caller.folder, 'bench', 'one'), { recursive: true });
  const cells = [
    ...[
      cell('a', 't1', { outcome: 'proved', seconds: 3 }),
      cell('a', 't2', { outcome: 'proved', seconds: 1 }),
      cell('a', 't3', { outcome: 'failed', seconds: 9, group: '11–20' }),
    ],
    ...[
      cell('b', 't1', { outcome: 'proved', seconds: 2 }),
      cell('b', 't2', { outcome: 'not-proved', seconds: 8 }),
      cell('b', 't3', { outcome: 'not-proved', seconds: 1, group: '11–20' }),
    ],
  ];
  await writeFile(join(caller.folder, 'bench', 'one', 'cells.jsonl'), `${cells.join('\n')}\n`);
  await caller.write(
    'a.v',
    'Lemma one : True /\\ True.\nProof. split. exact I. exact I. Qed.\nLemma two : 1 = 1.\nProof. reflexivity. Qed.\n',
  );
});
afterAll(() => caller.close());

it('finds results and answers shares with their intervals, comparisons and what each proved', async () => {
  expect(await caller.call('data_found')).toMatchObject({
    results: [{ folder: 'bench/one', cells: 6 }],
    datasets: [],
  });
  const results = await caller.call('data_results', { folder: 'bench/one' });
  expect(results).toMatchObject({
    groups: ['1–5', '11–20'],
    methods: [
      { method: 'a', proved: 2, total: 2, median_seconds: 2, proved_seconds: [1, 3], failed: 1, cost: 1.5 },
      {
        method: 'b',
        proved: 1,
        total: 3,
        by_group: [
          { proved: 1, total: 2 },
          { proved: 0, total: 1 },
        ],
      },
    ],
    compared: [{ one: 'a', other: 'b', only_one: 1, only_other: 0, p: 1 }],
    tasks: [
      { task: 't1', proved_by: ['a', 'b'] },
      { task: 't2', proved_by: ['a'] },
      { task: 't3', proved_by: [] },
    ],
  });
  const [first] = results['methods'] as { low: number; share: number; high: number }[];
  // What could not be run is in no share: two of two.
  expect(first?.low).toBeCloseTo(0.3424, 3);
  expect(first?.high).toBeCloseTo(1, 3);
  expect(operationNamed('data_results')?.readAnswer(results).body()).toBe(
    [
      'a: 2/2, 100 % (34–100), median 2.00 s',
      '  1–5: 2/2, 100 % (34–100)',
      '  11–20: none could be run',
      '  13.0 s, 6 calls of models, 9 tool calls, $1.5000; 1 could not be run',
      'b: 1/3, 33 % (6–79), median 2.00 s',
      '  1–5: 1/2, 50 % (9–91)',
      '  11–20: 0/1, 0 % (0–79)',
      '  11.0 s, 6 calls of models, 9 tool calls, $1.5000',
      'only a proved 1, only b 0: p = 1.000',
      't1: proved by a, b',
      't2: proved by a',
      't3: proved by none',
    ].join('\n'),
  );
  expect(await caller.failure('data_results', { folder: '.' })).toMatchObject({ reason: 'not-found' });
});

it('pages through the items of a data set', async () => {
  await caller.call('data_mine', { paths: ['a.v'], output: 'set', jobs: 1 });
  const { datasets } = await caller.call('data_found');
  expect(datasets).toEqual([{ folder: 'set', sources: 1 }]);
  const all = await caller.call('data_items', { folder: 'set' });
  const total = Number(all['total']);
  expect(total).toBeGreaterThan(1);
  const second = await caller.call('data_items', { folder: 'set', offset: 1, limit: 1 });
  expect(second).toMatchObject({ total, items: [(all['items'] as unknown[])[1]] });
  expect(await caller.call('data_items', { folder: 'set', text: 'reflexivity' })).toMatchObject({
    items: [{ proof: expect.stringContaining('reflexivity') as unknown }],
  });
});
