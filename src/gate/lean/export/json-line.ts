/** Values of JSON, told without telling all of them. */
import { foreignName } from '../../../core/foreign-text.ts';

const MOST_SHOWN = 80;

/** A value of JSON as messages tell it: in one line, and never more than a few characters of it. */
export function shownValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object' && value !== null) return 'an object';
  const cut =
    typeof value === 'string' && value.length > MOST_SHOWN ? `${value.slice(0, MOST_SHOWN)}…` : value;
  return foreignName(JSON.stringify(cut));
}
