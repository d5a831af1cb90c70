/**
 * What a run may cost when nobody said: a cap, wherever it can be kept. A model of which no price is known has
 * none, since a cap that cannot be kept would be a promise; who asks for one there is told so before the run begins.
 */
import { ROLES } from '../settings.ts';
import type { Settings } from '../settings.ts';
import { priceOf } from './prices.ts';
import type { Price } from './prices.ts';
import { parseModelName } from './providers.ts';

/** US dollars for a run. */
export const DEFAULT_CAP = 5;

export interface Capped {
  readonly settings: Settings;
  /** One line for the user before anything is spent; undefined when nothing can be. */
  readonly message: string | undefined;
}

/**
 * @param chosen Whether somebody said what it may cost, if only that there is no limit.
 * @param dated Where the prices come from, for people.
 */
export function withCap(settings: Settings, chosen: boolean, dated: string): Capped {
  const prices = pricesOf(settings);
  if (prices !== undefined && prices.every((price) => price !== undefined && isFree(price)))
    return { settings, message: undefined };
  const limited = (maxCost: number): string =>
    `At most $${maxCost} (--max-cost changes that), by ${prices === undefined ? 'what the program tells' : areOwn(settings) ? 'the prices in the settings' : dated}.`;
  if (settings.maxCost !== null) return { settings, message: limited(settings.maxCost) };
  if (chosen) return { settings, message: 'No limit on the cost.' };
  if (prices?.includes(undefined) === true)
    return {
      settings,
      message: 'No limit on the cost: the price of a model is not known. Set `prices` to have one.',
    };
  return { settings: { ...settings, maxCost: DEFAULT_CAP }, message: limited(DEFAULT_CAP) };
}

/** Of each model that is asked; undefined where another program asks them and tells what they cost. */
function pricesOf(settings: Settings): readonly (Price | undefined)[] | undefined {
  const { driver, model, models } = settings;
  switch (driver) {
    case 'claude-code':
      return undefined;
    case 'codex':
      return [settings.prices[`codex/${model ?? 'default'}`]];
    case 'quod': {
      if (model === null) return [];
      const names = new Set(ROLES.map((role) => models[role] ?? model));
      return [...names].map((name) => priceOf(parseModelName(name, settings), settings));
    }
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
