/** What a run that ended early is said to go on with has to be enough: the settings are the same, and nothing is refused. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { PROMPT_NAMES } from '../../../agent/prompt-files.ts';
import { mergeSettings, type Layer } from '../../../agent/settings.ts';
import { startModelServer } from '../../../agent/testing/scripted-model-server.ts';
import { runQuod } from '../testing/run-quod.ts';
import { areOutside, resumeAdvice } from './resume-advice.ts';

let folder: string;
const elsewhere = mkdtempSync(join(tmpdir(), 'quod-elsewhere-'));
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quod-advice-'));
  vi.stubEnv('QUOD_CONFIG', join(folder, 'configuration'));
  vi.spyOn(process, 'cwd').mockReturnValue(folder);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const PRICE = { 'mine/dear': { input: 1, output: 5 } };
const MINE = { providers: { mine: { url: 'https://models.example/v1' } }, model: 'mine/dear' };

const advised = async (
  settings: Layer,
  { file = join(folder, 'a.v'), isTask = false } = {},
): Promise<string> =>
  resumeAdvice('run-1', { settings: mergeSettings(settings), isOutside: await areOutside([file]), isTask });

test.each<[string, Layer, string]>([
  ['nothing', {}, ''],
  ['what is written', { write: true }, ' --write'],
  ['open statements', { allowOpen: true }, ' --allow-open'],
  ['whose word is enough', { settleFor: 'holmake' }, ' --set settle-for=holmake'],
  [
    'prices of nobody’s list',
    { ...MINE, maxCost: 5, prices: PRICE },
    ` --set 'prices=${JSON.stringify(PRICE)}'`,
  ],
  ['prices of models that are not asked', { prices: PRICE }, ''],
  [
    'a price below that of Quod’s list',
    {
      model: 'anthropic/claude-sonnet-4-5',
      maxCost: 5,
      prices: { 'anthropic/claude-sonnet-4-5': { input: 0.1, output: 0.1 } },
    },
    ` --set 'prices={"anthropic/claude-sonnet-4-5":{"input":0.1,"output":0.1}}'`,
  ],
  ['a higher limit', { model: 'anthropic/claude-sonnet-4-5', maxCost: 9 }, ' --set max-cost=9'],
  ['no limit', { model: 'anthropic/claude-sonnet-4-5', maxCost: null }, ' --set max-cost=null'],
  ['a limit that the log may have', { model: 'anthropic/claude-sonnet-4-5', maxCost: 2 }, ''],
  [
    'a server that is called free',
    { model: 'mine/dear', providers: { mine: { url: 'https://models.example/v1', free: true } } },
    ` --set 'providers={"mine":{"url":"https://models.example/v1","keyVariable":null,"free":true,"protocol":null}}'`,
  ],
])('said again: %s', async (_, settings, words) => {
  const advice = await advised(settings);
  expect(advice).toBe(`quod resume run-1${words}`);
});

test('files and prompts that lie elsewhere are meant again; what a task writes is not', async () => {
  const prompts = join(elsewhere, 'prompts');
  mkdirSync(prompts, { recursive: true });
  writeFileSync(join(prompts, `${PROMPT_NAMES[0] ?? ''}.md`), '');
  expect(await advised({}, { file: join(elsewhere, 'b.v') })).toBe('quod resume run-1 --outside');
  expect(await advised({ prompts })).toBe(`quod resume run-1 --set prompts=${prompts}`);
  expect(await advised({ write: true }, { isTask: true })).toBe('quod resume run-1');
});

test('a run that was begun with a price goes on with the very command that its last line has', async () => {
  writeFileSync(join(folder, 'a.v'), 'Lemma two : 1 + 1 = 2.\nProof.\nAdmitted.\n');
  const server = await startModelServer((_request, number) =>
    number === 0
      ? { text: 'Plan: compute.' }
      : { calls: [{ name: 'rocq_check_proof', arguments: '{"proof":"Proof. reflexivity. Qed."}' }] },
  );
  try {
    const providers = { mine: { url: server.url } };
    const settings = [`providers=${JSON.stringify(providers)}`, `prices=${JSON.stringify(PRICE)}`, 'plans=1'];
    const started = [
      'agent',
      'a.v',
      '--model',
      'mine/dear',
      '--no-search-first',
      '--write',
      '--max-messages',
      '1',
    ];
    const first = await runQuod([...started, '--set', ...settings], folder);
    const [, advice = ''] = /^Go on with: quod (.*) and a larger budget/mu.exec(first.stderr) ?? [];
    expect(advice, first.stderr).toContain('--set');
    const words = [...advice.matchAll(/'([^']*)'|(\S+)/gu)].map(([, quoted, bare]) => quoted ?? bare ?? '');
    const again = await runQuod([...words, '--max-messages', '9'], folder);
    expect(again, again.stderr).toMatchObject({ exitCode: 0 });
    expect(again.stderr).toContain('1 proof written');
  } finally {
    await server.close();
  }
});
