/**
 * Version 3 of the protocol. The conversations are written after F*'s sources, which say what is sent and in which
 * order; no F* that speaks it was at hand.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { CheckReport } from '../../provers/fstar/session/report.ts';
import { FstarSession } from './fstar-session.ts';

const FEATURES = [
  'push',
  'pop',
  'segment',
  'vfs-add',
  'lookup',
  'full-buffer',
  'format',
  'restart-solver',
  'cancel',
];

let folder = '';
const open: FstarSession[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quod-fstar-v3-'));
});
afterEach(async () => {
  for (const session of open.splice(0)) await session.close();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

type Range = readonly [startLine: number, startColumn: number, endLine: number, endColumn: number];

/** What F* says on the way, in the form of the program below. */
const started = (...range: Range): string =>
  `progress('full-buffer-fragment-started', ${JSON.stringify(range)});`;
const ok = (...range: Range): string => `progress('full-buffer-fragment-ok', ${JSON.stringify(range)});`;
const failed = (...range: Range): string =>
  `progress('full-buffer-fragment-failed', ${JSON.stringify(range)});`;
const part = (n: number, status: string, issues: readonly unknown[]): string =>
  `say({ kind: 'response', 'query-id': id + '.${n}', status: '${status}', response: ${JSON.stringify(issues)} });`;
const whole = (status: string, issues: readonly unknown[]): string =>
  `say({ kind: 'response', 'query-id': id, status: '${status}', response: ${JSON.stringify(issues)} });`;
const issue = (level: string, line: number, message: string): unknown => ({
  level,
  number: 19,
  message,
  ranges: [{ fname: 'A.fst', beg: [line, 0], end: [line, 3] }],
});

/** A session with a program that plays one text for each full-buffer query, and other answers as F* gives them. */
async function session(...plays: readonly string[]): Promise<FstarSession> {
  const path = join(folder, `${open.length}-${Math.random().toString(36).slice(2)}.mjs`);
  await writeFile(
    path,
    `import { createInterface } from 'node:readline';
const say = (message) => process.stdout.write(JSON.stringify(message) + '\\n');
let id = '';
const progress = (stage, range) => say({ kind: 'message', 'query-id': id, level: 'progress', contents: { stage,
  ...(range && { ranges: { fname: 'A.fst', beg: [range[0], range[1]], end: [range[2], range[3]] } }) } });
const plays = [${plays.map((play) => `() => { ${play} }`).join(',\n')}];
process.on('SIGINT', () => {
  say({ kind: 'message', 'query-id': id + '.2', level: 'info', contents: 'Interrupted' });
  progress('full-buffer-fragment-ok', [2, 0, 2, 9]);
  say({ kind: 'response', 'query-id': id + '.2', status: 'failure', response: [] });
  progress('full-buffer-finished');
});
say({ kind: 'protocol-info', version: 3, features: ${JSON.stringify(FEATURES)} });
createInterface({ input: process.stdin }).on('line', (line) => {
  const query = JSON.parse(line);
  if (query.query === 'cancel' || query.query === 'restart-solver') return;
  id = query['query-id'];
  if (query.query !== 'full-buffer') {
    const syntax = { level: 'error', number: 168, message: 'Syntax error', ranges: [] };
    if (query.query === 'segment') return say({ kind: 'response', 'query-id': id, status: 'failure', response: [syntax] });
    if (query.query === 'format')
      return say({ kind: 'response', 'query-id': id, status: 'success', response: { 'formatted-code': query.args.code.trim() } });
    return say({ kind: 'response', 'query-id': id, status: 'success', response: null });
  }
  progress('full-buffer-started');
  const play = plays.shift();
  if (play === undefined) return say({ kind: 'response', 'query-id': id, status: 'protocol-violation', response: 'no more' });
  play();
  if (!play.toString().includes('waits for a signal')) progress('full-buffer-finished');
});
`,
  );
  const opened = await FstarSession.open(join(folder, 'A.fst'), {
    executable: process.execPath,
    arguments: [path],
    folder,
  });
  open.push(opened);
  return opened;
}

const TEXT = 'module A\nlet x = 1\nlet y = 2\n';
const MODULE: Range = [1, 0, 1, 8];
const X: Range = [2, 0, 2, 9];
const Y: Range = [3, 0, 3, 9];

function shape({ fragments }: CheckReport): readonly string[] {
  return fragments.map(({ names, status, cached }) => `${names.join()}:${status}${cached ? ' kept' : ''}`);
}

describe('full-buffer', () => {
  it('reports each fragment, and its failure as an error', async () => {
    const play = [
      started(...MODULE),
      ok(...MODULE),
      part(2, 'success', []),
      started(...X),
      ok(...X),
      part(4, 'success', [issue('warning', 2, 'careful')]),
      started(...Y),
      failed(...Y),
      part(6, 'failure', [issue('error', 3, 'could not prove')]),
    ].join('\n');
    const report = await (await session(play)).check(TEXT, { kind: 'full' });
    expect(report.status).toBe('error');
    expect(shape(report)).toEqual(['A:ok', 'x:ok', 'y:failed']);
    expect(report.issues.map(({ level, number }) => [level, number])).toEqual([
      ['warning', 19],
      ['error', 19],
    ]);
  });

  it('tells again what was found for fragments that F* kept, where they stand now', async () => {
    const first = [
      started(...MODULE),
      ok(...MODULE),
      part(2, 'success', []),
      started(...X),
      ok(...X),
      part(4, 'success', [issue('warning', 2, 'careful')]),
    ].join('\n');
    const second = [
      ok(...MODULE),
      ok(3, 0, 3, 9),
      whole('success', [issue('warning', 2, 'careful')]),
      started(4, 0, 4, 9),
      ok(4, 0, 4, 9),
      part(2, 'success', []),
    ].join('\n');
    const kept = await session(first, second);
    await kept.check('module A\nlet x = 1\n', { kind: 'full' });
    const report = await kept.check('module A\n(* new *)\nlet x = 1\nlet y = 2\n', { kind: 'full' });
    expect(report.status).toBe('ok');
    expect(shape(report)).toEqual(['A:ok kept', 'x:ok kept', 'y:ok']);
    expect(report.issues.map(({ message, ranges: [range] }) => [message, range?.start.line])).toEqual([
      ['careful', 3],
    ]);
  });

  it('does not believe an `ok` that its response takes back', async () => {
    const play = [
      started(...MODULE),
      ok(...MODULE),
      part(2, 'success', []),
      started(...X),
      ok(...X),
      part(4, 'failure', [issue('error', 2, 'Error while loading dependencies')]),
    ].join('\n');
    const report = await (await session(play)).check(TEXT, { kind: 'full' });
    expect(report.status).toBe('error');
    expect(shape(report)).toEqual(['A:ok', 'x:failed', 'y:not-checked']);
  });

  it('asks for the syntax error that most kinds pass over in silence', async () => {
    const report = await (await session('')).check(TEXT, { kind: 'lax' });
    expect(report.status).toBe('error');
    expect(report.issues.map(({ message }) => message)).toEqual(['Syntax error']);
    expect(shape(report)).toEqual(['A:not-checked', 'x:not-checked', 'y:not-checked']);
  });

  it('reports a syntax error behind what it checked', async () => {
    const play = [
      whole('failure', [issue('error', 3, 'Syntax error')]),
      started(...MODULE),
      ok(...MODULE),
      part(2, 'success', []),
    ];
    const report = await (await session(play.join('\n'))).check(TEXT, { kind: 'full' });
    expect(report.status).toBe('error');
    expect(shape(report)).toEqual(['A:ok', 'x:not-checked', 'y:not-checked']);
  });

  it('that is interrupted keeps what was checked and says which fragment was not', async () => {
    const play = [
      started(...MODULE),
      ok(...MODULE),
      part(1, 'success', []),
      started(...X),
      '/* waits for a signal */',
    ].join('\n');
    const slow = await session(play);
    const report = await slow.check(TEXT, { kind: 'full' }, { timeoutMs: 200 });
    expect(report).toMatchObject({ status: 'stopped', reason: 'timeout' });
    expect(shape(report)).toEqual(['A:ok', 'x:interrupted', 'y:not-checked']);
    expect(slow.generation).toBe(0);
  });

  it('that F* does not understand is an error, not an empty success', async () => {
    const report = await (await session()).check(TEXT, { kind: 'full' });
    expect(report.status).toBe('error');
    expect(report.issues[0]?.message).toBe('no more');
  });

  it('reloads dependencies before a text that names new ones', async () => {
    const first = [started(...MODULE), ok(...MODULE), part(2, 'success', [])].join('\n');
    const all = [first, started(2, 0, 2, 6), ok(2, 0, 2, 6), part(4, 'success', [])].join('\n');
    const grown = await session(first, first, all);
    await grown.check('module A\n', { kind: 'full' });
    const report = await grown.check('module A\nopen B\n', { kind: 'full' });
    expect(report.status).toBe('ok');
  });
});

it('formats code and restarts the solver alone', async () => {
  const modern = await session();
  expect(await modern.format(' module A ')).toEqual({ code: 'module A' });
  expect(await modern.restartSolver()).toBe('solver');
  expect(modern.generation).toBe(0);
});
