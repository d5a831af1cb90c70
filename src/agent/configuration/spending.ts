/**
 * What a folder or a log says is somebody else's word. Of money: it may make a model dearer and a run shorter, never
 * the other way round. What a model costs, that one costs nothing, and that a run may cost more, the user says. The
 * user also says what is written, and what is enough for success.
 */
import { underName } from '../../core/entry.ts';
import { DEFAULT_CAP } from '../models/cost-cap.ts';
import { CACHE_WRITE_FACTOR, ownPrices } from '../models/prices.ts';
import type { Price } from '../models/prices.ts';
import { mergeSettings } from '../settings.ts';
import type { Layer, Settings } from '../settings.ts';

/** The only value that somebody else's word may give them: nothing is written, and nothing less is enough. */
const CAREFUL: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['write', false],
  ['commit', false],
  ['allowOpen', false],
  ['settleFor', null],
]);

/** @param foreign Settings that the user did not write. @param own All that the user wrote. */
export function cautious(foreign: Layer, own: Layer): Layer {
  const { prices, providers, maxCost } = picked(foreign);
  const mine = picked(own);
  const most = 'maxCost' in own ? (mine.maxCost ?? Number.POSITIVE_INFINITY) : DEFAULT_CAP;
  return {
    ...Object.fromEntries(
      Object.entries(foreign).filter(
        ([name, value]) => name !== 'maxCost' && (!CAREFUL.has(name) || CAREFUL.get(name) === value),
      ),
    ),
    ...('prices' in foreign && { prices: raised(prices, mine.prices) }),
    ...('providers' in foreign && { providers: paid(providers, mine.providers) }),
    ...(maxCost !== null && { maxCost: Math.min(maxCost, most) }),
  };
}

function picked({ prices, providers, maxCost }: Layer): Settings {
  return mergeSettings({ prices, providers, maxCost });
}

/** One that neither the user nor Quod knows stays unknown. */
function raised(foreign: Settings['prices'], mine: Settings['prices']): Settings['prices'] {
  return Object.fromEntries(
    Object.entries(foreign).flatMap(([name, price]) => {
      const known: Price | undefined = mine[name] ?? ownPrices().prices[name];
      return known === undefined ? [] : [[name, dearer(price, known)]];
    }),
  );
}

function dearer(one: Price, other: Price): Settings['prices'][string] {
  const cached = ({ cachedInput, input }: Price): number => cachedInput ?? input;
  const written = ({ cacheWrite, input }: Price): number => cacheWrite ?? input * CACHE_WRITE_FACTOR;
  // Where neither says it, it is as the vendor has it.
  const isSaid = one.cacheWrite !== undefined || other.cacheWrite !== undefined;
  return {
    input: Math.max(one.input, other.input),
    output: Math.max(one.output, other.output),
    cachedInput: Math.max(cached(one), cached(other)),
    ...(isSaid && { cacheWrite: Math.max(written(one), written(other)) }),
  };
}

/** Free is what the user calls so, and what runs on this machine and gets no key. */
function paid(foreign: Settings['providers'], mine: Settings['providers']): Settings['providers'] {
  return Object.fromEntries(
    Object.entries(foreign).map(([name, provider]) => {
      const { url, keyVariable, free } = provider;
      const own = underName(mine, name);
      const isCalledFree = own?.free === true && own.url === url;
      return [name, { ...provider, free: free && (isCalledFree || (keyVariable === null && isHere(url))) }];
    }),
  );
}

function isHere(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d+){3}$/u.test(hostname);
}
