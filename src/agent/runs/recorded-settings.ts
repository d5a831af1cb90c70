/**
 * The one way in which settings become part of a record, and in which those of a record are read: without passwords and
 * keys. Settings that people write hold none (`settings.ts` refuses them); a log that is older, or that somebody else
 * wrote, may.
 */
import { textWithoutCredentials, withoutCredentials } from '../address-credentials.ts';
import { isVariableName, type Settings } from '../settings.ts';

export function recordedSettings(settings: Settings): Settings {
  const providers = Object.entries(settings.providers).map(
    ([name, { url, keyVariable, ...rest }]): [string, Provider] => {
      // The key itself, by mistake.
      const variable = keyVariable === null || isVariableName(keyVariable) ? keyVariable : NO_NAME;
      return [name, { url: withoutCredentials(url), keyVariable: variable, ...rest }];
    },
  );
  // The same settings, with other texts.
  return withCleanTexts({ ...settings, providers: Object.fromEntries(providers) }) as Settings;
}

type Provider = Settings['providers'][string];

const NO_NAME = 'NOT_A_NAME';

/** Every text of a value, names of fields among them. */
function withCleanTexts(value: unknown): unknown {
  if (typeof value === 'string') return textWithoutCredentials(value);
  if (Array.isArray(value)) return value.map(withCleanTexts);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inside]) => [textWithoutCredentials(name), withCleanTexts(inside)]),
  );
}
