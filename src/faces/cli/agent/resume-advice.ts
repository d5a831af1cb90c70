/**
 * The command that goes on with a run as it was. A log is not believed in everything (money, what is written, files
 * elsewhere), so that some of what the run was begun with has to be said again: what that is comes out of the settings
 * that the run would be resumed with, by the same way.
 */
import { permissionsHere } from '../../../agent/configuration/permissions.ts';
import { askedModels } from '../../../agent/models/cost-cap.ts';
import type { Price } from '../../../agent/models/prices.ts';
import { Prompts } from '../../../agent/prompt-files.ts';
import { recordedSettings } from '../../../agent/runs/recorded-settings.ts';
import { SETTING_NAMES, flagOf, type SettingName, type Settings } from '../../../agent/settings.ts';
import { QuodError } from '../../../core/errors.ts';
import { shellWord } from '../../../core/shell-text.ts';
import { requireOfThisFolder } from './files-of-folder.ts';
import { here, resumedSettings } from './resumed-settings.ts';

interface Resumable {
  readonly settings: Settings;
  /** Whether it was begun with files outside of this folder ({@link areOutside}): what leads there since is not meant. */
  readonly isOutside: boolean;
  readonly isTask: boolean;
}

export function resumeAdvice(name: string, { settings, isOutside, isTask }: Resumable): string {
  const recorded = recordedSettings(settings);
  const { settings: resumed } = resumedSettings(recorded, {});
  const differing = SETTING_NAMES.filter((one) => isSaidAgain(one, recorded, resumed))
    // The work on a task is in its files, whatever is said.
    .filter((one) => one !== 'write' || !isTask);
  const words = differing.flatMap((one) => wordsOf(one, recorded));
  const outside = isOutside ? ['--outside'] : [];
  return ['quod resume', name, ...outside, ...words].join(' ');
}

function isSaidAgain(name: SettingName, recorded: Settings, resumed: Settings): boolean {
  switch (name) {
    case 'prices':
      return Object.entries(askedPrices(recorded)).some(
        ([model, price]) => priceText(price) !== priceText(resumed.prices[model]),
      );
    case 'prompts':
      return recorded.prompts !== null && arePromptsRefused(recorded.prompts);
    default:
      return JSON.stringify(recorded[name]) !== JSON.stringify(resumed[name]);
  }
}

function wordsOf(name: SettingName, recorded: Settings): readonly string[] {
  switch (name) {
    case 'write':
      return ['--write'];
    case 'allowOpen':
      return ['--allow-open'];
    case 'prices':
      return set(name, askedPrices(recorded));
    default:
      return set(name, recorded[name]);
  }
}

function set(name: SettingName, value: unknown): readonly string[] {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return ['--set', shellWord(`${flagOf(name)}=${text}`)];
}

/** Typed prices stand in the place of all that the log has, so that each model that is asked needs its own. */
function askedPrices(settings: Settings): Settings['prices'] {
  const asked = askedModels(settings);
  return Object.fromEntries(Object.entries(settings.prices).filter(([name]) => asked.includes(name)));
}

function priceText(price: Price | undefined): string {
  // What is read from a cache costs as much as new tokens where nothing else is said, and a log's prices say it.
  return JSON.stringify(
    price && [price.input, price.output, price.cachedInput ?? price.input, price.cacheWrite],
  );
}

function arePromptsRefused(folder: string): boolean {
  try {
    Prompts.read(folder, permissionsHere(here()).borderOfPrompts(folder));
    return false;
  } catch (error) {
    if (error instanceof QuodError) return error.reason === 'outside-workspace';
    throw error;
  }
}

/** @param files Absolute names of all that the log names, the task among them. */
export async function areOutside(files: readonly string[]): Promise<boolean> {
  try {
    await requireOfThisFolder(files, { message: '', remedy: '' });
    return false;
  } catch (error) {
    if (error instanceof QuodError) return error.reason === 'outside-workspace';
    throw error;
  }
}
