/** The secrets that no log of a run may have: a model may repeat a key that it was told by its server. */
import { passwordsIn } from '../address-credentials.ts';
import { keysIn } from '../models/providers.ts';
import type { Settings } from '../settings.ts';
import { ChangedKeys } from './changed-keys.ts';
import { recordedSettings } from './recorded-settings.ts';
import { eventSchema, type RunEvent } from './events.ts';
import { withSaidTexts } from './exact-text.ts';

/** What is shorter is no key, and may stand anywhere. */
const SHORTEST_KEY = 8;
/** One word of letters, as servers that want no key are given: it may stand anywhere, too. */
const WORD = /^(?:[A-Za-z]?[a-z]{1,18}|[A-Z]{1,19})$/u;

/** Those of an environment: the keys in the variables that the settings name, and the passwords of proxies. */
export function secretsIn(
  environment: NodeJS.ProcessEnv,
  settings: Pick<Settings, 'providers'>,
): readonly string[] {
  return [...keysIn(environment, settings), ...passwordsIn(environment)];
}

export class SecretsLeftOut {
  readonly #forms = new Map<string, RegExp>();
  readonly #changed = new ChangedKeys();

  add(key: string): void {
    for (const form of formsOf(key)) {
      if (this.#forms.has(form)) continue;
      this.#forms.set(form, writtenAnyhow(form));
      this.#changed.add(form);
    }
  }

  /**
   * The event as it may be recorded: settings without addresses that hold passwords, what somebody said without keys. What the
   * run reads back (`exact`) stays: it is of the user's files, which lie beside the log, or of what is left out already.
   */
  from<Event extends RunEvent>(said: Event): Event {
    const event = 'settings' in said ? { ...said, settings: recordedSettings(said.settings) } : said;
    // The same event, with other texts.
    return this.#isClean(event)
      ? event
      : (withSaidTexts(eventSchema, event, (text) => this.#fromText(text)) as Event);
  }

  /** The same value, with other texts: what goes to a model holds no key, wherever it comes from. */
  fromAll<Value>(value: Value): Value {
    return this.#isClean(value)
      ? value
      : (withSaidTexts(undefined, value, (text) => this.#fromText(text)) as Value);
  }

  #isClean(value: unknown): boolean {
    const text = JSON.stringify(value);
    return this.#fromText(text) === text;
  }

  #fromText(text: string): string {
    const without = [...this.#forms.values()].reduce((said, form) => said.replace(form, '[key]'), text);
    return this.#changed.leftOut(without);
  }
}

/** A text without one key, however that is written in it. */
export function textWithoutKey(text: string, key: string): string {
  const secrets = new SecretsLeftOut();
  secrets.add(key);
  return secrets.fromAll(text);
}

/** A key as it is sent, and what it is without quotation marks that came into the variable with it. */
function formsOf(key: string): readonly string[] {
  const sent = key.trim();
  const bare = sent.replace(/^(["'])(.*)\1$/su, '$2');
  return [...new Set([sent, bare])].filter((form) => form.length >= SHORTEST_KEY && !WORD.test(form));
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
