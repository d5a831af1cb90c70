/**
 * The table of settings in docs/agents/agent.md; a test says when the page is out of date, and prints what belongs
 * there.
 */
import { orNothing } from '../core/entry.ts';
import { SETTING_NAMES, flagOf, mergeSettings, settingsSchema } from './settings.ts';

export function settingsTable(): string {
  const defaults = mergeSettings();
  return [
    '| setting | default | |',
    '|---|---|---|',
    ...SETTING_NAMES.map(
      (name) =>
        `| \`${flagOf(name)}\` | \`${JSON.stringify(defaults[name])}\` | ${orNothing(settingsSchema.shape[name].description)} |`,
    ),
  ].join('\n');
}
