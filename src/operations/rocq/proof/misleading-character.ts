/**
 * Characters by which a proof looks like another one than Rocq reads: they turn the direction of writing, or have a
 * terminal move, overwrite or clear what it shows.
 */
import { codePointAt } from '../../../core/code-points.ts';
import type { Span } from '../../../core/position.ts';

/** Control characters but those that lay out a text, and those that embed, override or isolate a direction. */
const MISLEADING = /(?![\t\n]|\r\n)\p{Cc}|\p{Bidi_Control}/u;

export interface MisleadingCharacter {
  /** `a control character (U+001B)`. */
  readonly what: string;
  readonly span: Span;
}

/** The first one of a text that is to be put into a file. */
export function misleadingCharacter(text: string): MisleadingCharacter | undefined {
  const found = MISLEADING.exec(text);
  if (found === null) return undefined;
  const [character] = found;
  const what = /\p{Cc}/u.test(character)
    ? `a control character (U+${codePointAt(character, 0).toString(16).toUpperCase().padStart(4, '0')})`
    : 'a character that changes the order in which text is shown';
  return { what, span: { start: found.index, end: found.index + character.length } };
}

export const WITHOUT_MISLEADING = 'Remove it: whoever reads the file would see another proof than Rocq does.';
