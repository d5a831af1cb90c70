/** With what a run proves: a model, another program, or the offline search alone. */
import { QuodError } from '../core/errors.ts';
import type { Settings } from './settings.ts';

/** Whether nobody but the offline search works. */
export function worksAlone({ model, driver }: Pick<Settings, 'model' | 'driver'>): boolean {
  return model === null && driver === 'quod';
}

/** @throws QuodError `invalid-input` when there are none. */
export function requireMeans(settings: Settings): void {
  if (worksAlone(settings) && !settings.searchFirst)
    throw new QuodError(
      'invalid-input',
      'There is nothing to prove with: no model is named, and the offline search is off.',
      { remedy: 'Name a model with --model PROVIDER/MODEL, or leave --no-search-first out.' },
    );
}
