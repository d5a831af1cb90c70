/** The log on a real disk: what a crash leaves, damage, two processes. */
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import fc from 'fast-check';
import { z } from 'zod';
import { present } from '../../core/entry.ts';
import { costSumFields } from '../models/cost-sum.ts';
import { mergeSettings } from '../settings.ts';
import type { RunEvent, RunRecord } from './events.ts';
import { exportRun } from './export.ts';
import { costSoFar, foldRun, lostCalls } from './fold.ts';
import { RunLog, findRun, listRuns, lookAtRun, parseLog, readRun } from './run-log.ts';

const runs = mkdtempSync(join(tmpdir(), 'quod-runs-'));
afterAll(() => rmSync(runs, { recursive: true }));

const started: RunEvent = {
  kind: 'run-started',
  format: 1,
  quod: 'test',
  file: '/a.v',
  fileHash: 'hash',
  theorems: ['a'],
  files: [],
  task: null,
  settings: mergeSettings(),
};
const answered = (key: string, cost: number | null): RunEvent => ({
  kind: 'model-answered',
  key,
  role: 'judge',
  model: 'a/b',
  request: '',
  text: 'Here is it:\n```coq\nQed.\n```',
  calls: [],
  finish: 'stop',
  usage: { inputTokens: 10, cachedTokens: 0, outputTokens: 5 },
  cost,
  ms: 1,
  tries: 1,
});

function newRun(...events: RunEvent[]): string {
  const log = RunLog.create(runs);
  for (const event of events) log.append(event);
  log.close();
  return log.name;
}

test('cut anywhere, a log holds every whole line and nothing else', () => {
  const name = newRun(started, answered('a/1', 1), answered('a/2', null));
  const bytes = readFileSync(join(runs, name, 'events.jsonl'));
  const ends = [...bytes.entries()].flatMap(([at, byte]) => (byte === 0x0a ? [at + 1] : []));
  fc.assert(
    fc.property(fc.nat(bytes.length), (length) => {
      const whole = ends.filter((end) => end <= length);
      expect(parseLog(bytes.subarray(0, length), name)).toMatchObject({ length: whole.at(-1) ?? 0 });
      expect(parseLog(bytes.subarray(0, length), name).records).toHaveLength(whole.length);
    }),
  );
});

test('a run that never began leaves nothing; one that goes on stays, whatever came of it', () => {
  const name = newRun(started);
  RunLog.reopen(runs, name).close();
  const before = readdirSync(runs);
  const log = RunLog.create(runs);
  expect(readdirSync(runs)).toHaveLength(before.length + 1);
  log.close();
  expect(readdirSync(runs)).toEqual(before);
  expect(findRun(runs, 'last')).toBe(name);
  for (const wanted of ['last', name])
    expect(() => findRun(`${runs}-none`, wanted)).toThrow('There are no runs here.');
  writeFileSync(join(runs, name, 'events.jsonl'), '{"seq":0');
  RunLog.reopen(runs, name).close();
  expect(readdirSync(runs), 'a crash cut its first event').toContain(name);
});

test('a half-written line is cut off when the run goes on', () => {
  const name = newRun(started, answered('a/1', 1));
  appendFileSync(join(runs, name, 'events.jsonl'), '{"seq":2,"at":"20');
  expect(readRun(runs, name)).toHaveLength(2);
  const log = RunLog.reopen(runs, name);
  log.append(answered('a/2', 2));
  log.close();
  expect(readRun(runs, name)).toHaveLength(3);
  expect(foldRun(readRun(runs, name))?.spent).toMatchObject({ calls: 2, cost: 3, inputTokens: 20 });
});

test('counts that nobody can count stay whole numbers, and what was not waited for is counted as it is paid for', () => {
  const usage = { inputTokens: 1e30, cachedTokens: 1e30, outputTokens: 0.4 };
  const wastedUsage = { inputTokens: 100, cachedTokens: 0, outputTokens: 7 };
  const failed: RunEvent = {
    ...{ kind: 'model-failed', key: 'a/9', role: 'judge', model: 'a/b', message: 'no answer', tries: 1 },
    ...{ cost: 0.5, wastedUsage, ms: 1 },
  };
  const answer = answered('a/1', 1);
  if (answer.kind !== 'model-answered') throw new Error('It is an answer.');
  const spentOf = (...events: RunEvent[]) => foldRun(readRun(runs, newRun(started, ...events)))?.spent;
  expect(spentOf({ ...answer, wastedUsage }, failed)).toMatchObject({ inputTokens: 210, outputTokens: 19 });
  const most = Number.MAX_SAFE_INTEGER;
  expect(spentOf({ ...answer, usage }, { ...answer, usage })).toMatchObject({
    ...{ inputTokens: most, cachedTokens: most, outputTokens: 0 },
  });
});

test('damage in the middle is refused, with its line', () => {
  const name = newRun(started, answered('a/1', 1));
  const path = join(runs, name, 'events.jsonl');
  writeFileSync(path, readFileSync(path, 'utf8').replace('"seq":1', '"seq":7'));
  expect(() => readRun(runs, name)).toThrow(/damaged in line 2/u);
});

test('one process at a time works on a run; one that died does not hold it', () => {
  const name = newRun(started);
  // The parent of the tests lives.
  writeFileSync(join(runs, name, 'lock'), String(process.ppid));
  expect(() => RunLog.reopen(runs, name)).toThrow(/works on run/u);
  writeFileSync(join(runs, name, 'lock'), '999999999');
  RunLog.reopen(runs, name).close();
});

test('a run that ends while its log is read is told as running, and its end by the next look', () => {
  const log = RunLog.create(runs);
  log.append(started);
  const { parse } = JSON;
  const reading = vi.spyOn(JSON, 'parse').mockImplementationOnce((text) => {
    log.append({ kind: 'run-ended', outcome: 'proved', message: '' });
    log.close();
    return parse(text) as unknown;
  });
  const look = () => {
    const { records, running } = lookAtRun(runs, log.name);
    return { outcome: foldRun(records)?.outcome, running };
  };
  expect(look()).toEqual({ outcome: 'open', running: true });
  reading.mockRestore();
  expect(look()).toEqual({ outcome: 'proved', running: false });
});

test('a run that goes on is read under its lock, so that nothing of its last owner is cut off', () => {
  const name = newRun(started, answered('a/1', 1));
  const { parse } = JSON;
  const owners: string[] = [];
  const reading = vi.spyOn(JSON, 'parse').mockImplementation((text) => {
    owners.push(readFileSync(join(runs, name, 'lock'), 'utf8'));
    return parse(text) as unknown;
  });
  RunLog.reopen(runs, name).close();
  reading.mockRestore();
  expect(owners).toEqual([String(process.pid), String(process.pid)]);
});

test('a run is found by the beginning of its name', () => {
  const name = newRun(started);
  expect(findRun(runs, name)).toBe(name);
  expect(findRun(runs, 'last')).toBe(listRuns(runs).at(-1));
  expect(() => findRun(runs, 'nothing')).toThrow(/No run/u);
  expect(() => findRun(runs, '20')).toThrow(/More than one run/u);
  expect(() => findRun(runs, '')).toThrow('The name of the run is empty.');
});

test('a call whose answer never came is told as lost', () => {
  const called: RunEvent = { kind: 'model-called', key: 'a/1', role: 'judge', model: 'a/b' };
  const name = newRun(started, called, resumed, called, answered('a/1', 1));
  expect(foldRun(readRun(runs, name))).toMatchObject({ lostCalls: 1, spent: { calls: 1, cost: 1 } });
  const state = foldRun(readRun(runs, newRun(started, called)));
  if (state === undefined) throw new Error('no run');
  expect(state).toMatchObject({ lostCalls: 0, openCalls: 1 });
  expect([lostCalls(state, true), lostCalls(state, false)]).toEqual([0, 1]);
});

test('what was sent in a call that was lost is counted when the run goes on, where the log tells it', () => {
  const settings = mergeSettings({
    prices: { 'm/m': { input: 2, output: 9 } },
    providers: { m: { url: 'http://localhost/v1' } },
  });
  const sent = { like: null, kept: 0, messages: [], tools: [], tokens: 500_000 };
  const called = (key: string, model: string): RunEvent => ({
    ...{ kind: 'model-called', key, role: 'judge', model, sent },
  });
  const begun: RunEvent = { ...started, settings };
  const lost = [begun, called('a/1', 'm/m'), called('a/2', 'nobody/knows')];
  expect(foldRun(readRun(runs, newRun(...lost)))).toMatchObject({ lostCost: 1, spent: { cost: 0 } });
  const killed = foldRun(readRun(runs, newRun(...lost)));
  if (killed === undefined) throw new Error('no run');
  // Before it is resumed, too: its process has died.
  expect([costSoFar(killed, true).cost, costSoFar(killed, false).cost]).toEqual([0, 1]);
  const onwards = [...lost, { kind: 'run-resumed', settings } as const, answered('a/1', 3)];
  expect(foldRun(readRun(runs, newRun(...onwards)))).toMatchObject({ lostCost: 0, spent: { cost: 4 } });
});

test('costs that add up to more than can be counted are a sum that answers can have', () => {
  const most = Number.MAX_SAFE_INTEGER;
  const ended = (key: string, cost: number | null): RunEvent => ({
    ...{ kind: 'driver-ended', key, driver: 'codex', session: null, outcome: 'ended', message: '' },
    ...{ usage: { inputTokens: 0, cachedTokens: 0, outputTokens: 0 }, cost },
    ...{ calls: most, toolCalls: most, ms: 1 },
  });
  const settings = mergeSettings({ prices: { 'm/m': { input: 1e6, output: 1 } } });
  const sent = { like: null, kept: 0, messages: [], tools: [], tokens: most };
  const called: RunEvent = { kind: 'model-called', key: 'a', role: 'judge', model: 'm/m', sent };
  const ends = [ended('1', null), ended('2', null), ended('3', most), ended('4', most)];
  const state = foldRun(readRun(runs, newRun({ ...started, settings }, ...ends, called)));
  if (state === undefined) throw new Error('no run');
  expect(state).toMatchObject({ spent: { cost: most, uncosted: most }, toolCalls: most });
  expect(z.object(costSumFields).parse(costSoFar(state, false))).toEqual({ cost: most, uncosted: most });
});

test('a log that is taken away while the run works is told as that', () => {
  const log = RunLog.create(runs);
  log.append(started);
  log.requireThere();
  rmSync(join(runs, log.name), { recursive: true });
  expect(() => log.requireThere()).toThrow(/was taken away while the run worked/u);
  log.close();
});

/** A run whose events were recorded at these times, in seconds. */
const recordedAt = (...times: readonly [number, RunEvent][]): RunRecord[] =>
  times.map(([second, event], seq) => ({
    seq,
    at: new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString(),
    event,
  }));
const resumed: RunEvent = { kind: 'run-resumed', settings: mergeSettings() };

test('the time of a run is that during which it ran', () => {
  const records = recordedAt(
    [0, started],
    [5, answered('a/1', 1)],
    [100, resumed],
    [107, answered('a/2', 1)],
  );
  expect(foldRun(records)?.elapsedMs).toBe(12_000);
});

test('a clock that is set back gives no time back that was used', () => {
  const far = 70 * 365 * 86_400;
  expect(foldRun(recordedAt([3600, started], [0, answered('a/1', 1)]))?.elapsedMs).toBe(0);
  expect(foldRun(recordedAt([far, started], [0, resumed]))?.elapsedMs).toBe(0);
  const back = recordedAt([0, started], [5, answered('a/1', 1)], [-9, resumed], [-5, answered('a/2', 1)]);
  expect(foldRun(back)?.elapsedMs).toBe(9000);
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(1000), fc.boolean())), (steps) => {
      const events = steps.map(([second, isResumed], index): [number, RunEvent] => [
        second,
        isResumed ? resumed : answered(`a/${index}`, 1),
      ]);
      const times = events.map((_, index) => {
        const records = recordedAt([500, started], ...events.slice(0, index + 1));
        return foldRun(records)?.elapsedMs ?? Number.NaN;
      });
      expect(times).toEqual(times.toSorted((one, other) => one - other));
      expect(times.every((time) => time >= 0)).toBe(true);
    }),
  );
});

test('a log that says less than nothing of what was used makes no room for more', () => {
  const forged = answered('a/1', -1);
  const name = newRun(started, answered('a/0', 1), {
    ...forged,
    usage: { inputTokens: -999_999_000, cachedTokens: -1, outputTokens: -5 },
  } as RunEvent);
  expect(foldRun(readRun(runs, name))?.spent).toMatchObject({
    ...{ cost: 1, inputTokens: 10, cachedTokens: 0, outputTokens: 5 },
  });
});

test('the export keeps what was said in fences that hold', () => {
  const name = newRun(started, answered('a/1', 1));
  const text = exportRun(name, readRun(runs, name));
  expect(text).toMatch(/^# Run /u);
  expect(text).toMatch(/^````\nHere is it:[^]*^````$/mu);
  expect(text).toContain('| judge | 1 | 10 | 5 | $1.0000 |');
});

test('a file whose name has lines and an escape is one line of the export', () => {
  const name = newRun({ ...started, file: '/a\n- forged\u001b[2J.v' });
  expect(exportRun(name, readRun(runs, name))).toContain('- File: `/a\\u{a}- forged\\u{1b}[2J.v`');
});

test('a log that is a link to something else is neither read nor cut', () => {
  const victim = join(runs, 'victim');
  writeFileSync(victim, 'kept without a line end');
  mkdirSync(join(runs, '20260101-000000-abcd'));
  symlinkSync(victim, join(runs, '20260101-000000-abcd', 'events.jsonl'));
  expect(() => RunLog.reopen(runs, '20260101-000000-abcd')).toThrow('symbolic link');
  expect(readFileSync(victim, 'utf8')).toBe('kept without a line end');
  rmSync(join(runs, '20260101-000000-abcd'), { recursive: true });
});

test.for([
  ['no finite number', Number.POSITIVE_INFINITY],
  ['no number at all', Number.NaN],
  ['what JSON makes of that, under a limit', null],
] as const)('a cost that is %s uses up any limit', ([, cost]) => {
  const limited: RunEvent = { ...started, settings: mergeSettings({ maxCost: 5 }) };
  const name = newRun(limited, answered('a/1', cost), answered('a/2', 1));
  const spent = foldRun(readRun(runs, name))?.spent;
  expect(spent?.cost).toBeGreaterThan(1e12);
  expect(spent?.cost).toBeLessThan(Number.POSITIVE_INFINITY);
});

test('tokens and times that are no finite numbers leave a log that can be read', () => {
  const usage = { inputTokens: Number.POSITIVE_INFINITY, cachedTokens: 0, outputTokens: 1e300 };
  const event = { ...answered('a/1', 1), usage, ms: Number.POSITIVE_INFINITY } as RunEvent;
  const { inputTokens, outputTokens, ms } = present(
    foldRun(readRun(runs, newRun(started, event, event)))?.spent,
    'sum',
  );
  for (const sum of [inputTokens, outputTokens, ms]) expect(Number.isFinite(sum)).toBe(true);
});

test('a run that cannot be kept is refused before it begins, with the place and what to do', () => {
  const file = join(runs, 'no-folder');
  writeFileSync(file, '');
  expect(() => RunLog.create(join(file, 'runs'))).toThrow(
    expect.objectContaining({
      reason: 'file-unwritable',
      place: { file: join(file, 'runs') },
      remedy: expect.stringMatching(/copy of the folder.*QUOD_RUNS/u) as string,
    }) as Error,
  );
});

test('whoever writes into a log writes no key of a provider that the run may have, and no password of a proxy', () => {
  vi.stubEnv('QUOD_TEST_OWN_KEY', 'own-secret-1');
  vi.stubEnv('GROQ_API_KEY', 'groq-secret-1');
  vi.stubEnv('HTTPS_PROXY', 'http://me:proxy-secret-1@proxy:3128');
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  const providers = { own: { url: 'http://localhost:1/v1', keyVariable: 'QUOD_TEST_OWN_KEY' } };
  const said: RunEvent = {
    kind: 'user-said',
    text: 'own-secret-1, groq-secret-1, proxy-secret-1, late-secret-1',
  };
  const name = newRun({ ...started, settings: mergeSettings({ providers }) }, said);
  const log = RunLog.reopen(runs, name);
  log.keepOut('late-secret-1');
  expect(log.append(said)).toEqual({ kind: 'user-said', text: '[key], [key], [key], [key]' });
  log.close();
  expect(
    readRun(runs, name)
      .slice(1)
      .map(({ event }) => event),
  ).toEqual([
    { kind: 'user-said', text: '[key], [key], [key], late-secret-1' },
    { kind: 'user-said', text: '[key], [key], [key], [key]' },
  ]);
});
