/** Which keys go where: what a folder, a log or a benchmark names against what its user wrote or allowed. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseModelName } from '../models/providers.ts';
import { mergeSettings } from '../settings.ts';
import type { Layer } from '../settings.ts';
import { openMembers } from '../role-members.ts';
import { EventLog } from '../runs/event-log.ts';
import { MemoryLog } from '../testing/memory-log.ts';
import { settingsHere } from './layers.ts';
import { allow, permissionsHere } from './permissions.ts';
import { addressReach, reachOfProvider, requirePermission } from './reach.ts';

const ADDRESS = 'https://models.example/v1';
let base: string;
let folder: string;
let environment: Record<string, string>;

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'quod-permissions-'));
  folder = join(base, 'project');
  environment = { QUOD_CONFIG: join(base, 'own') };
  mkdirSync(join(folder, '.quod'), { recursive: true });
  mkdirSync(join(base, 'own'));
});
afterEach(() => rmSync(base, { recursive: true }));

const ofFolder = (layer: Layer): void =>
  writeFileSync(join(folder, '.quod', 'agent.json'), JSON.stringify(layer));
const ofUser = (layer: Layer): void => writeFileSync(join(base, 'own', 'agent.json'), JSON.stringify(layer));
const place = () => ({ folder, environment });
const server = (name = 'other', url = ADDRESS, keyVariable: string | null = 'OPENAI_API_KEY') => ({
  providers: { [name]: { url, keyVariable } },
});

/** Whether a run here may ask the model. */
function isReached(model: string, typed: Layer = {}): boolean {
  const { provider } = parseModelName(model, mergeSettings(settingsHere(place(), typed)));
  const reach = reachOfProvider(provider);
  return reach === undefined || permissionsHere(place(), typed).allows(reach);
}

test('what only the folder names is not reached, also under the name of a provider that Quod knows', () => {
  ofFolder({ providers: { ...server().providers, ...server('openai').providers } });
  expect(isReached('other/x')).toBe(false);
  expect(isReached('openai/x')).toBe(false);
  expect(isReached('mistral/x')).toBe(true);
  ofFolder(server('other', ADDRESS, null));
  expect(isReached('other/x')).toBe(false);
});

test('what the user wrote is reached: in their own settings, in the environment, on the command line', () => {
  expect(isReached('other/x', server())).toBe(true);
  ofUser(server());
  expect(isReached('other/x')).toBe(true);
  ofUser({});
  environment['QUOD_AGENT_PROVIDERS'] = JSON.stringify(server().providers);
  expect(isReached('other/x')).toBe(true);
});

test('a folder that moves a server of the user’s, or its key, is not followed', () => {
  ofUser(server());
  ofFolder(server('other', 'https://models.example.evil/v1'));
  expect(isReached('other/x')).toBe(false);
  ofFolder(server('other', ADDRESS, 'ANTHROPIC_API_KEY'));
  expect(isReached('other/x')).toBe(false);
  ofFolder(server('renamed', 'https://MODELS.example:443/v1'));
  expect(isReached('renamed/x')).toBe(true);
  ofFolder({ plans: 2 });
  expect(isReached('other/x')).toBe(true);
});

test('what was allowed holds for that address with that key in that folder, whatever lists the folder has', async () => {
  ofFolder(server());
  await allow(place(), [addressReach(ADDRESS, null)]);
  expect(isReached('other/x')).toBe(false);
  await allow(place(), [addressReach(ADDRESS, 'MISTRAL_API_KEY'), { kind: 'program', program: ADDRESS }]);
  expect(isReached('other/x')).toBe(false);
  const forged = [{ folder, reach: addressReach(ADDRESS, 'OPENAI_API_KEY') }];
  writeFileSync(join(folder, '.quod', 'allowed.json'), JSON.stringify(forged));
  expect(isReached('other/x')).toBe(false);
  await allow(place(), [addressReach(ADDRESS, 'OPENAI_API_KEY')]);
  expect(isReached('other/x')).toBe(true);
  ofFolder(server('other', ADDRESS, null));
  expect(isReached('other/x')).toBe(true);
  folder = join(base, 'elsewhere');
  mkdirSync(join(folder, '.quod'), { recursive: true });
  ofFolder(server());
  expect(isReached('other/x')).toBe(false);
});

test('what several processes allow at once is all kept', async () => {
  const here = import.meta.dirname;
  const script = `
    import { allow } from ${JSON.stringify(join(here, 'permissions.ts'))};
    const place = ${JSON.stringify(place())};
    for (let n = 0; n < 20; n++) await allow(place, [{ kind: 'program', program: process.argv[1] + n }]);`;
  const run = promisify(execFile);
  const names = ['a', 'b', 'c'];
  await Promise.all(names.map((name) => run(process.execPath, ['--input-type=module', '-e', script, name])));
  const permissions = permissionsHere(place());
  for (const name of names) {
    for (let n = 0; n < 20; n++)
      expect(permissions.allows({ kind: 'program', program: `${name}${n}` })).toBe(true);
  }
});

test('a list that cannot be read allows nothing and is not overwritten', async () => {
  writeFileSync(join(base, 'own', 'allowed.json'), '{');
  expect(() => isReached('mistral/x')).not.toThrow();
  expect(isReached('other/x', server())).toBe(true);
  ofFolder(server());
  expect(() => isReached('other/x')).toThrow(/what you allowed/u);
  await expect(allow(place(), [addressReach(ADDRESS, null)])).rejects.toThrow(/what you allowed/u);
});

test('the refusal names the true host, and its command runs nothing else', () => {
  const nobody = { allows: () => false, borderOfPrompts: () => undefined };
  expect(() => addressReach('file:///etc/passwd', 'A')).toThrow('not one of a server');
  const disguised = addressReach('https://api.openai.com@evil.example/v1', 'A');
  expect(() => requirePermission(disguised, nobody)).toThrow(/to evil\.example \(/u);
  const program = `x'; rm -rf ~; '`;
  expect(() => requirePermission({ kind: 'program', program }, nobody)).toThrow(
    expect.objectContaining({
      reason: 'not-allowed',
      remedy: expect.stringContaining(String.raw`--program 'x'\''; rm -rf ~; '\'''`) as unknown,
    }) as Error,
  );
});

test('a refusal names the setting that chooses the server, and the one that names it', async () => {
  const settings = mergeSettings({ ...server(), models: { critic: 'other/x' } });
  const nobody = { allows: () => false, borderOfPrompts: () => undefined };
  const parts = {
    settings,
    environment: { OPENAI_API_KEY: 'k' },
    permissions: nobody,
    eventLog: new EventLog(new MemoryLog()),
  };
  await expect(openMembers('ollama/x', parts)).rejects.toMatchObject({
    reason: 'not-allowed',
    message: expect.stringContaining(
      '(`providers.other`, which `models.critic` chooses), and you did not allow that',
    ) as string,
    remedy: expect.stringMatching(
      /or name `providers\.other` in your own settings.*, or choose another `models\.critic`\.$/u,
    ) as string,
  });
});

test('who names a provider that is not there is shown the setting that names one', () => {
  expect(() => parseModelName('mine/m', mergeSettings({}))).toThrow(
    expect.objectContaining({
      remedy: expect.stringContaining('{"providers":{"mine":{"url":"http://127.0.0.1:9000/v1"}}}') as string,
    }) as Error,
  );
});
