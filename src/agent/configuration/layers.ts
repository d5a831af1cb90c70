/**
 * Where the settings of a run come from: the user's own file, the file of the folder, the environment, the command
 * line, the last one that says something winning. Providers and prices are taken together name by name. What the
 * folder says of money counts only where less is spent for it (`spending.ts`).
 */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isRecord } from '../../core/json.ts';
import { QuodError } from '../../core/errors.ts';
import { unreadableFile } from '../../process/foreign-folder/unreadable-file.ts';
import { configurationDirectory } from '../../process/configuration-directory.ts';
import type { Reach } from '../../process/foreign-folder/allowed.ts';
import { readRegularFileSync } from '../../process/foreign-folder/regular-file.ts';
import { readPrices } from '../models/prices.ts';
import { mergeSettings, settingsOfEnvironment, settingsWritten, variableOf } from '../settings.ts';
import type { Layer, SettingName } from '../settings.ts';
import { reachesOf } from './reach.ts';
import { cautious } from './spending.ts';

const OF_FOLDER = join('.quod', 'agent.json');

/** Of a folder: what it says of prices may only raise them. */
const PRICES_OF_FOLDER = join('.quod', 'prices.json');

/** A list of prices of the user's, for models that Quod's own list lacks or has wrong. */
export function ownPriceList(environment: NodeJS.ProcessEnv): string {
  return join(configurationDirectory(environment), 'prices.json');
}

export interface Place {
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
}

/** What stands in the user's own file, in the environment and in `typed`. */
function ownLayers({ environment }: Place, typed: Layer): readonly Layer[] {
  return [
    together([
      listedPrices(ownPriceList(environment)),
      fileSettings(join(configurationDirectory(environment), 'agent.json'), false),
    ]),
    settingsOfEnvironment(environment),
    typed,
  ];
}

/** What the user wrote themselves reaches for that. */
export function ownReaches(place: Place, typed: Layer): Reach[] {
  return ownLayers(place, typed).flatMap(({ providers, driver, driverCommand }) =>
    reachesOf(mergeSettings({ providers, driver, driverCommand })),
  );
}

/** The folders of prompts that the user wrote themselves. */
export function ownPromptFolders(place: Place, typed: Layer): string[] {
  return ownLayers(place, typed).flatMap(({ prompts }) =>
    typeof prompts === 'string' ? [resolve(place.folder, prompts)] : [],
  );
}

/** All layers as one. @param named A file of settings that the user names, in the place of the folder's. */
export function settingsHere(place: Place, typed: Layer, named?: string): Record<string, unknown> {
  const [own = {}, environment = {}] = ownLayers(place, {});
  if (named !== undefined) return together([own, fileSettings(resolve(named), true), environment, typed]);
  const ofFolder = together([
    listedPrices(resolve(place.folder, PRICES_OF_FOLDER)),
    fileSettings(resolve(place.folder, OF_FOLDER), false),
  ]);
  return together([own, foreignSettings(ofFolder, place, typed), environment, typed]);
}

/** What says a setting that nobody typed: a variable, or a file by its name. Undefined for a default. */
export function originOf(
  name: SettingName,
  { folder, environment }: Place,
  named?: string,
): string | undefined {
  const says = (layer: Layer): boolean => layer[name] !== undefined;
  const file = resolve(folder, named ?? OF_FOLDER);
  const own = join(configurationDirectory(environment), 'agent.json');
  if (says(settingsOfEnvironment(environment))) return variableOf(name);
  if (says(fileSettings(file, false))) return file;
  return says(fileSettings(own, false)) ? own : undefined;
}

/** Settings that the user did not write, as far as they count. @param typed What stands on the command line. */
export function foreignSettings(foreign: Layer, place: Place, typed: Layer): Layer {
  return cautious(foreign, together(ownLayers(place, typed)));
}

/**
 * What a benchmark says of a method goes before all layers, but not of money: a specification that comes with a
 * folder may make a model dearer and a run shorter, and nothing look cheaper than it is.
 */
export function methodSettings(method: Layer, place: Place): Record<string, unknown> {
  const here = settingsHere(place, {});
  return together([here, cautious(method, here)]);
}

function listedPrices(file: string): Layer {
  if (!existsSync(file)) return {};
  const prices = Object.entries(readPrices(file).prices).map(
    ([name, { input, output, cachedInput, cacheWrite }]) => [
      name,
      { input, output, cachedInput, cacheWrite },
    ],
  );
  return { prices: Object.fromEntries(prices) as unknown };
}

const BY_NAME = ['providers', 'prices'];

function together(layers: readonly Layer[]): Record<string, unknown> {
  const merged: Record<string, unknown> = {};
  for (const layer of layers) {
    for (const [name, value] of Object.entries(layer)) {
      const before = merged[name];
      merged[name] =
        BY_NAME.includes(name) && isRecord(before) && isRecord(value) ? { ...before, ...value } : value;
    }
  }
  return merged;
}

function fileSettings(path: string, isNamed: boolean): Layer {
  if (!isNamed && !existsSync(path)) return {};
  try {
    const value: unknown = JSON.parse(readRegularFileSync(path).toString('utf8'));
    if (isRecord(value)) {
      const settings = settingsWritten(value);
      // What is wrong is told with the file that says it.
      mergeSettings(settings);
      return settings;
    }
  } catch (cause) {
    throw unreadableFile(path, cause, { what: 'The configuration' });
  }
  throw new QuodError('invalid-input', 'The configuration is not a JSON object.', { place: { file: path } });
}
