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
