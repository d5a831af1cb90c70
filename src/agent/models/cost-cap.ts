/**
 * What a run may cost when nobody said: a cap, wherever it can be kept. A model of which no price is known has
 * none, since a cap that cannot be kept would be a promise; who asks for one there is told so before the run begins.
 */
import { ROLES } from '../settings.ts';
import type { Settings } from '../settings.ts';
import { priceOf, priceSetting } from './prices.ts';
import type { Price } from './prices.ts';
import { parseModelName } from './providers.ts';

/** US dollars for a run. */
export const DEFAULT_CAP = 5;

export interface KnownPrices {
  readonly dated: string;
  readonly ownFile: string;
}

export interface Capped {
  readonly settings: Settings;
  /** One line for the user before anything is spent; undefined when nothing can be. */
  readonly message: string | undefined;
}

/**
 * @param chosen Whether somebody said what it may cost, if only that there is no limit.
 * @param known Where the prices come from, for people, and the file for the user's own.
 */
export function withCap(settings: Settings, chosen: boolean, { dated, ownFile }: KnownPrices): Capped {
  const priced = pricesOf(settings);
  const prices = priced?.map(({ price }) => price);
  const unknown = priced?.find(({ price }) => price === undefined);
  if (prices !== undefined && prices.every((price) => price !== undefined && isFree(price)))
    return { settings, message: undefined };
  const limited = (maxCost: number): string =>
    `At most $${maxCost} (--max-cost changes that), by ${prices === undefined ? 'what the program tells' : areOwn(settings) ? 'the prices in the settings' : dated}.`;
  // A limit that cannot be kept is refused before anything is asked: nothing is promised of it.
  if (settings.maxCost !== null)
    return { settings, message: unknown === undefined ? limited(settings.maxCost) : undefined };
  if (chosen) return { settings, message: 'No limit on the cost.' };
  if (unknown !== undefined) {
    const message = `No limit on the cost: the price of ${unknown.name} is not known. To have one, name the price with ${priceSetting(unknown.name)} or in ${ownFile}.`;
    return { settings, message };
  }
  return { settings: { ...settings, maxCost: DEFAULT_CAP }, message: limited(DEFAULT_CAP) };
}

interface Priced {
  readonly name: string;
  readonly price: Price | undefined;
}

/** Of each model that is asked; undefined where another program asks them and tells what they cost. */
function pricesOf(settings: Settings): readonly Priced[] | undefined {
  const names = askedModels(settings);
  switch (settings.driver) {
    case 'claude-code':
      return undefined;
    case 'codex':
      return names.map((name) => ({ name, price: settings.prices[name] }));
    case 'quod':
      return names.map((name) => ({ name, price: priceOf(parseModelName(name, settings), settings) }));
  }
}

/** The models whose prices count, by the names that `prices` has them under. */
export function askedModels({ driver, model, models }: Settings): readonly string[] {
  switch (driver) {
    case 'claude-code':
    case 'codex':
      return [`${driver}/${model ?? 'default'}`];
    case 'quod':
      return model === null ? [] : [...new Set(ROLES.map((role) => models[role] ?? model))];
  }
}

/** Whether the settings say what each model costs. */
function areOwn({ driver, model, models, prices }: Settings): boolean {
  if (driver !== 'quod' || model === null) return true;
  return ROLES.every((role) => (models[role] ?? model) in prices);
}

function isFree({ input, output }: Price): boolean {
  return input === 0 && output === 0;
}
