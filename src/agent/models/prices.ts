/** What a model's tokens cost: what the settings say, else a dated list that comes with Quod. */
import { lazyConstant } from '../../core/lazy-constant.ts';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { readRegularFileSync } from '../../process/foreign-folder/regular-file.ts';
import { orZero } from '../../core/entry.ts';
import { QuodError } from '../../core/errors.ts';
import { clause } from '../../core/sentence.ts';
import { unreadableFile } from '../../process/foreign-folder/unreadable-file.ts';
import { dollarsPerMillion } from '../settings.ts';
import type { Settings } from '../settings.ts';
import type { ModelName } from './providers.ts';

/** US dollars for a million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
  readonly cachedInput?: number | undefined;
  /** For tokens that are written into the cache for minutes; where nothing is said, as the protocol's vendor has it. */
  readonly cacheWrite?: number | undefined;
}

export interface Usage {
  readonly inputTokens: number;
  /** Of the input tokens: read from the provider's cache. */
  readonly cachedTokens: number;
  /** Of the input tokens: written into it, where the provider tells that apart. */
  readonly cacheWriteTokens?: number | undefined;
  /** Of those: kept for an hour, which is dearer. */
  readonly cacheWriteHourTokens?: number | undefined;
  readonly outputTokens: number;
}

/** US dollars for a million tokens. */
const priceSchema = z.object({
  input: dollarsPerMillion,
  output: dollarsPerMillion,
  cachedInput: dollarsPerMillion.optional(),
  cacheWrite: dollarsPerMillion.optional(),
  /** One of `sources`. */
  source: z.string().optional(),
});

/** A list of prices as it stands in a file: Quod's own, or the user's newer one. */
const listSchema = z.object({
  date: z.iso.date(),
  sources: z.record(z.string(), z.object({ url: z.string(), read: z.string(), note: z.string() })).default({}),
  /** By `provider/model`. */
  prices: z.record(z.string(), priceSchema),
});

export type PriceList = z.output<typeof listSchema>;

// The same way from src/agent/models and from dist/agent/models.
const OWN_LIST = fileURLToPath(new URL('../../../models/prices.json', import.meta.url));

/** The list that comes with Quod. Each price names where it was read; one that nobody could look up is not in it. */
export const ownPrices = lazyConstant(() => readPrices(OWN_LIST));

/** @throws QuodError `invalid-input` when it is no list of prices. */
export function readPrices(file: string): PriceList {
  let value: unknown;
  try {
    value = JSON.parse(readRegularFileSync(file).toString('utf8'));
  } catch (cause) {
    throw unreadableFile(file, cause, {
      what: 'The list of prices',
      remedy: 'models/prices.json is an example of one.',
    });
  }
  const parsed = listSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new QuodError('invalid-input', `The list of prices is wrong: ${clause(faults.join('; '))}.`, {
    place: { file },
    remedy: 'Write {"date": "2026-11-24", "prices": {"provider/model": {"input": 1, "output": 5}}}.',
  });
}

/** How the price of a model is told. */
export function priceSetting(full: string): string {
  return `--set 'prices={"${full}":{"input":1,"output":5}}' (US dollars for a million tokens)`;
}

/** Of all that a provider has, for where it is not known which of its models worked. */
export function dearestPrice(provider: string): Price | undefined {
  return Object.entries(ownPrices().prices)
    .filter(([name]) => name.startsWith(`${provider}/`))
    .map(([, price]) => price)
    .toSorted((one, other) => other.output - one.output)[0];
}

/** What Anthropic charges for tokens that it keeps, in prices of new ones (its page of prices, see models/prices.json). */
export const CACHE_WRITE_FACTOR = 1.25;
const CACHE_HOUR_FACTOR = 2;

const FREE: Price = { input: 0, output: 0, cachedInput: 0 };

/** Undefined when nobody told what the model costs. */
export function priceOf(
  { full, provider }: ModelName,
  { prices }: Pick<Settings, 'prices'>,
): Price | undefined {
  const price = prices[full] ?? (provider.free ? FREE : ownPrices().prices[full]);
  if (price === undefined || price.cacheWrite !== undefined || provider.protocol !== 'anthropic')
    return price;
  return { ...price, cacheWrite: price.input * CACHE_WRITE_FACTOR };
}

/** What is recorded of a cost or a count that is no finite number: more than any limit, and its sums are numbers. */
export const BEYOND_COUNTING = Number.MAX_SAFE_INTEGER;

/** Whether a cost was counted, and is not what stands for one that could not be. */
export function costIsNumber(cost: number): boolean {
  return cost < BEYOND_COUNTING;
}

/** A log is text: its counts may have fractions, and add up to more than can be counted. */
export function countedUp(sum: number, more: number): number {
  return Math.min(sum + Math.round(more), BEYOND_COUNTING);
}

/** US dollars: what adds up to more than can be counted is no number, as a single cost is that could not be counted. */
export function addedCost(sum: number, more: number): number {
  return Math.min(sum + more, BEYOND_COUNTING);
}

/** What was written into caches is not told apart in it. */
export function plusUsage(sum: Usage | undefined, more: Usage | undefined): Omit<Usage, 'cacheWriteTokens' | 'cacheWriteHourTokens'> {
  return {
    inputTokens: countedUp(orZero(sum?.inputTokens), orZero(more?.inputTokens)),
    cachedTokens: countedUp(orZero(sum?.cachedTokens), orZero(more?.cachedTokens)),
    outputTokens: countedUp(orZero(sum?.outputTokens), orZero(more?.outputTokens)),
  };
}

/** US dollars, a finite number; null when the price is not known. */
export function costOf(price: Price | undefined, usage: Usage): number | null {
  if (price === undefined) return null;
  const { inputTokens, cachedTokens, cacheWriteTokens = 0, cacheWriteHourTokens = 0, outputTokens } = usage;
  const fresh = Math.max(0, inputTokens - cachedTokens - cacheWriteTokens);
  const cached = cachedTokens * (price.cachedInput ?? price.input);
  const write = price.cacheWrite ?? price.input;
  const hour = write * (CACHE_HOUR_FACTOR / CACHE_WRITE_FACTOR);
  const written = (cacheWriteTokens - cacheWriteHourTokens) * write + cacheWriteHourTokens * hour;
  const cost = (fresh * price.input + cached + written + outputTokens * price.output) / 1e6;
  return cost <= BEYOND_COUNTING ? cost : BEYOND_COUNTING;
}

/** A rough count where a provider gives none: four characters are about a token. */
export function estimateTokens(text: string): number {
  return tokensOfLength(text.length);
}

export function tokensOfLength(characters: number): number {
  return Math.ceil(characters / 4);
}
