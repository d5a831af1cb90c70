/** Runs that a server starts: a real Rocq, a scripted model over real HTTP, messages, stops, and a server that ends. */
import { readdirSync, readFileSync } from 'node:fs';
import { writeFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  startModelServer,
  type ChatRequest,
  type Reply,
  type ScriptedModelServer,
} from '../../agent/testing/scripted-model-server.ts';
import { ownerOfRun, readRun, runsFolder } from '../../agent/runs/run-log.ts';
import { operationNamed } from '../catalogue.ts';
import { openCaller, type Caller } from '../testing/caller.ts';
import { agentEvents, agentSay, agentStart, agentStop, agentResume } from './live-operations.ts';
import { LiveRuns } from './live-runs.ts';

const FILE = `Lemma second : forall n m, n + S m = S (n + m).
Proof.
Admitted.
`;
const KEY = 'gsk_SECRET_1';
const PROOF =
  'Proof. intros n m. induction n as [|n IH]. - reflexivity. - simpl. rewrite IH. reflexivity. Qed.';

let caller: Caller;
let configuration: string;
let server: ScriptedModelServer | undefined;

beforeEach(async () => {
  caller = await openCaller({ 'a.v': FILE });
  configuration = await mkdtemp(join(tmpdir(), 'quod-configuration-'));
  vi.stubEnv('QUOD_CONFIG', configuration);
  vi.stubEnv('GROQ_API_KEY', KEY);
});
afterEach(async () => {
  await caller.close();
  vi.unstubAllEnvs();
  await rm(configuration, { recursive: true });
  await server?.close();
  server = undefined;
});

/** A model that plans anything and does what the test says; keys are in the configuration of the server. */
async function scripted(execute: (request: ChatRequest) => Reply | Promise<Reply>): Promise<void> {
  server = await startModelServer((request) =>
    request.tools === undefined
      ? { text: '{"score": 5, "winner": "pro", "plan": "induction on n"}' }
      : execute(request),
  );
  const settings = {
    ...{ model: 'scripted/rocq', searchFirst: false, planning: 'direct', plans: 1 },
    providers: { scripted: { url: server.url, free: true } },
  };
  await writeFile(join(configuration, 'agent.json'), JSON.stringify(settings));
}

const check = (proof: string): Reply => ({
  calls: [{ name: 'rocq_check_proof', arguments: JSON.stringify({ proof }) }],
});

/** Programs that this process started and that have not ended. */
function processesStarted(): number {
  return readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8')
    .trim()
    .split(/\s+/u)
    .filter((pid) => pid !== '').length;
}

type Events = Awaited<ReturnType<typeof agentEvents.call>>;

/** Everything until the run has ended or `until` holds, asked for piece by piece as a page does. */
async function follow(
  run: string,
  until: (seen: Events['events']) => boolean = () => false,
): Promise<Events> {
  const seen: Events['events'] = [];
  for (;;) {
    const after = seen.at(-1)?.seq ?? -1;
    const answer = await agentEvents.call({ run, after, wait: 30, limit: 3 }, caller.context());
    seen.push(...answer.events);
    if ((!answer.running && !answer.more) || until(seen)) return { ...answer, events: seen };
  }
}

it('a run works while nobody watches, and is read piece by piece without a gap', async () => {
  await scripted(() => check(PROOF));
  const { run } = await agentStart.call({ file: 'a.v', theorems: ['second'], max_cost: 3 }, caller.context());
  const { events, ...end } = await follow(run);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index));
  expect(end).toMatchObject({
    running: false,
    outcome: 'proved',
    max_cost: 3,
    file: 'a.v',
    model: 'scripted/rocq',
  });
  expect(end.theorems).toMatchObject([{ theorem: 'second', outcome: 'proved' }]);
  expect(events.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['planned', 'model-answered', 'tool-answered', 'judged', 'run-ended']),
  );
  expect(events.find(({ kind }) => kind === 'tool-answered')).toMatchObject({
    tool: 'rocq_check_proof',
    outcome: 'proved',
    input: expect.stringContaining('induction n') as unknown,
  });
  const { runs } = await caller.call('agent_runs');
  expect(runs).toMatchObject([{ name: run, running: false, outcome: 'proved', model: 'scripted/rocq' }]);
});

it('hears a message while it works, stops, keeps another message, and goes on with it', async () => {
  let asked: (() => void) | undefined;
  const first = new Promise<void>((resolve) => (asked = resolve));
  let answer: (() => void) | undefined;
  const released = new Promise<void>((resolve) => (answer = resolve));
  let askedAgain: (() => void) | undefined;
  const second = new Promise<void>((resolve) => (askedAgain = resolve));
  const heard: string[] = [];
  let isHolding = true;
  await scripted(async ({ messages }) => {
    const said = messages.filter(({ role }) => role === 'user').map(({ content }) => String(content));
    heard.splice(0, heard.length, ...said);
    if (messages.length < 4) {
      asked?.();
      await released;
      return { calls: [{ name: 'rocq_step', arguments: '{"script": "intros n m."}' }] };
    }
    askedAgain?.();
    if (isHolding) return { silent: true };
    return check(PROOF);
  });
  const { run } = await agentStart.call({ file: 'a.v' }, caller.context());
  await first;
  const said = `Use <b>induction</b>. ${KEY}!`;
  expect(await agentSay.call({ run, text: said }, caller.context())).toMatchObject({ working: true });
  await follow(run, (seen) => seen.some(({ kind }) => kind === 'user-said'));
  answer?.();
  await follow(run, (seen) => seen.some(({ kind }) => kind === 'heard'));
  // The log has the message before the question that carries it reaches the model.
  await second;
  expect(heard.join('\n')).toContain('Use <b>induction</b>.');

  expect(await agentStop.call({ run }, caller.context())).toMatchObject({ outcome: 'interrupted' });
  const more = `Now finish it. ${KEY}?`;
  expect(await agentSay.call({ run, text: more }, caller.context())).toMatchObject({ working: false });
  isHolding = false;
  expect(await agentResume.call({ run, max_tool_calls: 50 }, caller.context())).toEqual({ run });
  const end = await follow(run);
  expect(end).toMatchObject({ outcome: 'proved', max_tool_calls: 50 });
  expect(heard.join('\n')).toContain('Now finish it. [key]?');
  const texts = end.events.filter(({ kind }) => kind === 'user-said').map(({ text }) => text);
  expect(texts).toEqual(['Use <b>induction</b>. [key]!', 'Now finish it. [key]?']);
  expect(end.events.filter(({ kind }) => kind === 'user-said')).toHaveLength(2);
});

it('ends with the server, and its log can be gone on with', async () => {
  let asked: (() => void) | undefined;
  const first = new Promise<void>((resolve) => (asked = resolve));
  await scripted(() => {
    asked?.();
    return { silent: true };
  });
  const { run } = await agentStart.call({ file: 'a.v' }, caller.context());
  await first;
  await caller.services.close();
  const { outcome, running } = await agentEvents.call(
    { run },
    { ...caller.context(), services: (await openCaller()).services },
  );
  expect({ outcome, running }).toEqual({ outcome: 'interrupted', running: false });
});

it.each(['begun', 'gone on with'])(
  'a run that was %s and cannot record its end in time has one when the server has ended',
  async (how) => {
    let asked = Promise.withResolvers<undefined>();
    await scripted(() => {
      asked.resolve(undefined);
      return { silent: true };
    });
    const { run } = await agentStart.call({ file: 'a.v' }, caller.context());
    await asked.promise;
    if (how === 'gone on with') {
      await agentStop.call({ run }, caller.context());
      asked = Promise.withResolvers();
      await agentResume.call({ run }, caller.context());
      await asked.promise;
    }
    const runs = runsFolder(caller.context().workspace.root);
    // As a machine that is too busy for it.
    const owner = ownerOfRun(runs, run);
    if (owner === undefined) throw new Error('Nobody works on the run.');
    process.kill(owner, 'SIGSTOP');
    await caller.services.close();
    const { event } = readRun(runs, run).at(-1) ?? {};
    expect(event).toMatchObject({
      ...{ kind: 'run-ended', outcome: 'interrupted' },
      message: expect.stringMatching(/^0 of 1 proved\. .*did not come to an end by itself/u) as unknown,
    });
    expect(readdirSync(join(runs, run))).toEqual(['events.jsonl']);
  },
);

it.each(['the call is cancelled', 'the server ends'])(
  'where %s before the name of a run is answered, no model is asked and no run is at work',
  async (which) => {
    await scripted(() => check(PROOF));
    const before = processesStarted();
    const cancelled = new AbortController();
    const asked = { signal: cancelled.signal };
    const start = agentStart.call({ file: 'a.v' }, caller.context(asked));
    const refused = expect(start).rejects.toMatchObject({ reason: 'interrupted' });
    await vi.waitFor(() => expect(processesStarted()).toBeGreaterThan(before), 60_000);
    if (which === 'the call is cancelled') cancelled.abort();
    else await caller.services.close();
    await refused;
    expect(server?.requests).toEqual([]);
    expect(processesStarted()).toBe(before);
  },
);

it('what cannot begin is said, with the reason', async () => {
  expect(await caller.failure('agent_start', { file: 'b.v' })).toMatchObject({ reason: 'not-found' });
  expect(await caller.failure('agent_start', { file: '../a.v' })).toMatchObject({
    reason: 'outside-workspace',
  });
  expect(await caller.failure('agent_start', { file: 'a.v', model: 'nobody/x' })).toMatchObject({
    reason: 'invalid-input',
    text: expect.stringMatching(/There is no provider "nobody".*~\/\.config\/quod\/agent\.json/u) as unknown,
  });
  expect(await caller.failure('agent_start', { file: 'a.v', theorems: ['--config=x'] })).toMatchObject({
    reason: 'invalid-input',
  });
  expect(await caller.failure('agent_start', { file: 'a.v', theorems: ['secnd'] })).toMatchObject({
    text: expect.stringContaining('Did you mean second?') as unknown,
  });
  for (const setting of ['providers', 'config', 'set', 'prompts', 'driver'])
    expect(await caller.failure('agent_start', { file: 'a.v', [setting]: 'x' })).toMatchObject({
      reason: 'invalid-input',
    });
  expect(await caller.failure('agent_stop', { run: 'nothing' })).toMatchObject({ reason: 'not-found' });
});

it.each([
  [{ max_time: 1e308 }, /`max_time`: Too big.*1000000000/u],
  [{ max_time: 1e21 }, /`max_time`: Too big.*1000000000/u],
  [{ max_time: 1e-7 }, /`max_time`: Too small.*0\.001/u],
  [{ max_tool_calls: 1e21 }, /`max_tool_calls`: /u],
  [{ max_messages: 0 }, /`max_messages`: Too small/u],
  [{ theorems: ['sec\0ond'] }, /`theorems\.0`: must be a name/u],
  [{ model: `a/${'b'.repeat(200_000)}` }, /`model`: Too big/u],
])('a value that no run can have is told by the name of its field: %o', async (input, told) => {
  expect(await caller.failure('agent_start', { file: 'a.v', ...input })).toMatchObject({
    ...{ reason: 'invalid-input', text: expect.stringMatching(told) as unknown },
  });
});

it.each([
  { max_time: 1e9, max_cost: 1e308, max_tool_calls: Number.MAX_SAFE_INTEGER },
  { max_time: 0.0012, max_cost: Number.MIN_VALUE, max_messages: Number.MAX_SAFE_INTEGER },
])('a value that a field takes begins a run: %o', async (input) => {
  const { run } = await agentStart.call({ file: 'a.v', offline: true, ...input }, caller.context());
  const { max_time, max_cost } = await follow(run);
  expect({ max_time, max_cost }).toEqual({
    max_time: Math.round(input.max_time * 1000) / 1000,
    max_cost: input.max_cost,
  });
});

it('what the command line of a run refuses is told, without how the command is called', async () => {
  const start = new LiveRuns().start(
    caller.context().workspace.root,
    ['agent', '--max-time=never', '--', 'a.v'],
    new AbortController().signal,
  );
  await expect(start).rejects.toMatchObject({
    ...{
      reason: 'invalid-input',
      message: expect.stringMatching(/^The run did not begin: .*Write a time/u) as unknown,
    },
  });
});

it('keys are not answered', async () => {
  const { providers, configured } = await caller.call('agent_providers');
  expect(configured).toBeNull();
  expect(JSON.stringify(providers)).toMatch(
    /"anthropic".*"key_variable":"ANTHROPIC_API_KEY","has_key":(?:true|false)/u,
  );
  expect(JSON.stringify(providers)).not.toMatch(/sk-/u);
  const lines = operationNamed('agent_providers')
    ?.readAnswer({ providers, configured, search_first: true })
    .body()
    .split('\n');
  expect(lines).toHaveLength((providers as unknown[]).length + 1);
  expect(lines?.at(-1)).toMatch(/^configured +no model/u);
  expect(lines).toContainEqual(expect.stringMatching(/^anthropic +ANTHROPIC_API_KEY is (?:not )?set$/u));
});

it('where a model is configured a run without one can be asked for, and no model hears of it', async () => {
  await scripted(() => {
    throw new Error('a model was asked');
  });
  expect(await caller.call('agent_providers')).toMatchObject({
    configured: 'scripted/rocq',
    search_first: false,
  });
  const { run } = await agentStart.call({ file: 'a.v', offline: true, search_first: true }, caller.context());
  expect(await follow(run)).toMatchObject({ model: null, outcome: 'proved', model_calls: 0 });
  expect(server?.requests).toEqual([]);
  expect(
    await caller.failure('agent_start', { file: 'a.v', offline: true, model: 'scripted/rocq' }),
  ).toMatchObject({ reason: 'invalid-input' });
});
