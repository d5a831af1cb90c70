/** What a policy names has to be in the target: a name that is passed over would allow, or ask for, less than was meant. */
import { nearestNames } from '../core/names/nearest-names.ts';

/** @param known what the target has of the kind. @returns in words, what is wrong with the first name that it has not. */
export function notInTarget(
  what: 'statement' | 'definition',
  names: readonly string[],
  known: Iterable<string>,
): string | undefined {
  const has = new Set(known);
  const absent = names.find((name) => !has.has(name));
  if (absent === undefined) return undefined;
  const nearest = nearestNames(absent, [...has]);
  const meant = nearest.length === 0 ? '' : ` Nearest: ${nearest.join(', ')}.`;
  return `The policy names ${absent}; the target has no such ${what}.${meant}`;
}
