import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DEFAULT_CAP } from '../models/cost-cap.ts';
import { ownPrices, priceOf } from '../models/prices.ts';
import { parseModelName } from '../models/providers.ts';
import { mergeSettings } from '../settings.ts';
import type { Layer } from '../settings.ts';
import { cautious } from './spending.ts';

const KNOWN = Object.keys(ownPrices().prices)[0] ?? 'none';
const UNKNOWN = 'openai/nobody-knows-it';
const amount = fc.double({ min: 0, max: 100, noNaN: true });
const price = fc.record(
  { input: amount, output: amount, cachedInput: amount, cacheWrite: amount },
  { requiredKeys: ['input', 'output'] },
);
const prices = fc.dictionary(fc.constantFrom(KNOWN, UNKNOWN, 'openai/mine'), price);

test('whatever a folder says, no token becomes cheaper, and no price becomes known', () => {
  fc.assert(
    fc.property(prices, prices, (foreign, own) => {
      const heard = cautious({ prices: foreign }, { prices: own });
      for (const name of [KNOWN, UNKNOWN, 'openai/mine']) {
        const of = (...layers: object[]) =>
          priceOf(
            parseModelName(name, mergeSettings()),
            mergeSettings({ prices: Object.assign({}, ...layers) as unknown }),
          );
        const before = of(own);
        const after = of(own, heard['prices'] as object);
        expect(after === undefined).toBe(before === undefined);
        if (after === undefined || before === undefined) continue;
        expect(after.input).toBeGreaterThanOrEqual(before.input);
        expect(after.output).toBeGreaterThanOrEqual(before.output);
        expect(after.cachedInput ?? after.input).toBeGreaterThanOrEqual(before.cachedInput ?? before.input);
        expect(after.cacheWrite ?? after.input).toBeGreaterThanOrEqual(before.cacheWrite ?? before.input);
      }
    }),
  );
});

test('a folder may shorten what a run may cost, never lengthen it', () => {
  expect(cautious({ maxCost: null, plans: 2 }, {})).toEqual({ plans: 2 });
  expect(cautious({ maxCost: 1e6 }, {})).toEqual({ maxCost: DEFAULT_CAP });
  expect(cautious({ maxCost: 1e6 }, { maxCost: 20 })).toEqual({ maxCost: 20 });
  expect(cautious({ maxCost: 30 }, { maxCost: null })).toEqual({ maxCost: 30 });
  expect(cautious({ maxCost: 0.5 }, {})).toEqual({ maxCost: 0.5 });
});

test('only the user calls a server free, but for one on this machine that gets no key', () => {
  const free = (url: string, keyVariable: string | null, own: Layer = {}) => {
    const layer = { providers: { it: { url, keyVariable, free: true } } };
    return mergeSettings(cautious(layer, own)).providers['it']?.free;
  };
  const url = 'https://models.example/v1';
  expect(free(url, null)).toBe(false);
  expect(free('http://127.0.0.1:8080/v1', null)).toBe(true);
  expect(free('http://localhost/v1', 'OPENAI_API_KEY')).toBe(false);
  expect(free('http://127.0.0.1.example/v1', null)).toBe(false);
  expect(free(url, null, { providers: { it: { url, free: true } } })).toBe(true);
  expect(free(url, null, { providers: { it: { url: 'https://other.example/v1', free: true } } })).toBe(false);
});

test('no folder and no log writes, commits or settles for less where the user does not', () => {
  const wanted = { write: true, commit: true, allowOpen: true, settleFor: 'holmake' };
  expect(cautious(wanted, {})).toEqual({});
  const careful = { write: false, commit: false, allowOpen: false, settleFor: null };
  expect(cautious({ ...careful, plans: 2 }, {})).toEqual({ ...careful, plans: 2 });
});
