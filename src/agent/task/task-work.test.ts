/** A task in every branch: a scripted model over real HTTP, toy theorems. */
import { OWN_SETTINGS } from '../configuration/reach.ts';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { runAgent } from '../run.ts';
import type { RunRecord } from '../runs/events.ts';
import type { Task } from '../runs/task-schema.ts';
import { foldRun } from '../runs/fold.ts';
import { mergeSettings } from '../settings.ts';
import { Killed, MemoryLog } from '../testing/memory-log.ts';
import { startModelServer } from '../testing/scripted-model-server.ts';
import type { ChatRequest, Reply, ScriptedModelServer } from '../testing/scripted-model-server.ts';
import type { TargetFile } from '../target.ts';
import { ACCEPTED, toyFile, toyTarget } from '../testing/toy-target.ts';
import type { ToyTarget } from '../testing/toy-target.ts';

let server: ScriptedModelServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const TASK: Task = {
  file: '/TASK.md',
  text: '# Toys\nProve them.\n',
  instructions: 'Be kind.',
  prompt: '',
  usersOwn: [],
};

const call = (name: string, input: object): Reply => ({
  calls: [{ name, arguments: JSON.stringify(input) }],
});
const check = (proof: string): Reply => call('rocq_check_proof', { proof });

const tooDeep = (): Promise<never> => Promise.reject(new RangeError('Maximum call stack size exceeded'));

interface Driven {
  readonly outcome: string;
  readonly records: readonly RunRecord[];
  readonly requests: readonly ChatRequest[];
  readonly targets: readonly ToyTarget[];
  readonly taskText: string;
  /** Those too deep, each time that somebody went to them. */
  readonly tried: readonly string[];
}

async function drive(
  script: (request: ChatRequest, number: number) => Reply,
  settings: Record<string, unknown> = {},
  {
    names = ['one', 'two'],
    deep = [],
    log = new MemoryLog(),
    file = { text: TASK.text },
    task = TASK,
    onDisk,
  }: {
    names?: string[];
    /** Whose sessions nobody can read. */
    deep?: string[];
    log?: MemoryLog;
    file?: { text: string };
    task?: Task;
    onDisk?: TargetFile['bytes'];
  } = {},
): Promise<Driven> {
  server ??= await startModelServer((request, number) => script(request, number));
  const tried: string[] = [];
  const targets = names.map((name) =>
    deep.includes(name)
      ? {
          ...toyTarget(name),
          openToolSession: () => {
            tried.push(name);
            return tooDeep();
          },
        }
      : toyTarget(name),
  );
  const { outcome } = await runAgent({
    log,
    files: [{ ...toyFile(...targets), ...(onDisk !== undefined && { bytes: onDisk }) }],
    task: {
      task,
      mcp: { command: 'none', args: [] },
      files: {
        updateTask: (change) => {
          file.text = change(file.text, file.text);
          return Promise.resolve(file.text);
        },
      },
    },
    settings: mergeSettings({
      model: 'scripted/toy',
      providers: { scripted: { url: server.url, free: true } },
      ...{ searchFirst: false, commit: false, retryDelay: 0.001, write: true, ...settings },
    }),
    quod: 'test',
    environment: {},
    permissions: OWN_SETTINGS,
    signal: new AbortController().signal,
  });
  const requests = server.requests.map(({ body }) => body);
  return { outcome, records: log.records, requests, targets, taskText: file.text, tried };
}

const told = (request: ChatRequest | undefined, index = -1): string =>
  JSON.stringify(request?.messages.at(index)?.content ?? '');
const kinds = (records: readonly RunRecord[], kind: string) =>
  records.map(({ event }) => event).filter((event) => event.kind === kind);

test('theorem after theorem in one conversation, each written when the gate accepts it', async () => {
  const { outcome, requests, targets, records } = await drive((_request, number) =>
    check(number === 1 ? 'idtac.' : ACCEPTED),
  );
  expect(outcome).toBe('proved');
  expect(targets.map(({ written }) => written)).toEqual([[ACCEPTED], [ACCEPTED]]);
  expect(requests).toHaveLength(3);
  expect(told(requests[0], 0)).toMatch(
    /Prove them[\s\S]*Be kind[\s\S]*\[ \] one[\s\S]*inside the proof of one/u,
  );
  expect(told(requests[1])).toMatch(/accepted the proof of one[\s\S]*inside the proof of two/u);
  expect(kinds(records, 'rechecked')).toMatchObject([{ verdict: 'accepted' }]);
});

test('what is proved when the time is over is committed, and judged together, all the same', async () => {
  const log = new MemoryLog();
  const now = performance.now.bind(performance);
  const isLate = (): boolean => kinds(log.records, 'written').length === 2;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + (isLate() ? 200_000 : 0));
  onTestFinished(() => clock.mockRestore());
  const { outcome, records } = await drive(() => check(ACCEPTED), { commit: true, maxTime: 100 }, { log });
  expect(outcome).toBe('proved');
  expect(kinds(records, 'committed')).toHaveLength(1);
  expect(kinds(records, 'rechecked')).toMatchObject([{ verdict: 'accepted' }]);
});

test('a file that somebody replaces behind the last proof is not said to be proved', async () => {
  const disk = { text: 'as it was' };
  const { outcome, records } = await drive(
    () => check(ACCEPTED),
    {},
    {
      names: ['one'],
      onDisk: () => {
        const now = disk.text;
        disk.text = 'exchanged';
        return Promise.resolve(Buffer.from(now));
      },
    },
  );
  expect(outcome).toBe('not-proved');
  expect(kinds(records, 'run-ended')).toMatchObject([{ replaced: ['/toy.v'] }]);
});

test('PROOF_COMPLETE is a request for the gate’s word, and ends nothing', async () => {
  const { outcome, requests, targets } = await drive((_request, number) =>
    number === 0 ? check(ACCEPTED) : { text: 'PROOF_COMPLETE: all done, accepted' },
  );
  expect(outcome).toBe('not-proved');
  expect(told(requests[2])).toMatch(/judge says no[\s\S]*- two/u);
  expect(targets.map(({ written }) => written)).toEqual([[ACCEPTED], []]);
});

test('a proof that stands in the text of an answer is checked as if the tool had been called', async () => {
  const { outcome, requests, targets } = await drive((_request, number) => ({
    text:
      ['Proof.\n  exact wrong.\nQed.', ACCEPTED, `Here it is:\n\`\`\`coq\n${ACCEPTED}\n\`\`\``][number] ?? '',
  }));
  expect(outcome).toBe('proved');
  expect(requests).toHaveLength(3);
  expect(told(requests[1])).toMatch(/proof in your answer was checked[\s\S]*not the right proof/u);
  expect(told(requests[2])).toMatch(/accepted the proof of one[\s\S]*inside the proof of two/u);
  expect(targets.map(({ written }) => written)).toEqual([[ACCEPTED], [ACCEPTED]]);
});

test('a claim of success beside a proof is answered with the gate’s word on both, and one said over and over is none', async () => {
  const { outcome, requests } = await drive(() => ({
    text: 'Proof.\n  exact wrong.\nQed.\nPROOF_COMPLETE: all done',
  }));
  expect(outcome).toBe('not-proved');
  expect(told(requests[1])).toMatch(/not the right proof[\s\S]*judge says no[\s\S]*- one/u);
  // Two are checked, and three in a row are silence.
  expect(requests).toHaveLength(5);
});

test('a target can be gone to; one that is done or not there cannot', async () => {
  const { outcome, requests } = await drive((_request, number) =>
    number === 0
      ? call('task_go_to', { theorem: 'two' })
      : number === 2
        ? call('task_go_to', { theorem: 'two' })
        : check(ACCEPTED),
  );
  expect(outcome).toBe('proved');
  expect(told(requests[1])).toContain('inside the proof of two');
  expect(told(requests[3])).toMatch(/no such open target. Open: one/u);
});

test('the same words are another call inside another theorem, and in a fresh context', async () => {
  const names = ['one', 'two', 'three', 'four'];
  const all = await drive(() => check(ACCEPTED), {}, { names });
  expect(all.outcome).toBe('proved');
  expect(all.requests).toHaveLength(names.length);

  await server?.close();
  server = undefined;
  const { targets, requests } = await drive(
    (request) => (told(request).includes('Write a note') ? { text: 'note' } : check('stuck.')),
    { handoffMessages: 3, contexts: 2 },
  );
  const calls = targets[0]?.made.filter(({ tool }) => tool === 'rocq_check_proof');
  expect(calls).toHaveLength(4);
  expect(JSON.stringify(requests.at(-1)?.messages)).toContain('its answer would be the same');
});

test('going again and again to where one is already is not done', async () => {
  const { requests } = await drive(() => call('task_go_to', { theorem: 'two' }), {
    handoffMessages: 5,
    contexts: 1,
  });
  expect(told(requests[1])).toContain('inside the proof of two');
  expect(told(requests[3])).toContain('inside the proof of two');
  expect(told(requests[4])).toContain('its answer would be the same');
});

test('calls behind one that led to another target are not made there', async () => {
  const { targets, requests } = await drive((_request, number) =>
    number === 0
      ? {
          calls: [ACCEPTED, 'wrong.'].map((proof) => ({
            name: 'rocq_check_proof',
            arguments: JSON.stringify({ proof }),
          })),
        }
      : check(ACCEPTED),
  );
  expect(targets[1]?.made).toHaveLength(1);
  expect(told(requests[1])).toContain('led to another target');
});

describe('handing off', () => {
  const cut = { handoffMessages: 2 };
  const script = (request: ChatRequest, number: number): Reply => {
    if (told(request).includes('Write a note')) return { text: `note ${number}\n# with a heading` };
    return number < 6 ? check(`step ${number}.`) : check(ACCEPTED);
  };

  test('of a note without end the beginning is written, and that it was cut', async () => {
    const endless = `${'x'.repeat(3999)}${'\u{1d54f}'.repeat(500_000)}`;
    const { taskText } = await drive(
      (request) => (told(request).includes('Write a note') ? { text: endless } : check('step.')),
      { ...cut, contexts: 1 },
    );
    expect(taskText).toContain(`${'x'.repeat(3999)}\n\n(Cut: the note went on for 1000000 characters.)`);
    expect(taskText.length).toBeLessThan(10_000);
  });

  test('at the message limit: a note, the state, a fresh context, the same live session', async () => {
    const { outcome, records, requests, taskText, targets } = await drive(script, cut);
    expect(outcome).toBe('proved');
    const handed = kinds(records, 'handed-off');
    expect(handed.length).toBeGreaterThanOrEqual(2);
    expect(handed[0]).toMatchObject({ note: 'note 2\n# with a heading' });
    const written = handed[0]?.kind === 'handed-off' ? handed[0].task : '';
    expect(written).toMatch(/^# Toys\nProve them.\n\n## Handoff\n/u);
    expect(written).toContain('### with a heading');
    expect(taskText).toBe(TASK.text);
    // The fresh context begins anew, with the note in its task.
    expect(requests[3]?.messages).toHaveLength(2);
    expect(told(requests[3], 0)).toContain('note 2');
    // One opening of each theorem, although several contexts worked on the first.
    expect(targets[0]?.made.map(({ tool }) => tool)).toContain('rocq_goals');
    expect(kinds(records, 'session-opened')).toHaveLength(2);
  });

  test('ends when the contexts are used up, and goes on with more of them', async () => {
    const first = await drive(script, { ...cut, contexts: 1 });
    expect(first.outcome).toBe('not-proved');
    expect(foldRun(first.records)?.theorems.map(({ outcome }) => outcome)).toEqual(['open', 'open']);
    const log = new MemoryLog(first.records);
    expect((await drive(script, { ...cut, contexts: 9 }, { log })).outcome).toBe('proved');
  });

  test('a context that would grow larger than the model takes hands off earlier', async () => {
    const { records } = await drive(
      (request, number) =>
        told(request).includes('Write a note')
          ? { text: 'short' }
          : check(number < 4 ? `${'long '.repeat(400)}${number}` : ACCEPTED),
      { contextTokens: 1500 },
    );
    expect(kinds(records, 'handed-off').length).toBeGreaterThan(0);
  });
});

test('killed after any event and resumed, a task ends as an undisturbed one, and pays for nothing twice', async () => {
  const script = (request: ChatRequest): Reply => {
    if (told(request).includes('Write a note')) return { text: 'go on' };
    const proved =
      told(request, 0).includes('[x] one') ||
      JSON.stringify(request.messages).includes('accepted the proof of one');
    return check(request.messages.length < 5 && !proved ? `step ${request.messages.length}.` : ACCEPTED);
  };
  const settings = { handoffMessages: 3 };
  const events = (records: readonly RunRecord[]): string[] =>
    records
      .map(({ event }) => event)
      .filter(({ kind }) => !['run-started', 'run-resumed', 'model-called', 'rechecked'].includes(kind))
      .map((event) => JSON.stringify({ ...event, ms: 0 }))
      // The gate says again what it said before, and what is not found in the file is written again.
      .filter((event, index, all) => all.indexOf(event) === index);
  const whole = await drive(script, settings);
  expect(whole.outcome).toBe('proved');
  for (let room = 1; room < whole.records.length; room++) {
    const log = new MemoryLog([], room);
    const file = { text: TASK.text };
    await expect(drive(script, settings, { log, file })).rejects.toThrow(Killed);
    const resumed = await drive(script, settings, { log: new MemoryLog(log.records), file });
    expect(resumed.outcome).toBe('proved');
    expect(events(resumed.records)).toEqual(events(whole.records));
    expect(resumed.taskText).toBe(whole.taskText);
  }
});

test('what the user says after an interruption reaches the model once, before its next answer', async () => {
  const script = (request: ChatRequest): Reply =>
    JSON.stringify(request.messages).includes('try exact')
      ? check(ACCEPTED)
      : check(`step ${request.messages.length}.`);
  const log = new MemoryLog([], 12);
  await expect(drive(script, {}, { log })).rejects.toThrow(Killed);
  const again = new MemoryLog([
    ...log.records,
    {
      seq: log.records.length,
      at: new Date().toISOString(),
      event: { kind: 'user-said', text: 'try exact' },
    },
  ]);
  const { outcome, records, requests } = await drive(script, {}, { log: again });
  expect(outcome).toBe('proved');
  expect(kinds(records, 'heard')).toMatchObject([{ text: 'try exact' }]);
  const heard = requests
    .at(-1)
    ?.messages.filter(({ content }) => JSON.stringify(content).includes('try exact'));
  expect(heard).toHaveLength(1);
});

test('two targets of one name are refused before anything is spent', async () => {
  await expect(drive(() => check(ACCEPTED), {}, { names: ['one', 'one'] })).rejects.toThrow(/called one/u);
  expect(server?.requests).toEqual([]);
});

test.each([
  ['the first', ['one']],
  ['one that is moved to', ['two']],
])('%s, nested too deep for a session, is told, and the others are proved', async (_, deep) => {
  const { records, requests } = await drive(
    () => check(ACCEPTED),
    {},
    { names: ['one', 'two', 'three'], deep },
  );
  const outcomes = records.flatMap(({ event }) =>
    event.kind === 'theorem-ended' ? [[event.theorem, event.outcome]] : [],
  );
  const [name] = deep;
  expect(Object.fromEntries(outcomes)).toEqual({
    ...{ one: 'proved', two: 'proved', three: 'proved' },
    ...(name !== undefined && { [name]: 'not-proved' }),
  });
  expect(JSON.stringify(records)).toContain('nested too deep');
  expect(requests).toHaveLength(2);
});

test('whoever goes to theorems that are nested too deep is told why the proof of another one is open', async () => {
  const { requests, tried } = await drive(
    (_request, number) =>
      number <= 2 ? call('task_go_to', { theorem: 'two' }) : check(number === 3 ? 'idtac.' : ACCEPTED),
    {},
    { names: ['one', 'two', 'three'], deep: ['two'] },
  );
  expect(tried).toEqual(['two']);
  expect(told(requests[1])).toMatch(
    /Something in two is nested too deep to be worked on\.[\s\S]*inside the proof of one/u,
  );
  expect(told(requests[2])).toContain(
    'Something in two is nested too deep to be worked on. Open: one, three.',
  );
});

test('a theorem that is nested too deep is tried once, also where several are passed over', async () => {
  const { requests, tried } = await drive(
    () => check(ACCEPTED),
    {},
    { names: ['one', 'two', 'three', 'four'], deep: ['two', 'three'] },
  );
  expect(tried).toEqual(['two', 'three']);
  expect(told(requests[1])).toMatch(/Something in two, three is nested too deep[\s\S]*the proof of four/u);
});
