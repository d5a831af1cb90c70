/** White space folded, line ends too, and none around it. */
export function onOneLine(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}
