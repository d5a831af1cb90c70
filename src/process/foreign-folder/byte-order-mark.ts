/**
 * The byte order mark that editors put before a text. Provers skip one; a second one is a character of the text, and none that
 * a proof may have.
 */

export const BYTE_ORDER_MARK = '\uFEFF';

/** The text behind its mark, if it has one. What begins with two still begins with one. */
export function withoutByteOrderMark(text: string): string {
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(BYTE_ORDER_MARK.length) : text;
}
