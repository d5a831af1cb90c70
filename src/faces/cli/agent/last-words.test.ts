/** The last line of a run says no more than the gate and the bills did. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { RunEvent, RunRecord } from '../../../agent/runs/events.ts';
import { readDriverLine } from '../../../agent/other-agents/driver-stream.ts';
import { exportRun } from '../../../agent/runs/export.ts';
import { eventLine } from '../../../agent/runs/event-line.ts';
import { RunLog } from '../../../agent/runs/run-log.ts';
import { NOT_COMMITTED } from '../../../agent/task/repository.ts';
import { mergeSettings } from '../../../agent/settings.ts';
import { lastWords } from './last-words.ts';
import { sha256 } from '../../../core/sha256.ts';
import { originalCommand } from './original-command.ts';

function recordsOf(...events: readonly RunEvent[]): RunRecord[] {
  return events.map((event, seq) => ({ seq, at: '2026-11-25T10:00:00.000Z', event }));
}

const STARTED: RunEvent = {
  ...{ kind: 'run-started', format: 1, quod: '0', file: 'a.v', fileHash: '', theorems: ['a'] },
  ...{ files: [{ file: 'a.v', fileHash: '', theorems: ['a'], text: '' }], task: null },
  settings: mergeSettings({ maxCost: 0.5 }),
};
const BEGUN: RunEvent = { kind: 'theorem-started', key: 'a', theorem: 'a', statement: 'Lemma a : True.' };

test('a proof that rests on open statements is not counted as proved', () => {
  const ended: RunEvent = {
    ...{ kind: 'theorem-ended', key: 'a', theorem: 'a', outcome: 'proved-but', proof: 'exact op.' },
    ...{ restsOnOpen: ['op'], found: 'search', reason: '' },
  };
  expect(lastWords(recordsOf(STARTED, BEGUN, ended), 'run').at(-1)).toMatch(
    /^0 of 1 theorem proved, 1 proved but resting on open statements;/u,
  );
});

test('a file with another text than the run knows is told with what brings it back; a lost call is no free one', () => {
  const called: RunEvent = {
    ...{ kind: 'model-called', key: 'a', role: 'planner', model: 'm/m' },
    sent: { like: null, kept: 0, messages: [], tools: [], tokens: 9 },
  };
  const resumed: RunEvent = { kind: 'run-resumed', settings: mergeSettings({ maxCost: 0.5 }) };
  const ended: RunEvent = { kind: 'run-ended', outcome: 'budget-exhausted', message: '', replaced: ['a.v'] };
  const words = lastWords(recordsOf(STARTED, BEGUN, called, resumed, ended), 'run-1');
  expect(words[0]).toMatch(
    /^a\.v: it was changed, .* nobody has judged what lies there;.*: quod run original run-1 --file a\.v$/u,
  );
  expect(words.at(-1)).toMatch(/tokens in .* out; \$0\.0000$/u);
});

test('a file of another agent that the gate did not look at since a resume is told as that, and its name is one word of a shell', () => {
  const file = '/a b.v';
  const started: RunEvent = { ...STARTED, file, files: [{ file, fileHash: '', theorems: ['a'], text: '' }] };
  const resumed: RunEvent = { kind: 'run-resumed', settings: mergeSettings({ driver: 'codex' }) };
  const compared: RunEvent = {
    ...{ kind: 'compared', key: `driver/resumed-1/${file}`, clean: false, accepted: [], unjudged: [] },
    ...{ findings: [], ms: 1 },
  };
  const ended: RunEvent = { kind: 'run-ended', outcome: 'failed', message: '', replaced: [file] };
  const words = (...events: RunEvent[]) =>
    lastWords(recordsOf(started, BEGUN, resumed, ...events, ended), 'run-1');
  expect(words()[0]).toMatch(/^\/a b\.v: the gate has not looked at it since the run was resumed/u);
  const [replaced, tampered] = words(compared);
  expect(replaced).toMatch(/^\/a b\.v: it was changed, .* nobody has judged what lies there;/u);
  for (const line of [words()[0], replaced, tampered])
    expect(line).toMatch(/: quod run original run-1 --file '\/a b\.v'$/u);
});

test('of a file that was changed since, the last line counts what the gate saw', () => {
  const proved: RunEvent = {
    ...{ kind: 'theorem-ended', key: 'a', theorem: 'a', outcome: 'proved', proof: 'exact I.' },
    ...{ restsOnOpen: [], found: 'search', reason: '' },
  };
  const ended: RunEvent = { kind: 'run-ended', outcome: 'not-proved', message: '', replaced: ['a.v'] };
  expect(lastWords(recordsOf(STARTED, BEGUN, proved, ended), 'run').at(-1)).toMatch(
    /^1 of 1 theorem proved \(a\.v as the gate saw it\);/u,
  );
  expect(lastWords(recordsOf(STARTED, BEGUN, ended), 'run').at(-1)).toMatch(/^0 of 1 theorem proved;/u);
});

test('a file that is gone, or has something else in its place, is told as that', () => {
  const said = (why: string): string | undefined => {
    const ended: RunEvent = {
      ...{ kind: 'run-ended', outcome: 'not-proved', message: '', replaced: ['a.v'], gone: { 'a.v': why } },
    };
    return lastWords(recordsOf(STARTED, BEGUN, ended), 'run-1')[0];
  };
  expect(said('is not there any more (removed or renamed)')).toBe(
    'a.v is not there any more (removed or renamed): nothing counts as proved in it. As it was when the run began: quod run original run-1 --file a.v',
  );
});

test('where there is no repository, nobody is promised a commit', () => {
  const said = (message: string): readonly string[] =>
    lastWords(
      recordsOf(STARTED, BEGUN, { kind: 'committed', key: 'c', files: [], commit: null, message }),
      'run-1',
    ).slice(0, -1);
  const none = `${NOT_COMMITTED}: there is no git repository around a.v.`;
  expect(said(none)).toEqual([none]);
  const refused = `${NOT_COMMITTED} (a.v): a merge is under way.`;
  expect(said(refused)).toEqual([refused, expect.stringMatching(/quod resume run-1$/u)]);
});

test('a budget that was exceeded is told', () => {
  const answered = (cost: number): RunEvent => ({
    ...{ kind: 'model-answered', key: 'a', role: 'planner', model: 'm/m', request: '', text: '', calls: [] },
    ...{ finish: 'stop', usage: { inputTokens: 1, cachedTokens: 0, outputTokens: 1 }, cost, ms: 1, tries: 1 },
  });
  const said = (cost: number) => lastWords(recordsOf(STARTED, BEGUN, answered(cost)), 'run').at(-1);
  expect(said(0.6)).toContain('$0.6000, more than the limit of $0.5');
  expect(said(0.5)).not.toContain('limit');
});

test('tokens that the server did not count are said to be estimated, and files that were written are named', () => {
  const answered: RunEvent = {
    ...{ kind: 'model-answered', key: 'a', role: 'planner', model: 'm/m', request: '', text: '', calls: [] },
    ...{
      finish: 'stop',
      usage: { inputTokens: 9, cachedTokens: 0, outputTokens: 1 },
      cost: 0,
      ms: 1,
      tries: 1,
    },
  };
  const said = (...events: RunEvent[]) => lastWords(recordsOf(STARTED, BEGUN, ...events), 'run');
  expect(said(answered, { ...answered, estimated: true }).at(-1)).toContain('estimated for 1 of 2 answers');
  expect(said(answered).at(-1)).not.toContain('estimated');
  expect(said({ kind: 'written', key: 'a', fileHash: '' })[0]).toBe('a.v: 1 proof written');
});

test('what another program cost is told, also where it tells nothing else', () => {
  const ended: RunEvent = {
    ...{ kind: 'driver-ended', key: 'driver/turn-1', driver: 'claude-code', session: null },
    ...{ outcome: 'ended', message: 'Done.', usage: { inputTokens: 0, cachedTokens: 0, outputTokens: 0 } },
    ...{ cost: 0.25, calls: 0, toolCalls: 0, ms: 1 },
  };
  expect(lastWords(recordsOf(STARTED, BEGUN, ended), 'run').at(-1)).toContain('$0.2500');
  expect(lastWords(recordsOf(STARTED, BEGUN), 'run').at(-1)).not.toContain('$');
});

test('what a proof rests on is told, also after the gate looked again', () => {
  const unchecked = 'f is assumed to be guarded.';
  const warnings = [`unchecked: ${unchecked}`, 'rest-does-not-compile: it does not compile.'];
  const grounds = { axioms: ['classic', unchecked], warnings };
  const ended: RunEvent = {
    ...{ kind: 'theorem-ended', key: 'a', theorem: 'a', outcome: 'proved', proof: 'auto.' },
    ...{ restsOnOpen: [], grounds, found: 'search', reason: '' },
  };
  const rests = [
    'a: rests on classic, and on what was not checked: f is assumed to be guarded',
    'a: warning: rest-does-not-compile: it does not compile.',
  ];
  expect(lastWords(recordsOf(STARTED, BEGUN, ended), 'run').slice(0, -1)).toEqual(rests);
  const resumed: RunEvent = { kind: 'run-resumed', settings: mergeSettings({}) };
  const again: RunEvent = {
    ...{ kind: 'rechecked', key: 'resumed-1/a.v', verdict: 'accepted', findings: [], ms: 1 },
    ...{ restsOnOpen: { a: [] }, grounds: { a: { axioms: ['other'], warnings: [] } } },
  };
  const judgedAgain = recordsOf(STARTED, BEGUN, ended, resumed, again);
  expect(lastWords(judgedAgain, 'run').slice(0, -1)).toEqual(['a: rests on other']);
});

test('a proof that is not in the file is told, with where it is', () => {
  const started: RunEvent = { ...STARTED, settings: mergeSettings({ write: true }) };
  const ended: RunEvent = {
    ...{ kind: 'theorem-ended', key: 'a', theorem: 'a', outcome: 'proved', proof: 'auto.' },
    ...{ restsOnOpen: [], found: 'search', reason: '' },
  };
  const written: RunEvent = { kind: 'written', key: 'a', fileHash: '' };
  const last = (...events: RunEvent[]) => lastWords(recordsOf(started, BEGUN, ...events), 'run-1').at(-1);
  expect(last(ended)).toMatch(/^1 of 1 theorem proved, 1 of them not written .*quod show run-1/u);
  expect(last(ended, written)).toMatch(/^1 of 1 theorem proved; /u);
  const readOnly = recordsOf(STARTED, BEGUN, ended);
  expect(lastWords(readOnly, 'run-1').at(-1)).toMatch(/^1 of 1 theorem proved; /u);
});

test('an open statement that is false with what the run chose is told at the end', () => {
  const refuted = (falseWith?: string[]): RunEvent => ({
    ...{ kind: 'refuted', key: 'a', refuted: false, counterexample: '', negation: null, message: '', ms: 1 },
    ...(falseWith && { falseWith }),
  });
  const said = (...events: RunEvent[]) => lastWords(recordsOf(STARTED, BEGUN, ...events), 'run').slice(0, -1);
  expect(said(refuted(['c']))).toEqual(['a.v: a is false with what this run has put into the file (c)']);
  expect(said(refuted())).toEqual([]);
  const ended: RunEvent = { kind: 'run-ended', outcome: 'not-proved', message: '', takenOut: ['c'] };
  expect(said(refuted(['c']), ended).join()).not.toContain('is false with');
});

test('what a proof rests on and the run proved in another file is told, with what settles it', () => {
  const files = ['A', 'B'].map((name) => ({
    ...{ file: `/w/${name}.v`, fileHash: '', theorems: [name.toLowerCase()], text: '' },
  }));
  const started: RunEvent = { ...STARTED, theorems: ['a', 'b'], files };
  const ended = (theorem: string, restsOnOpen: string[]): RunEvent => ({
    ...{ kind: 'theorem-ended', key: theorem, theorem, proof: 'auto.', found: 'search', reason: '' },
    ...{ outcome: restsOnOpen.length === 0 ? 'proved' : 'proved-but', restsOnOpen },
  });
  const said = (...events: RunEvent[]) => lastWords(recordsOf(started, ...events), 'run-1').slice(0, -1);
  for (const called of ['A.a', 'Lib.A.a'])
    expect(said(ended('a', []), ended('b', [called]))).toEqual([
      'b: rests on A.a as it was compiled; this run has proved it since. To have the gate look again: quod build /w/A.v, then quod resume run-1',
    ]);
  expect(said(ended('a', []), ended('b', ['AA.a', 'A.aa', 'a']))).toEqual([]);
  expect(said(ended('b', ['A.a']))).toEqual([]);
});

test('a commit that could not be made is told with why, and with what makes it', () => {
  const committed = (commit: string | null, message: string): RunEvent => ({
    ...{ kind: 'committed', key: 'task/end-1', files: ['/work/a.v', '/work/T.md'], commit, message },
  });
  const said = (...events: RunEvent[]) => lastWords(recordsOf(STARTED, ...events), 'run-1').slice(0, -1);
  const refused = 'Not committed (a.v, T.md): a merge is under way.';
  const again = 'To have it committed once nothing is in its way: quod resume run-1';
  expect(said(committed(null, refused))).toEqual([refused, again]);
  expect(said(committed('abc', `Prove b\n${refused}`))).toEqual([refused, again]);
  // What is the user's own no run commits.
  const left = 'Not committed, for you to commit: a.v is ignored by git.';
  expect(said(committed(null, left))).toEqual([left]);
  expect(said(committed(null, refused), committed('abc', 'Prove a'))).toEqual([]);
  expect(said(committed(null, 'Nothing to commit.'))).toEqual([]);
});

test('what a task wrote since its last commit is told, with what commits it', () => {
  const task = { file: '/w/T.md', text: '', instructions: '', prompt: '', usersOwn: [] };
  const started = (settings: object): RunEvent => ({
    ...STARTED,
    ...{ task, settings: mergeSettings({ write: true, ...settings }) },
  });
  const written: RunEvent = { kind: 'written', key: 'a', fileHash: '' };
  const committed: RunEvent = {
    ...{ kind: 'committed', key: 'c', files: ['/w/a.v'], commit: 'abc', message: 'Prove a' },
  };
  const said = (first: RunEvent, ...events: RunEvent[]) =>
    lastWords(recordsOf(first, BEGUN, ...events), 'run-1').join('\n');
  expect(said(started({}), written)).toContain('not committed yet: quod resume run-1 commits it');
  for (const calm of [
    said(started({}), written, committed),
    said(started({ commit: false }), written),
    said(STARTED, written),
  ])
    expect(calm).not.toContain('not committed yet');
});

test('how much of the cost is estimated is told, for tries that failed too, and a cost that is no number is unknown', () => {
  const failed = (cost: number | null): RunEvent => ({
    ...{ kind: 'model-failed', key: 'a', role: 'planner', model: 'm/m', message: 'cut' },
    ...{ cost, ms: 1, tries: 1 },
  });
  const answered: RunEvent = {
    ...{ kind: 'model-answered', key: 'a', role: 'planner', model: 'm/m', request: '', text: '', calls: [] },
    ...{ finish: 'stop', usage: { inputTokens: 1, cachedTokens: 0, outputTokens: 1 }, ms: 1, tries: 2 },
    ...{ cost: 0.3, wasted: 0.1 },
  };
  const said = (...events: RunEvent[]) => lastWords(recordsOf(STARTED, BEGUN, ...events), 'run').at(-1);
  expect(said(answered, failed(0.05))).toContain('$0.3500, $0.1500 of it estimated');
  expect(said(failed(null))).toMatch(/cost unknown/u);
  expect(said(failed(null))).not.toMatch(/\$\d{6}/u);
  expect(said(answered, failed(null))).toMatch(
    /; cost unknown: of a call nobody can tell what it cost, which counts as more than the limit of \$0\.5$/u,
  );
  const line = (event: RunEvent) => eventLine({ seq: 0, at: '', event });
  expect(line(failed(0.05))).toContain('failed: cut, $0.0500 (estimated)');
  expect(line(answered)).toContain('$0.3000 ($0.1000 of it estimated, for tries that failed)');
});

test.each([null, -1])('another agent that tells a cost of %s is said to have told none', (cost) => {
  const [told] = readDriverLine('claude-code', JSON.stringify({ type: 'result', total_cost_usd: cost }));
  expect(told).toMatchObject({ kind: 'ended', cost: null });
  const ended: RunEvent = {
    ...{ kind: 'driver-ended', key: 'driver/turn-1', driver: 'claude-code', session: null },
    ...{ outcome: 'ended', message: 'Done.', usage: { inputTokens: 0, cachedTokens: 0, outputTokens: 0 } },
    ...{ cost: null, calls: 0, toolCalls: 0, ms: 1 },
  };
  expect(lastWords(recordsOf(STARTED, BEGUN, ended), 'run').at(-1)).toContain(
    'the cost of 1 call not known, so that no limit holds for it',
  );
  expect(exportRun('run', recordsOf(STARTED, BEGUN, ended))).toContain('| the cost of 1 call not known |');
  expect(eventLine({ seq: 0, at: '', event: ended })).toContain('cost not told');
});

test('tokens of another agent that it did not tell are said to be estimated', () => {
  const settings = mergeSettings({ driver: 'claude-code' });
  const ended: RunEvent = {
    ...{ kind: 'driver-ended', key: 'driver/turn-1', driver: 'claude-code', session: null },
    ...{ outcome: 'ended', message: 'Done.', usage: { inputTokens: 9, cachedTokens: 0, outputTokens: 9 } },
    ...{ usageEstimated: true, cost: 1, calls: 1, toolCalls: 0, ms: 1 },
  };
  expect(lastWords(recordsOf({ ...STARTED, settings }, BEGUN, ended), 'run').at(-1)).toContain(
    '9 tokens in (0 cached), 9 out (estimated for 1 of 1 turn: the other agent gave no count',
  );
});

test('a file’s name is in one line, whatever it is called', () => {
  const file = 'a\nb: 1 proof written.v';
  const started: RunEvent = { ...STARTED, file, files: [{ file, fileHash: '', theorems: ['a'], text: '' }] };
  const compared: RunEvent = {
    ...{ kind: 'compared', key: `driver/turn-1/${file}`, clean: false, accepted: [], unjudged: [] },
    ...{ findings: [], ms: 1 },
  };
  const written: RunEvent = { kind: 'written', key: 'a', fileHash: '' };
  const committed: RunEvent = {
    ...{ kind: 'committed', key: 'c', files: [file], commit: null, message: `${NOT_COMMITTED} (a.v): no.` },
  };
  const said = lastWords(recordsOf(started, BEGUN, compared, written, committed), 'run');
  expect(said).toHaveLength(5);
  expect(said.join('')).not.toContain('\n');
});

test('the file whose original is asked for is named, in one line, where the run did not work on it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'quod-original-'));
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });
  vi.stubEnv('QUOD_RUNS', folder);
  const file = '/a\nb.v';
  const log = RunLog.create(folder);
  log.append({ ...STARTED, file, files: [{ file, fileHash: '', theorems: ['a'], text: '' }] });
  log.close();
  const ask = (): unknown => originalCommand('last', { file: 'other\n.v' });
  expect(ask).toThrow(/did not work on other\\u\{a\}\.v\.$/u);
  expect(ask).toThrow(expect.objectContaining({ remedy: expect.not.stringContaining('\n') as unknown }));
});

test.each([
  ['with a byte order mark', '\uFEFFLemma a : True.\n'],
  ['without one', 'Lemma a : True.\n'],
])('the original of a file %s has its bytes', (_, original) => {
  const folder = mkdtempSync(join(tmpdir(), 'quod-original-'));
  const printed = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  onTestFinished(() => {
    printed.mockRestore();
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });
  vi.stubEnv('QUOD_RUNS', folder);
  const log = RunLog.create(folder);
  const read = { file: '/a.v', fileHash: sha256(original), theorems: ['a'], text: 'Lemma a : True.\n' };
  log.append({ ...STARTED, file: '/a.v', files: [read] });
  log.close();
  originalCommand('last', {});
  expect(printed.mock.calls).toEqual([[original]]);
});

const WRITTEN: RunEvent = { kind: 'written', key: 'a', fileHash: '' };
const RESUMED: RunEvent = { kind: 'run-resumed', settings: mergeSettings() };
const ACCEPTED: RunEvent = {
  ...{ kind: 'theorem-ended', key: 'a', theorem: 'a', outcome: 'proved', proof: 'auto.' },
  ...{ restsOnOpen: [], found: 'search', reason: '' },
};
const confirmation = (
  verdict: 'accepted' | 'rejected' | 'unknown',
  { resumed = 1, file = 'a.v' } = {},
): RunEvent => ({
  ...{ kind: 'rechecked', key: `resumed-${resumed}/${file}`, verdict, findings: [], ms: 1 },
  restsOnOpen: verdict === 'accepted' ? { a: [] } : {},
});
const INTERRUPTED: RunEvent = { kind: 'run-ended', outcome: 'interrupted', message: '' };

test.each([
  ['rejected', [confirmation('rejected')], 'the gate does not accept the proof any more'],
  ['unknown', [confirmation('unknown')], 'the gate could not tell whether it still accepts the proof'],
  ['interrupted', [INTERRUPTED], 'the gate was not asked again about the proof'],
  [
    'rejected in another file',
    [confirmation('rejected', { file: 'b.v' })],
    'the gate was not asked again about the proof',
  ],
  [
    'rejected and interrupted when it was resumed once more',
    [confirmation('rejected'), RESUMED, INTERRUPTED],
    'the gate does not accept the proof any more',
  ],
  [
    'accepted and interrupted when it was resumed once more',
    [confirmation('accepted'), RESUMED, INTERRUPTED],
    'the gate was not asked again about the proof',
  ],
  [
    'rejected and unknown when it was resumed once more',
    [confirmation('rejected'), RESUMED, confirmation('unknown', { resumed: 2 })],
    'the gate could not tell whether it still accepts the proof',
  ],
])('of a proof that was written what the gate said since is told: %s', (_, since, said) => {
  const words = lastWords(recordsOf(STARTED, BEGUN, ACCEPTED, WRITTEN, RESUMED, ...since), 'run');
  expect(words[0]).toBe('a.v: 1 proof written');
  expect(words[1]).toBe(`a.v: a: ${said} that this run wrote there`);
});

test('of a proof that the gate accepts still no more is told than that it was written', () => {
  const since = [RESUMED, confirmation('accepted')];
  expect(lastWords(recordsOf(STARTED, BEGUN, ACCEPTED, WRITTEN, ...since), 'run')).toHaveLength(2);
});

test('a proof that is the user’s own by now is told, and is none that was written', () => {
  const written: RunEvent = { kind: 'written', key: 'a', fileHash: '' };
  const resumed: RunEvent = { kind: 'run-resumed', settings: mergeSettings() };
  const ended: RunEvent = { kind: 'run-ended', outcome: 'not-proved', message: '', usersOwn: ['a'] };
  const words = lastWords(recordsOf(STARTED, BEGUN, written, resumed, ended), 'run');
  expect(words).toHaveLength(2);
  expect(words[0]).toMatch(/^a\.v: a: its proof is yours by now; left as it is, open \(quod agent FILE/u);
});
