/** Texts by code points. Inside, places are UTF-16 offsets; a character outside the first plane takes two units. */
import { present } from './entry.ts';

/** The code point that begins at an offset inside the text. */
export function codePointAt(text: string, offset: number): number {
  return present(text.codePointAt(offset), 'character at an offset behind the end of its text');
}

/** How many UTF-16 units the character at an offset takes. */
export function characterWidth(text: string, offset: number): 1 | 2 {
  return codePointAt(text, offset) > 0xffff ? 2 : 1;
}
