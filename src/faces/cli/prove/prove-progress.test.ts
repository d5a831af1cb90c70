/** What people see while `quod prove` works: which of its parts is at work, and for how long. */
import { setTimeout as delay } from 'node:timers/promises';
import { Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import type { ProveEvent, TheoremResult } from '../../../search/prove-file.ts';
import { summaryText } from './prove-output.ts';
import { openProgress } from './prove-progress.ts';
import { TheoremsInWork } from './theorems-in-work.ts';

const QUIET = 1000;

async function shown(events: readonly ProveEvent[], which = /…/u): Promise<string[]> {
  let written = '';
  const stream = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      written += chunk.toString();
      done();
    },
  });
  const terminal = Object.assign(stream, {
    isTTY: true,
    columns: 200,
    rows: 50,
  }) as unknown as NodeJS.WriteStream;
  const progress = await openProgress(terminal, 'file.v', true);
  for (const event of events) {
    written = '';
    progress.onEvent(event);
  }
  await delay(QUIET);
  progress.stop();
  return stripVTControlCharacters(written)
    .split('\n')
    .filter((line) => which.test(line));
}

const STARTED: readonly ProveEvent[] = [
  { kind: 'file-loaded', elapsedMs: 1, sentences: 1 },
  { kind: 'theorem-started', theorem: 'a', index: 0, total: 2, openAbove: [] },
  { kind: 'phase', theorem: 'a', phase: 'search' },
  { kind: 'progress', theorem: 'a', elapsedMs: 1, nodes: 5, bestGoalCount: 1 },
];

it('counts the search while it goes on', async () => {
  const lines = await shown(STARTED);
  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines)
    expect(line).toMatch(/… a \(1\/2\) {2}searching, .* 5 nodes, best state has 1 goal/);
});

it('names the tactic that a search waits for, and since when', async () => {
  const running = { text: 'intuition\n  eauto.', elapsedMs: 12_000 };
  const lines = await shown([
    ...STARTED,
    { kind: 'progress', theorem: 'a', elapsedMs: 1, nodes: 5, bestGoalCount: 1, running },
  ]);
  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines) expect(line).toMatch(/1 goal; intuition eauto\. has been running for 12\.0 s$/);
});

it('says what a proof waits for', async () => {
  const lines = await shown([
    ...STARTED,
    { kind: 'phase', theorem: 'a', phase: 'judge' },
    { kind: 'theorem-waits', theorem: 'a', restsOnOpen: ['b', 'c'] },
  ]);
  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines) expect(line).toMatch(/… a \(1\/2\) {2}proved, if these are: b, c$/);
});

it('says that a proof is looked for again', async () => {
  const lines = await shown([
    ...STARTED,
    { kind: 'theorem-waits', theorem: 'a', restsOnOpen: ['b'] },
    { kind: 'searched-again', theorem: 'a', without: ['b'] },
  ]);
  expect(lines.at(-1)).toMatch(/… a \(1\/2\) {2}searching, /);
});

it('says what is done about a proof that the search has', async () => {
  const lines = await shown([
    ...STARTED,
    { kind: 'progress', theorem: 'a', elapsedMs: 1, nodes: 18, bestGoalCount: 0 },
  ]);
  expect(lines.at(-1)).toMatch(/… a \(1\/2\) {2}found after 18 nodes, making the proof shorter, /);
});

it('says that a proof waits for the judge, and what that is at', () => {
  const inWork = new TheoremsInWork();
  for (const [index, theorem] of ['M.same', 'N.same'].entries()) {
    inWork.note({ kind: 'theorem-started', theorem, index, total: 2, openAbove: [] });
    inWork.note({ kind: 'phase', theorem, phase: 'judge' });
  }
  inWork.note({ kind: 'judging', theorems: ['M.same'] });
  expect(inWork.lines()).toEqual([
    expect.stringMatching(/M\.same \(1\/2\) {2}found after 0 nodes, judging, /u),
    expect.stringMatching(/N\.same .*, waiting for the judge, which is at M\.same, /u),
  ]);
  inWork.note({ kind: 'judging', theorems: [] });
  expect(inWork.lines()[1]).toMatch(/N\.same .*, waiting for the judge, (?!which)/u);
});

it('does not count the search on once a proof was found', async () => {
  const lines = await shown([...STARTED, { kind: 'phase', theorem: 'a', phase: 'judge' }]);
  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines) expect(line).toMatch(/… a \(1\/2\) {2}found after 5 nodes, judging, /);
});

it.each(['\n', '\r\n'])('shows the proof while it is judged, whose lines end in %j', async (end) => {
  const steps = Array.from({ length: 9 }, (_, index) => `  step ${index}.`);
  const script = ['Proof.', ...steps, 'Qed.'].join(end);
  const judged: readonly ProveEvent[] = [
    ...STARTED,
    { kind: 'found', theorem: 'a', script },
    { kind: 'phase', theorem: 'a', phase: 'judge' },
  ];
  const lines = await shown(judged, /^ {6}/u);
  const once = lines.slice(0, 6).map((line) => line.trim());
  expect(once).toEqual(['Proof.', 'step 0.', 'step 1.', 'step 2.', 'step 3.', '…']);
  const waiting = await shown(
    [...judged, { kind: 'theorem-waits', theorem: 'a', restsOnOpen: ['b'] }],
    /^ {6}/u,
  );
  expect(waiting).toEqual([]);
});

it.each([
  [{ long: 9, next: 3, short: 0 }, 'long Proof. long. long. long. long. … next short'],
  [{ one: 1, other: 1, third: 0 }, 'one Proof. one. Qed. other Proof. other. Qed. third'],
  [{ two: 2, long: 9, short: 0 }, 'two Proof. two. two. Qed. long short Proof. Qed.'],
])('shows of the proofs that are judged at once those that fit: %o', async (steps, drawn) => {
  const judged = Object.entries(steps).flatMap(([theorem, count], index): ProveEvent[] => [
    { kind: 'theorem-started', theorem, index, total: 3, openAbove: [] },
    {
      ...{ kind: 'found', theorem },
      script: ['Proof.', ...Array.from({ length: count }, () => `  ${theorem}.`), 'Qed.'].join('\n'),
    },
    { kind: 'phase', theorem, phase: 'judge' },
  ]);
  const lines = await shown(judged, /^ {2}/u);
  const words = lines.map((line) => line.trim().replace(/^… (\w+).*/u, '$1'));
  expect(words.join(' ')).toContain(` ${drawn} `);
});

it('says in a log every half minute of a search how far it is', async () => {
  let log = '';
  const stream = { write: (text: string) => (log += text) } as unknown as NodeJS.WriteStream;
  const progress = await openProgress(stream, 'file.v', false);
  for (const elapsedMs of [1_000, 29_000, 31_000, 45_000, 62_000])
    progress.onEvent({
      kind: 'progress',
      theorem: 'a',
      elapsedMs,
      nodes: elapsedMs / 1000,
      bestGoalCount: 2,
    });
  progress.stop();
  expect(log.match(/\d+ nodes/gu)).toEqual(['31 nodes', '62 nodes']);
  expect(log).toMatch(/^ {2}… a {2}searching, .*, 31 nodes, best state has 2 goals$/mu);
});

it('counts what was never begun when a run is interrupted', () => {
  expect(summaryText([], 1000, { interrupted: true, holes: 8 })).toMatch(/^0 of 8 proved, 8 not begun in /u);
  const notBegun = ['a', 'all of B.v'];
  expect(summaryText([], 1000, { interrupted: true, holes: 8, notBegun })).toMatch(
    /^0 of 8 proved, 8 not begun \(a, all of B\.v\) in /u,
  );
});

it('the time of a theorem is the sum of what it is said to consist of', async () => {
  const result: TheoremResult = {
    ...{ theorem: 'a', line: 1, statement: 'Lemma a : True.', nodes: 3, elapsedMs: 3000 },
    times: { file: 1000, lemmas: 1000, search: 2000, judge: 4000 },
    outcome: { kind: 'not-proved', reason: 'budget-exhausted', message: 'No proof was found.' },
  };
  const lines = await shown([...STARTED, { kind: 'theorem-finished', result }], /✗/u);
  expect(lines[0]).toContain('8.00 s, 3 nodes (file 1.00 s, lemmas 1.00 s, search 2.00 s, judge 4.00 s)');
});

it('says of steps that were a proof already that they were, and not that another run found them', async () => {
  const span = { start: 0, end: 0 };
  const outcome = {
    script: 'Proof. exact I. Qed.',
    replacement: { span, text: '' },
    axioms: [],
    warnings: [],
  };
  const result: TheoremResult = {
    ...{ theorem: 'a', line: 1, statement: 'Lemma a : True.', nodes: 0, elapsedMs: 0, times: {} },
    outcome: { kind: 'proved', ...outcome, isOwn: true },
  };
  const [line] = await shown([...STARTED, { kind: 'theorem-finished', result }], /✓/u);
  expect(line).toMatch(/, your own steps leave no goal, and only their end was missing$/u);
});

it('shows under a theorem that is not proved the goals at which the search stood, and what to do about them', async () => {
  const hypotheses = ['a', 'b', 'c', 'd', 'e', 'n'].map((name) => ({ name, type: 'nat' }));
  const result: TheoremResult = {
    ...{ theorem: 'a', line: 1, statement: 'Lemma a : False.', nodes: 3, elapsedMs: 0, times: {} },
    outcome: {
      ...{ kind: 'not-proved', reason: 'budget-exhausted', message: 'No proof was found.', bestGoalCount: 1 },
      bestGoals: [{ id: '1', hypotheses, conclusion: 'rev (snoc l n) =\n  cons n l' }],
    },
  };
  let log = '';
  const stream = { write: (text: string) => (log += text) } as unknown as NodeJS.WriteStream;
  const progress = await openProgress(stream, 'file.v', false);
  progress.onEvent({ kind: 'theorem-finished', result });
  progress.stop();
  const [line, ...below] = log.trimEnd().split('\n');
  expect(line).toMatch(/, best state has 1 goal: No proof was found\. \[budget-exhausted\]$/u);
  expect(below.map((one) => one.slice(6))).toEqual([
    '… 1 more hypothesis',
    ...['b', 'c', 'd', 'e', 'n'].map((name) => `${name} : nat`),
    '⊢ rev (snoc l n) =',
    '  cons n l',
    'State this, or what it rests on, as a lemma of its own before the theorem, or give more time.',
  ]);
});

it('says in a log every half minute that a file is run, or a proof judged', () => {
  const inWork = new TheoremsInWork();
  const begun = performance.now();
  inWork.note({ kind: 'theorem-started', theorem: 'a', index: 0, total: 2, openAbove: [] });
  inWork.note({ kind: 'phase', theorem: 'a', phase: 'judge' });
  const later = (seconds: number): string[] => inWork.linesDue(begun + 1000 * seconds);
  expect(later(20)).toEqual([]);
  expect(later(40)).toEqual([expect.stringMatching(/^ {2}… a \(1\/2\) {2}found after 0 nodes, judging, /u)]);
  expect(later(60)).toEqual([]);
  expect(later(75)).toHaveLength(1);
  inWork.note({ kind: 'phase', theorem: 'a', phase: 'search' });
  expect(later(1000)).toEqual([]);
});
