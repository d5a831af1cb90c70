/** Text for people that is put together from parts, so that it reads as if it had been written in one go. */

/** The first letter large, as a sentence begins. */
export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** What somebody said, without the dot that would end the sentence around it. */
export function clause(said: string): string {
  return said.trimEnd().replace(/(?<!\.\.)\.$/u, '');
}

/** White space folded, line ends too, and none around it. */
export function onOneLine(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}
