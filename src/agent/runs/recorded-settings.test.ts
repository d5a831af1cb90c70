/** A secret in every text that settings hold, and everything that is written and told of a run afterwards. */
import { afterEach, expect, test } from 'vitest';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { QuodError } from '../../core/errors.ts';
import { OWN_SETTINGS } from '../configuration/reach.ts';
import { parseModelName } from '../models/providers.ts';
import { runAgent } from '../run.ts';
import { mergeSettings, settingOfText, settingsSchema, type Settings } from '../settings.ts';
import { toyFile, toyTarget } from '../testing/toy-target.ts';
import { exportRun } from './export.ts';
import { recordedSettings } from './recorded-settings.ts';
import { RunLog, parseLog, readRun } from './run-log.ts';

const SECRET = 'hunter2hunter2';
const ADDRESSES = [
  `https://user:${SECRET}@models.example/v1`,
  `https://${SECRET}@models.example/v1`,
  `https://models.example/v1?api_key=${SECRET}`,
  `https://models.example/v1?a=1&token=${SECRET}#${SECRET}`,
];

const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true })));

/** Settings with an address in each place where a text can stand. */
function planted(address: string): Settings {
  const texts = Object.entries(settingsSchema.shape).flatMap(([name, schema]) =>
    schema.safeParse(address).success ? [[name, address]] : [],
  );
  return settingsSchema.parse({
    ...Object.fromEntries(texts),
    models: { planner: address },
    providers: { [address]: { url: address, keyVariable: `sk-${SECRET}` }, plain: { url: address } },
    prices: { [address]: { input: 1, output: 1 } },
  });
}

test('the places are all that settings have', () => {
  const settings = planted('https://models.example/v1');
  const withText = Object.entries(settings).filter(([, value]) => JSON.stringify(value).includes('example'));
  const names = ['model', 'models', 'driverCommand', 'prompts', 'providers', 'prices'];
  expect(withText.map(([name]) => name).sort()).toEqual(names.sort());
});

test.each(ADDRESSES)('with %s in every text, no log and no export holds it', async (address) => {
  const settings = { ...planted(address), model: null, prompts: null };
  const runs = mkdtempSync(join(tmpdir(), 'quod-secrets-'));
  folders.push(runs);
  const log = RunLog.create(runs);
  const request = {
    ...{
      files: [toyFile(toyTarget())],
      settings,
      quod: 'test',
      environment: {},
      permissions: OWN_SETTINGS,
    },
    signal: new AbortController().signal,
  };
  await runAgent({ ...request, log });
  log.close();
  const again = RunLog.reopen(runs, log.name);
  await runAgent({ ...request, log: again });
  again.close();
  const kinds = readRun(runs, log.name).map(({ event }) => event.kind);
  expect(kinds).toEqual(expect.arrayContaining(['run-started', 'run-resumed']));
  for (const entry of readdirSync(runs, { recursive: true, withFileTypes: true }))
    if (entry.isFile())
      expect(readFileSync(join(entry.parentPath, entry.name), 'utf8')).not.toContain(SECRET);
  expect(exportRun(log.name, readRun(runs, log.name))).not.toContain(SECRET);
  expect(JSON.stringify(recordedSettings(planted(address)))).not.toContain(SECRET);
});

test.each(ADDRESSES)('a log that holds %s tells it nobody', (address) => {
  const record = {
    ...{ seq: 0, at: new Date(0).toISOString() },
    event: {
      ...{ kind: 'run-started', format: 1, quod: 'old', file: '/a.v', fileHash: '', theorems: [] },
      settings: planted(address),
    },
  };
  const text = `${JSON.stringify(record)}\n`;
  expect(text).toContain(SECRET);
  const { records } = parseLog(Buffer.from(text), 'old');
  expect(records).toHaveLength(1);
  expect(JSON.stringify(records)).not.toContain(SECRET);
});

// An address without slashes is none for the settings, and its words are those of a refusal.
test.each([...ADDRESSES, `https:user:${SECRET}@models.example/v1`])(
  'settings with %s are refused before anything is asked, in words without it',
  (address) => {
    const refusals = [
      () => mergeSettings({ providers: { mine: { url: address } } }),
      () => mergeSettings({ providers: { mine: { url: 'https://a.example', keyVariable: `sk-${SECRET}` } } }),
      () => settingOfText(`provider={"mine": {"url": "${address}"}}`),
      () => settingOfText(`{"providers": "${address}"}`),
      () => parseModelName(`${address}/model`, { providers: {} }),
    ];
    for (const refused of refusals) {
      expect(refused).toThrow(QuodError);
      try {
        refused();
      } catch (error) {
        expect(String(error)).not.toContain(SECRET);
      }
    }
  },
);
