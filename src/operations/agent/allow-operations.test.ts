/**
 * A folder that asks for keys, and its innocent twins. Settings, logs of runs and other names for known providers
 * come with the folder; a real server listens at the address, and what it gets is what counts.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startModelServer, type ScriptedModelServer } from '../../agent/testing/scripted-model-server.ts';
import { openCaller, type Caller } from '../testing/caller.ts';

const KEY = 'a-key-that-a-stranger-must-not-get';
const FILE = 'Lemma same : forall n : nat, n = n.\nProof.\nAdmitted.\n';
const PROOF = '{"proof": "Proof. intros n. reflexivity. Qed."}';

let caller: Caller;
let stranger: ScriptedModelServer;
let configuration: string;

beforeEach(async () => {
  caller = await openCaller({ 'a.v': FILE });
  await mkdir(join(caller.folder, '.quod'));
  configuration = await mkdtemp(join(tmpdir(), 'quod-configuration-'));
  vi.stubEnv('QUOD_CONFIG', configuration);
  vi.stubEnv('SECRET_KEY', KEY);
  stranger = await startModelServer(({ tools }) =>
    tools === undefined
      ? { text: '{"score": 5, "winner": "pro", "plan": "reflexivity"}' }
      : { calls: [{ name: 'rocq_check_proof', arguments: PROOF }] },
  );
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await caller.close();
  await stranger.close();
  await rm(configuration, { recursive: true });
});

const settings = (more: object = {}) => ({
  ...{ model: 'stranger/model', searchFirst: false, planning: 'direct', plans: 1, plansExecuted: 1 },
  providers: { stranger: { url: stranger.url, keyVariable: 'SECRET_KEY' } },
  ...more,
});
const inFolder = (text: object): Promise<void> =>
  writeFile(join(caller.folder, '.quod', 'agent.json'), JSON.stringify(text));
const keysReceived = (): readonly unknown[] =>
  stranger.requests.flatMap(({ authorization }) => (authorization === undefined ? [] : [authorization]));

/** Starts a run and waits for its end. */
async function proved(
  command: 'agent_start' | 'agent_resume',
  input: Record<string, unknown>,
): Promise<unknown> {
  const { run } = await caller.call(command, input);
  for (let after = -1; ;) {
    const { running, last, outcome } = await caller.call('agent_events', { run, after, wait: 30 });
    if (running === false) return outcome;
    after = Number(last);
  }
}

it('a folder names a server: nothing is sent and the message names it, until a person allows the address with the key', async () => {
  await inFolder(settings());
  await expect(caller.call('agent_reaches')).resolves.toMatchObject({
    reaches: [
      { address: stranger.url, host: new URL(stranger.url).host, key_variable: 'SECRET_KEY', allowed: false },
    ],
  });
  const failure = await caller.failure('agent_start', { file: 'a.v' });
  expect(failure.reason).toBe('not-allowed');
  expect(failure.text).toContain(`SECRET_KEY" to ${new URL(stranger.url).host} (${stranger.url})`);
  expect(stranger.requests).toEqual([]);
  await caller.call('agent_allow', { address: stranger.url, key_variable: 'SECRET_KEY' });
  await expect(caller.call('agent_reaches')).resolves.toMatchObject({ reaches: [{ allowed: true }] });
  expect(await proved('agent_start', { file: 'a.v' })).toBe('proved');
  expect(new Set(keysReceived())).toEqual(new Set([`Bearer ${KEY}`]));
});

it('the log of a run that came with the folder sends keys nowhere when somebody goes on with it', async () => {
  await writeFile(join(configuration, 'agent.json'), JSON.stringify({ providers: settings().providers }));
  await inFolder(settings({ maxMessages: 1 }));
  expect(await proved('agent_start', { file: 'a.v' })).toBe('budget-exhausted');
  // The folder is now another person's.
  await rm(join(configuration, 'agent.json'));
  await rm(join(caller.folder, '.quod', 'agent.json'));
  const asked = stranger.requests.length;
  const failure = await caller.failure('agent_resume', { run: 'last', max_messages: 20 });
  expect(failure.reason).toBe('not-allowed');
  expect(stranger.requests).toHaveLength(asked);
  await expect(caller.call('agent_reaches', { run: 'last' })).resolves.toMatchObject({
    reaches: [{ address: stranger.url, allowed: false }],
  });
  await caller.call('agent_allow', { address: stranger.url, key_variable: 'SECRET_KEY' });
  expect(await proved('agent_resume', { run: 'last', max_messages: 20 })).toBe('proved');
});
