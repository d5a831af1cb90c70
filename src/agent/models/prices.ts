/** What a model's tokens cost: what the settings say, else a table from memory. */
import type { Settings } from '../settings.ts';
import type { ModelName } from './providers.ts';

/** US dollars for a million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
  readonly cachedInput?: number | undefined;
  /** For tokens that are written into the cache; where nothing is said, as `input`. */
  readonly cacheWrite?: number | undefined;
}

export interface Usage {
  readonly inputTokens: number;
  /** Of the input tokens: read from the provider's cache. */
  readonly cachedTokens: number;
  /** Of the input tokens: written into it, where the provider tells that apart. */
  readonly cacheWriteTokens?: number | undefined;
  readonly outputTokens: number;
}

/**
 * Where the prices come from: list prices as Quod's authors remembered them, not looked up. They may be wrong from the
 * start and change in any case; `prices` in the settings goes before them, and a run that uses them says so.
 */
export const PRICES_SOURCE = 'from memory of list prices of mid-2025, not checked';

export const PRICES: Readonly<Record<string, Price>> = {
  'anthropic/claude-opus-4-20250514': { input: 15, output: 75, cachedInput: 1.5, cacheWrite: 18.75 },
  'anthropic/claude-sonnet-4-20250514': { input: 3, output: 15, cachedInput: 0.3, cacheWrite: 3.75 },
  'anthropic/claude-3-7-sonnet-20250219': { input: 3, output: 15, cachedInput: 0.3, cacheWrite: 3.75 },
  'anthropic/claude-3-5-haiku-20241022': { input: 0.8, output: 4, cachedInput: 0.08, cacheWrite: 1 },
  'openai/gpt-4o': { input: 2.5, output: 10, cachedInput: 1.25 },
  'openai/gpt-4o-mini': { input: 0.15, output: 0.6, cachedInput: 0.075 },
  'openai/gpt-4.1': { input: 2, output: 8, cachedInput: 0.5 },
  'openai/o3': { input: 2, output: 8, cachedInput: 0.5 },
  'google/gemini-2.5-pro': { input: 1.25, output: 10, cachedInput: 0.31 },
  'google/gemini-2.5-flash': { input: 0.3, output: 2.5, cachedInput: 0.075 },
  'google/gemini-2.0-flash': { input: 0.1, output: 0.4, cachedInput: 0.025 },
  'deepseek/deepseek-chat': { input: 0.27, output: 1.1, cachedInput: 0.07 },
  'deepseek/deepseek-reasoner': { input: 0.55, output: 2.19, cachedInput: 0.14 },
};

const FREE: Price = { input: 0, output: 0, cachedInput: 0 };

/** Undefined when nobody told what the model costs. */
export function priceOf(
  { full, provider }: ModelName,
  { prices }: Pick<Settings, 'prices'>,
): Price | undefined {
  return prices[full] ?? (provider.free ? FREE : PRICES[full]);
}

/** US dollars; null when the price is not known. */
export function costOf(price: Price | undefined, usage: Usage): number | null {
  if (price === undefined) return null;
  const { inputTokens, cachedTokens, cacheWriteTokens = 0, outputTokens } = usage;
  const fresh = Math.max(0, inputTokens - cachedTokens - cacheWriteTokens);
  const cached = cachedTokens * (price.cachedInput ?? price.input);
  const written = cacheWriteTokens * (price.cacheWrite ?? price.input);
  return (fresh * price.input + cached + written + outputTokens * price.output) / 1e6;
}

/** A rough count where a provider gives none: four characters are about a token. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / 4);
}
