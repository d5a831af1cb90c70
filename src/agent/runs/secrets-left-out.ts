/** The secrets that no log of a run may have: a model may repeat a key that it was told by its server. */
import { recordedSettings } from './recorded-settings.ts';
import type { RunEvent } from './events.ts';

/** What is shorter is no key, and may stand anywhere. */
const SHORTEST_KEY = 8;

export class SecretsLeftOut {
  readonly #keys = new Set<string>();

  add(key: string): void {
    if (key.length >= SHORTEST_KEY) this.#keys.add(key);
  }

  /** The event as it may be recorded: settings without addresses that hold passwords, texts without keys. */
  from<Event extends RunEvent>(said: Event): Event {
    const event = 'settings' in said ? { ...said, settings: recordedSettings(said.settings) } : said;
    const text = JSON.stringify(event);
    if (![...this.#keys].some((key) => text.includes(JSON.stringify(key).slice(1, -1)))) return event;
    const clean = (_: string, value: unknown): unknown =>
      typeof value === 'string'
        ? [...this.#keys].reduce((said, key) => said.replaceAll(key, '[key]'), value)
        : value;
    // The same event, with other texts.
    return JSON.parse(text, clean) as Event;
  }
}
