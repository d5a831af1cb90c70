/**
 * Reads that cannot go wrong silently. What is out of range is a defect of Quod, never a fact about a file: it is
 * thrown as a plain error, which no part of the kernel takes for an answer.
 */
export function at<Item>(list: readonly Item[], index: number, what: string): Item {
  const item = list[index];
  if (item === undefined) throw new Error(`There is no ${what} number ${index}; there are ${list.length}.`);
  return item;
}

/** Of the first character, which must be there. */
export function codePointOf(character: string): number {
  const code = character.codePointAt(0);
  if (code === undefined) throw new Error('A character has no code point.');
  return code;
}
