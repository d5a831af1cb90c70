/**
 * Lists whose length a prover, a file or a model decides. Their entries are never spread into the arguments of a call:
 * arguments lie on the stack, which has room for some hundred thousand.
 */

export function appendAll<Item>(list: Item[], more: Iterable<Item>): void {
  for (const item of more) list.push(item);
}

/** As `Math.max`: `-Infinity` of none. */
export function greatestOf(numbers: Iterable<number>): number {
  let greatest = -Infinity;
  for (const number of numbers) greatest = Math.max(greatest, number);
  return greatest;
}

/** As `Math.min`: `Infinity` of none. */
export function leastOf(numbers: Iterable<number>): number {
  let least = Infinity;
  for (const number of numbers) least = Math.min(least, number);
  return least;
}
