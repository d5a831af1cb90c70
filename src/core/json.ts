/** JSON from outside, of which nothing is known yet. */

import { errorText } from './errors.ts';

/** Undefined for a text that is no JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
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
