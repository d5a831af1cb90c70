/** When something was, as all of the page writes it. */

/** @param time As the server says it, in ISO 8601. */
export function whenText(time: string): string {
  return new Date(time).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}
