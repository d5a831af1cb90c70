import { entryAt } from '../../../core/entry.ts';

/** What is left of options for Rocq's compiler. @param known the others, and how many words follow each. */
export function withoutOptions(
  options: readonly string[],
  known: ReadonlyMap<string, number>,
): readonly string[] {
  const kept: string[] = [];
  for (let at = 0; at < options.length; at += 1) {
    const option = entryAt(options, at, 'option');
    const count = known.get(option);
    if (count === undefined) kept.push(option);
    else at += count;
  }
  return kept;
}
