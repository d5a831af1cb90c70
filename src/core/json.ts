/** JSON from outside, of which nothing is known yet. */

import { errorText, QuodError } from './errors.ts';

/** Undefined for a text that is no JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * What somebody asks for, as one JSON text.
 * @param what that it is told by (`The body`)
 * @throws QuodError `invalid-input` where it is no JSON, or an object in it has a key twice: nobody knows which was meant
 */
export function askedJson(text: string, what: string): unknown {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (cause) {
    throw new QuodError('invalid-input', `${what} is not JSON.`, { remedy: 'Give one JSON value.', cause });
  }
  if (hasKeyTwice(text, parsed))
    throw new QuodError('invalid-input', `${what} has a key twice in one object.`, {
      remedy: 'Keep the one that is meant.',
    });
  return parsed;
}

/** Why a text is no JSON, without what stands in it: it may be a key. */
export function jsonFault(error: unknown): string {
  return errorText(error).replace(
    /(?:, )?(?:\.\.\.)?".*"(?:\.\.\.)? is not valid JSON$/su,
    ' in what should be JSON',
  );
}

/** Whether a value is an object with fields, and no list. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * JSON can say half of a character (`"\\ud800"`), which no file can hold: written, it would become another character.
 * @returns where in the value the first such text is, as the words of a path; undefined where there is none
 */
export function illFormedText(value: unknown): readonly string[] | undefined {
  if (typeof value === 'string') return value.isWellFormed() ? undefined : [];
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, part] of Object.entries(value)) {
    const found = key.isWellFormed() ? illFormedText(part) : [];
    if (found !== undefined) return [key.toWellFormed(), ...found];
  }
  return undefined;
}

/**
 * Whether an object of a JSON text has a key twice. A parser keeps the last value of each key, so that it hides the others:
 * the text has more keys than what was parsed.
 */
export function hasKeyTwice(line: string, parsed: unknown): boolean {
  const keys = keysInValue(parsed);
  // Each key has a colon of its own, and few strings have any: mostly this is enough.
  return colonsIn(line) !== keys && keysInText(line) !== keys;
}

function colonsIn(line: string): number {
  let colons = 0;
  for (let at = line.indexOf(':'); at >= 0; at = line.indexOf(':', at + 1)) colons++;
  return colons;
}

/** The strings of a JSON text before a colon. */
function keysInText(line: string): number {
  let keys = 0;
  for (let start = line.indexOf('"'); start >= 0;) {
    let end = line.indexOf('"', start + 1);
    while (isEscaped(line, end)) end = line.indexOf('"', end + 1);
    if (end < 0) return keys;
    let behind = end + 1;
    while (isBlank(line.charCodeAt(behind))) behind++;
    if (line.charCodeAt(behind) === COLON) keys++;
    start = line.indexOf('"', behind);
  }
  return keys;
}

const COLON = 58;
const BACKSLASH = 92;

function isBlank(code: number): boolean {
  return code === 32 || code === 9 || code === 10 || code === 13;
}

function isEscaped(line: string, quote: number): boolean {
  let before = quote - 1;
  while (line.charCodeAt(before) === BACKSLASH) before--;
  return (quote - before) % 2 === 0;
}

function keysInValue(parsed: unknown): number {
  let keys = 0;
  // No recursion: a line may nest deeper than the stack goes.
  const pending = [parsed];
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    if (Array.isArray(value)) {
      for (const inner of value as readonly unknown[]) if (typeof inner === 'object') pending.push(inner);
      continue;
    }
    for (const key in value) {
      keys++;
      const inner = (value as Readonly<Record<string, unknown>>)[key];
      if (typeof inner === 'object') pending.push(inner);
    }
  }
  return keys;
}
