/** The secrets that no log of a run may have: a model may repeat a key that it was told by its server. */
import { recordedSettings } from './recorded-settings.ts';
import type { RunEvent } from './events.ts';

/** What is shorter is no key, and may stand anywhere. */
const SHORTEST_KEY = 8;

export class SecretsLeftOut {
  readonly #forms = new Map<string, RegExp>();

  add(key: string): void {
    for (const form of formsOf(key)) this.#forms.set(form, writtenAnyhow(form));
  }

  /** The event as it may be recorded: settings without addresses that hold passwords, texts without keys. */
  from<Event extends RunEvent>(said: Event): Event {
    const event = 'settings' in said ? { ...said, settings: recordedSettings(said.settings) } : said;
    const text = JSON.stringify(event);
    // The same event, with other texts.
    return this.#fromText(text) === text ? event : (this.#fromValue(event) as Event);
  }

  /** Names of fields among them: a model chooses those of the arguments of its calls. */
  #fromValue(value: unknown): unknown {
    if (typeof value === 'string') return this.#fromText(value);
    if (Array.isArray(value)) return value.map((one) => this.#fromValue(one));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, inside]) => [this.#fromText(name), this.#fromValue(inside)]),
    );
  }

  #fromText(text: string): string {
    return [...this.#forms.values()].reduce((said, form) => said.replace(form, '[key]'), text);
  }
}

/** A text without one key, however that is written in it. */
export function textWithoutKey(text: string, key: string): string {
  return formsOf(key).reduce((said, form) => said.replace(writtenAnyhow(form), '[key]'), text);
}

/** A key as it is sent, and what it is without quotation marks that came into the variable with it. */
function formsOf(key: string): readonly string[] {
  const sent = key.trim();
  const bare = sent.replace(/^(["'])(.*)\1$/su, '$2');
  return [...new Set([sent, bare])].filter(({ length }) => length >= SHORTEST_KEY);
}

/** What JSON writes behind a backslash instead of a character, as a pattern. */
const SHORT_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\n', 'n'],
  ['\r', 'r'],
  ['\t', 't'],
  ['\b', 'b'],
  ['\f', 'f'],
  ['"', '"'],
  ['/', '\\/'],
  ['\\', '\\\\'],
]);

/**
 * The key in a text, and in JSON that is written in a text, and so on: each character may be escaped, whether it needs that
 * or not, and each backslash again.
 */
function writtenAnyhow(key: string): RegExp {
  const character = (one: string): string => {
    const units = one.split('').map((unit) => unit.charCodeAt(0).toString(16).padStart(4, '0'));
    const literal = units.map((digits) => String.raw`\u${digits}`).join('');
    const escaped = units.map((digits) => `${BACKSLASHES}u${anyCase(digits)}`).join('');
    const short = SHORT_ESCAPES.get(one);
    // What takes most comes first: no backslash of an escaped last character is left over.
    const ways = [...(short === undefined ? [] : [BACKSLASHES + short]), escaped, literal];
    return `(?:${ways.join('|')})`;
  };
  return new RegExp(Array.from(key, character).join(''), 'gu');
}

const BACKSLASHES = String.raw`\\{1,16}`;

function anyCase(digits: string): string {
  return digits.replace(/[a-f]/gu, (digit) => `[${digit}${digit.toUpperCase()}]`);
}
