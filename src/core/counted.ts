/** How a number of things is written for people: `1 goal`, `2 goals`, `1 proof`, `0 entries`. */

/** `plural` where it is not the singular with an s. */
export function counted(count: number, singular: string, plural = `${singular}s`): string {
  return `${count} ${count === 1 ? singular : plural}`;
}
