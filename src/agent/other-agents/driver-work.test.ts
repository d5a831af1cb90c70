/** The end of the turns of another agent, by a program that stands for it, with toy theorems. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { OWN_SETTINGS } from '../configuration/reach.ts';
import { orNothing } from '../../core/entry.ts';
import { sha256 } from '../../core/sha256.ts';
import { runAgent } from '../run.ts';
import type { RunRecord } from '../runs/events.ts';
import { foldRun } from '../runs/fold.ts';
import { mergeSettings } from '../settings.ts';
import type { Comparison } from '../target.ts';
import { MemoryLog } from '../testing/memory-log.ts';
import { writeStandIn } from '../testing/stand-in-driver.ts';
import { ACCEPTED, toyFile, toyTarget } from '../testing/toy-target.ts';

test('what is proved when the time is over is committed all the same', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'quod-driver-work-'));
  const log = new MemoryLog();
  const recorded = (kind: string) => log.records.filter(({ event }) => event.kind === kind);
  const now = performance.now.bind(performance);
  const isLate = (): boolean => recorded('compared').length > 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + (isLate() ? 200_000 : 0));
  onTestFinished(() => {
    clock.mockRestore();
    rmSync(folder, { recursive: true });
  });
  writeFileSync(join(folder, 'script.json'), JSON.stringify([[{ say: 'Done.' }]]));
  const accepted = [{ theorem: 'toy', proof: ACCEPTED, restsOnOpen: [] }];
  const { outcome } = await runAgent({
    log,
    files: [
      {
        ...toyFile(toyTarget()),
        file: join(folder, 'toy.v'),
        compare: () => Promise.resolve({ clean: true, accepted, unjudged: [], findings: [] }),
      },
    ],
    task: {
      task: { file: join(folder, 'TASK.md'), text: 'Prove it.', instructions: '', prompt: '', usersOwn: [] },
      mcp: { command: 'none', args: [] },
      files: { updateTask: (change) => Promise.resolve(change('', '')) },
    },
    settings: mergeSettings({
      ...{ driver: 'claude-code', driverCommand: writeStandIn(folder, 'claude') },
      ...{ commit: true, maxTime: 100 },
    }),
    quod: 'test',
    environment: {
      ...process.env,
      STAND_IN_SCRIPT: join(folder, 'script.json'),
      STAND_IN_LOG: join(folder, 'calls.jsonl'),
    },
    permissions: OWN_SETTINGS,
    signal: new AbortController().signal,
  });
  expect(outcome).toBe('proved');
  expect(recorded('committed')).toHaveLength(1);
});

const SAYS = `echo '{"type":"assistant","message":{"content":[{"type":"text","text":"So."}],"usage":{"input_tokens":10,"output_tokens":5}}}'`;
const CHANGES = 'echo changed > toy.v';

const TOY = { theorem: 'toy', proof: ACCEPTED, restsOnOpen: [] };

function judgeChanged(text: string): Pick<Comparison, 'accepted' | 'unjudged'> {
  return { accepted: text === 'the toys' ? [] : [TOY], unjudged: [] };
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'quod-driver-work-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** A run of a program that is a script of the shell. The gate accepts what the file has when it is changed. */
async function runOf(
  script: string,
  {
    settings = {},
    past = [],
    interruptedBy = 'nothing',
    folder = newFolder(),
    judge = judgeChanged,
  }: {
    readonly settings?: object;
    readonly past?: readonly RunRecord[];
    /** A kind of event. */
    readonly interruptedBy?: string;
    /** In which an earlier part of the run worked. */
    readonly folder?: string;
    /** What the gate says of a text. */
    readonly judge?: (text: string) => Pick<Comparison, 'accepted' | 'unjudged'>;
  } = {},
) {
  const file = join(folder, 'toy.v');
  if (!existsSync(file)) writeFileSync(file, 'the toys');
  const program = join(folder, 'program');
  writeFileSync(program, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const interrupt = new AbortController();
  const log = new MemoryLog(past);
  const append = log.append.bind(log);
  log.append = (event) => {
    if (event.kind === interruptedBy) interrupt.abort();
    return append(event);
  };
  const compare = (): Promise<Comparison> => {
    const bytes = readFileSync(file);
    return Promise.resolve({ clean: true, ...judge(bytes.toString()), findings: [], bytes });
  };
  const ended = await runAgent({
    log,
    files: [
      {
        ...toyFile(toyTarget(), toyTarget('other')),
        ...{ file, fileHash: sha256('the toys'), compare, bytes: () => Promise.resolve(readFileSync(file)) },
      },
    ],
    task: {
      task: { file: join(folder, 'TASK.md'), text: 'Prove it.', instructions: '', prompt: '', usersOwn: [] },
      mcp: { command: 'none', args: [] },
      files: { updateTask: (change) => Promise.resolve(change('', '')) },
    },
    settings: mergeSettings({
      ...{ driver: 'claude-code', driverCommand: program, commit: true, write: true },
      ...settings,
    }),
    quod: 'test',
    environment: process.env,
    permissions: OWN_SETTINGS,
    signal: interrupt.signal,
  });
  const kinds = (kind: string) => log.records.map(({ event }) => event).filter((one) => one.kind === kind);
  return { ended, file, kinds, records: log.records };
}

test('a proof that the gate could not look at is proved, or not there any more, by what the gate says after a resume', async () => {
  const folder = newFolder();
  const unjudged = [{ theorem: 'toy', proof: ACCEPTED, message: 'it took too long' }];
  const judge = () => ({ accepted: [], unjudged });
  const first = await runOf(CHANGES, { folder, judge });
  const outcomes = (records: readonly RunRecord[]) =>
    foldRun(records)?.theorems.map(({ outcome }) => outcome);
  expect(outcomes(first.records)).toEqual(['not-judged', 'open']);
  const past = first.records;
  const resumed = await runOf('exit 1', { folder, past });
  expect(resumed.ended.message).toMatch(/^1 of 2 proved\. /u);
  expect(outcomes(resumed.records)).toEqual(['proved', 'open']);
  writeFileSync(first.file, 'the toys');
  const emptied = await runOf('exit 1', { folder, past });
  expect(emptied.ended.message).toMatch(/^0 of 2 proved\. /u);
  expect(outcomes(emptied.records)).toEqual(['open', 'open']);
});

test('each part of a run commits what lies in the files then', async () => {
  const folder = newFolder();
  const first = await runOf(CHANGES, { folder });
  const resumed = await runOf('echo another > toy.v; exit 1', { folder, past: first.records });
  expect(resumed.kinds('committed')).toHaveLength(2);
});

test.each([
  [
    'ends without a word',
    `[ -e twice ] && exit 0; touch twice; ${CHANGES}`,
    /it ended with code 0\. Try it by itself/u,
  ],
  [
    'is killed',
    `[ -e twice ] && kill -9 $$; touch twice; ${CHANGES}`,
    /it was ended by SIGKILL\. Try it by itself/u,
  ],
  [
    'writes what is no text',
    `${CHANGES}; printf '\\377\\n'`,
    /it wrote a message that is not UTF-8\. Try it by itself/u,
  ],
])('what the gate accepted of a program that %s counts, and is committed', async (_, script, why) => {
  const { ended, kinds } = await runOf(script);
  expect(ended).toMatchObject({ outcome: 'failed' });
  expect(ended.message).toMatch(/^1 of 2 proved\. Claude Code failed: /u);
  expect(ended.message).toMatch(why);
  expect(ended.replaced).toBeUndefined();
  expect(kinds('committed')).toHaveLength(1);
});

test('a file that was changed in a turn that was cut off is told, whatever its text is', async () => {
  const script = `${CHANGES}; ${SAYS}; exec sleep 1000`;
  const { ended, file } = await runOf(script, { interruptedBy: 'driver-said' });
  expect(ended).toMatchObject({ outcome: 'interrupted', replaced: [file] });
});

test('messages are limited for the whole run: each counts, also where a turn tells none, or was lost', async () => {
  const endless = `while :; do ${SAYS}; done`;
  const settings = { maxMessages: 3, contexts: 20 };
  const first = await runOf(endless, { settings });
  expect(first.ended).toMatchObject({ outcome: 'budget-exhausted' });
  expect(first.kinds('driver-ended')).toMatchObject([{ calls: 3 }]);
  const silent = await runOf(`echo '{"type":"result"}'`, { settings: { maxMessages: 1 } });
  expect(silent.ended).toMatchObject({ outcome: 'budget-exhausted' });
  expect(silent.kinds('driver-ended')).toMatchObject([{ calls: 1 }]);
  // Killed behind its second message.
  const killed = first.records.slice(
    0,
    first.records.findIndex(({ event }) => event.kind === 'driver-said') + 2,
  );
  const resumed = await runOf(endless, { settings, past: killed });
  expect(resumed.ended).toMatchObject({ outcome: 'budget-exhausted' });
  expect(resumed.kinds('driver-ended')).toMatchObject([{ calls: 1 }]);
});

test('a last line counts without an end, and tokens count that can be', async () => {
  const result = '{"type":"result","total_cost_usd":7,"usage":{"input_tokens":1,"output_tokens":5}}';
  const said = `{"type":"assistant","message":{"content":[{"type":"text","text":"${'x'.repeat(40_000)}"}]}}`;
  const { kinds } = await runOf(`echo '${said}'; printf %s '${result}'`, { settings: { contexts: 1 } });
  const usage = { inputTokens: expect.any(Number) as number, outputTokens: 10_000 };
  expect(kinds('driver-ended')).toMatchObject([{ cost: 7, usage, usageEstimated: true }]);
});

test('of a turn that was lost each message counts once, in however many parts it was told, and one at least', async () => {
  const part = SAYS.replace('"message":{', '"message":{"id":"m1",');
  const session = `echo '{"type":"system","session_id":"s"}'`;
  const { records } = await runOf(`${session}; ${part}; ${part}; ${part}`, { settings: { contexts: 1 } });
  const until = (kind: string) =>
    records.slice(0, records.findLastIndex(({ event }) => event.kind === kind) + 1);
  const lostBehind = (past: readonly RunRecord[]) => {
    const resumed = { kind: 'run-resumed', settings: mergeSettings({}) } as const;
    const fold = (more: readonly RunRecord[]) => foldRun([...past, ...more]);
    expect(fold([])).toMatchObject({ lostCalls: 0 });
    const calls = fold([{ seq: past.length, at: orNothing(past.at(-1)?.at), event: resumed }])?.lostCalls;
    expect(fold([])).toMatchObject({ openCalls: calls });
    return calls;
  };
  expect(foldRun(records)).toMatchObject({ spent: { calls: 1 }, openCalls: 0 });
  expect(lostBehind(until('driver-said'))).toBe(1);
  expect(lostBehind(until('driver-started'))).toBe(1);
  expect(lostBehind(until('theorem-started'))).toBe(0);
});

test('a turn that is lost a second time before its first word counts, too', async () => {
  const session = `echo '{"type":"system","session_id":"s"}'`;
  const begun = (records: readonly RunRecord[]) =>
    records.slice(0, records.findLastIndex(({ event }) => event.kind === 'driver-started') + 1);
  const first = await runOf(session, { settings: { contexts: 1 } });
  const again = await runOf(session, { settings: { contexts: 1 }, past: begun(first.records) });
  expect(foldRun(begun(again.records))).toMatchObject({ lostCalls: 1, openCalls: 1 });
});
