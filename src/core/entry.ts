/**
 * What must be there is there, or the program says that it is wrong. A default in the place of something that was lost
 * would be a plausible wrong answer: so a lost entry is an `internal` error, and an absence that is meant is named
 * here.
 */
import { QuodError } from './errors.ts';

/** The entry of a list; `what` names it in the error of a list that is shorter than its reader believes. */
export function entryAt<Item>(list: ArrayLike<Item>, index: number, what: string): Item {
  const found = list[index];
  if (found === undefined)
    throw new QuodError('internal', `There is no ${what} ${index} among ${list.length}.`);
  return found;
}

/** The last entry of a list that has one. */
export function lastOf<Item>(list: ArrayLike<Item>, what: string): Item {
  return entryAt(list, list.length - 1, what);
}

/** A value that must be there. */
export function present<Value>(value: Value | undefined, what: string): Value {
  if (value === undefined) throw new QuodError('internal', `There is no ${what}.`);
  return value;
}

/**
 * What a record holds under a name that somebody else chose: a theorem may be called `toString`, and every object has
 * that.
 */
export function underName<Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

/** A text that may be missing, where a missing one is written as nothing. */
export function orNothing(text: string | null | undefined): string {
  return text ?? '';
}

/** A number of things that may not have been counted, where that means none. */
export function orZero(count: number | null | undefined): number {
  return count ?? 0;
}

/** How often something was counted; what was never counted was met no time. */
export function countOf<Key>(counts: ReadonlyMap<Key, number>, key: Key): number {
  return counts.get(key) ?? 0;
}
