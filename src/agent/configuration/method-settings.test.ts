/** A specification of a benchmark is a file of a folder, which a stranger may have written: it makes nothing look cheaper. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { DEFAULT_CAP } from '../models/cost-cap.ts';
import { ownPrices, priceOf } from '../models/prices.ts';
import { parseModelName } from '../models/providers.ts';
import { mergeSettings } from '../settings.ts';
import type { Layer, Settings } from '../settings.ts';
import { methodSettings } from './layers.ts';

const KNOWN = Object.keys(ownPrices().prices)[0] ?? 'none';
const MINE = { input: 3, output: 15, cachedInput: 1, cacheWrite: 4 };

function heard(method: Layer, own: object, ofFolder?: object): Settings {
  const config = mkdtempSync(join(tmpdir(), 'quod-config-'));
  const folder = mkdtempSync(join(tmpdir(), 'quod-folder-'));
  onTestFinished(() => {
    for (const one of [config, folder]) rmSync(one, { recursive: true });
  });
  writeFileSync(join(config, 'agent.json'), JSON.stringify(own));
  if (ofFolder !== undefined) writeFileSync(join(folder, 'prices.json'), JSON.stringify(ofFolder));
  return mergeSettings(methodSettings(method, { folder, environment: { QUOD_CONFIG: config } }));
}

const priceIn = (settings: Settings, name: string) => priceOf(parseModelName(name, settings), settings);

test('a method has the price that the user and the list say, or a higher one', () => {
  const prices = { [KNOWN]: { input: 0, output: 0 }, 'openai/mine': { input: 0.1, output: 20 } };
  const settings = heard({ prices, model: KNOWN }, { prices: { 'openai/mine': MINE } });
  expect(priceIn(settings, KNOWN)).toMatchObject({
    input: ownPrices().prices[KNOWN]?.input,
    output: ownPrices().prices[KNOWN]?.output,
  });
  expect(priceIn(settings, 'openai/mine')).toEqual({ ...MINE, output: 20 });
  expect(settings.model).toBe(KNOWN);
});

test('a method that names no prices, or none of a model, leaves those of the user', () => {
  for (const prices of [{}, { [KNOWN]: { input: 1000, output: 1000 } }])
    expect(priceIn(heard({ prices }, { prices: { 'openai/mine': MINE } }), 'openai/mine')).toEqual(MINE);
});

test('a method may shorten what a run may cost, and calls no server free that the user does not', () => {
  expect(heard({ maxCost: 1000 }, {}).maxCost).toBe(DEFAULT_CAP);
  expect(heard({ maxCost: 1000 }, { maxCost: 20 }).maxCost).toBe(20);
  expect(heard({ maxCost: null }, { maxCost: 2 }).maxCost).toBe(2);
  expect(heard({ maxCost: 1 }, { maxCost: 20 }).maxCost).toBe(1);
  const url = 'https://models.example/v1';
  expect(heard({ providers: { it: { url, free: true } } }, {}).providers['it']?.free).toBe(false);
});
