import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { mergeSettings } from '../settings.ts';
import { DEFAULT_CAP, withCap } from './cost-cap.ts';
import { BEYOND_COUNTING, costOf, ownPrices, plusUsage, priceOf, readPrices } from './prices.ts';
import { PROVIDERS, parseModelName } from './providers.ts';

const folder = mkdtempSync(join(tmpdir(), 'quod-prices-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('each price of the list says where it was read, and is of a provider that Quod knows', () => {
  const { date, sources, prices } = ownPrices();
  expect(date).toMatch(/^20\d\d-\d\d-\d\d$/u);
  for (const [name, { source, input, output, cachedInput }] of Object.entries(prices)) {
    expect(sources[source ?? 'none'], name).toMatchObject({ url: expect.stringMatching(/^https:/u) as string });
    expect(PROVIDERS.map((one) => one.name)).toContain(name.slice(0, name.indexOf('/')));
    expect(output).toBeGreaterThan(input);
    expect(cachedInput).toBeLessThan(input);
  }
});

test('the settings go before the list, and a model that nobody knows has no price', () => {
  const settings = mergeSettings({ prices: { 'anthropic/claude-opus-5': { input: 1, output: 2 } } });
  const price = (name: string) => priceOf(parseModelName(name, settings), settings);
  expect(price('anthropic/claude-opus-5')).toEqual({ input: 1, output: 2, cacheWrite: 1.25 });
  expect(price('anthropic/claude-haiku-4-5')).toMatchObject({ input: 1, output: 5 });
  expect(price('anthropic/claude-unheard-of')).toBeUndefined();
  expect(price('ollama/anything')).toMatchObject({ input: 0, output: 0 });
});

test('what is cached is never dearer than what is new, and every token is paid once', () => {
  const price = { input: 5, output: 25, cachedInput: 0.5, cacheWrite: 6.25 };
  fc.assert(
    fc.property(fc.nat(1e6), fc.nat(1e6), fc.nat(1e6), fc.nat(1e6), (fresh, cached, written, output) => {
      const inputTokens = fresh + cached + written;
      const usage = { inputTokens, cachedTokens: cached, cacheWriteTokens: written, outputTokens: output };
      const sum = fresh * 5 + cached * 0.5 + written * 6.25 + output * 25;
      expect(costOf(price, usage)).toBeCloseTo(sum / 1e6, 9);
    }),
  );
});

test('a cost is a finite number, whatever another program says that it used', () => {
  const price = { input: 1_000_000, output: 1_000_000 };
  for (const inputTokens of [Number.MAX_VALUE, Number.POSITIVE_INFINITY, Number.NaN])
    expect(costOf(price, { inputTokens, cachedTokens: 0, outputTokens: 0 })).toBe(BEYOND_COUNTING);
  expect(() => mergeSettings({ prices: { 'a/b': { input: 1e308, output: 1 } } })).toThrow(
    /input: is more than 1000000 US dollars/u,
  );
});

test('tokens add up to whole numbers that can be counted', () => {
  const used = { inputTokens: 3, cachedTokens: 1.4, cacheWriteTokens: 2, outputTokens: BEYOND_COUNTING };
  expect(plusUsage(undefined, undefined)).toEqual({ inputTokens: 0, cachedTokens: 0, outputTokens: 0 });
  const sum = { inputTokens: 6, cachedTokens: 2, outputTokens: BEYOND_COUNTING };
  expect(plusUsage(plusUsage(undefined, used), used)).toEqual(sum);
  expect(plusUsage(sum, undefined)).toEqual(sum);
});

test('a file that is no list of prices is refused with what is wrong', () => {
  const file = join(folder, 'prices.json');
  for (const [text, why] of [
    ['{', /cannot be read/u],
    ['{"prices": {}}', /date/u],
    ['{"date": "2026-11-24", "prices": {"a/b": {"input": -1, "output": 1}}}', /input/u],
    ['{"date": "2026-11-24", "prices": {"a/b": {"input": 1e308, "output": 1}}}', /input: is more than 1000000/u],
    ['{"date": "2026-11-24", "prices": {"a/b": {"input": 1, "output": 1e999}}}', /output: is no price/u],
  ] as const) {
    writeFileSync(file, text);
    expect(() => readPrices(file)).toThrow(why);
  }
  writeFileSync(file, '{"date": "2027-01-01", "prices": {"a/b": {"input": 1, "output": 2}}}');
  expect(readPrices(file)).toMatchObject({ date: '2027-01-01', prices: { 'a/b': { input: 1, output: 2 } } });
});

test('a run that costs money has a cap unless somebody said otherwise, wherever the cap can be kept', () => {
  const capped = (settings: object, chosen = false) => {
    const { settings: after, message } = withCap(mergeSettings({ ...settings }), chosen, {
      dated: 'prices of today',
      ownFile: '/home/me/prices.json',
    });
    return [after.maxCost, message];
  };
  const paid = { model: 'anthropic/claude-haiku-4-5' };
  expect(capped(paid)).toEqual([DEFAULT_CAP, expect.stringMatching(/At most \$5 .*prices of today/u)]);
  expect(capped({ ...paid, maxCost: 20 }, true)).toEqual([20, expect.stringContaining('At most $20')]);
  expect(capped(paid, true)).toEqual([null, 'No limit on the cost.']);
  expect(capped({ model: 'openai/unheard-of' })).toEqual([
    null,
    expect.stringMatching(/price of openai\/unheard-of is not known.*--set 'prices=.*\/home\/me\/prices\.json/u),
  ]);
  // It is refused then, and nothing is said of a limit before.
  expect(capped({ model: 'openai/unheard-of', maxCost: 1 }, true)).toEqual([1, undefined]);
  expect(capped({ driver: 'codex', maxCost: 1 }, true)).toEqual([1, undefined]);
  expect(capped({ ...paid, models: { critic: 'openai/unheard-of' } })[0]).toBeNull();
  expect(capped({ model: 'ollama/x' })).toEqual([null, undefined]);
  expect(capped({})).toEqual([null, undefined]);
  expect(capped({ driver: 'claude-code' })[0]).toBe(DEFAULT_CAP);
  expect(capped({ driver: 'codex' })[0]).toBeNull();
});

test('what is written into a cache costs what the vendor of the protocol says, where nobody says it', () => {
  const prices = { 'own/a': { input: 10, output: 100 }, 'own/b': { input: 10, output: 100, cacheWrite: 5 } };
  const own = (protocol: 'anthropic' | 'chat') =>
    mergeSettings({ prices, providers: { own: { url: 'http://127.0.0.1:9/v1', protocol } } });
  const usage = { inputTokens: 5000, cachedTokens: 0, cacheWriteTokens: 4000, outputTokens: 0 };
  const cost = (name: string, protocol: 'anthropic' | 'chat', cacheWriteHourTokens = 0) =>
    costOf(priceOf(parseModelName(name, own(protocol)), own(protocol)), { ...usage, cacheWriteHourTokens });
  expect(cost('own/a', 'anthropic')).toBeCloseTo((1000 * 10 + 4000 * 12.5) / 1e6, 12);
  expect(cost('own/a', 'anthropic', 4000)).toBeCloseTo((1000 * 10 + 4000 * 20) / 1e6, 12);
  expect(cost('own/b', 'anthropic')).toBeCloseTo((1000 * 10 + 4000 * 5) / 1e6, 12);
  expect(cost('own/a', 'chat')).toBeCloseTo((5000 * 10) / 1e6, 12);
});
