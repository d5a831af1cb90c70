/**
 * Text that others wrote (provers, submissions, names of files), as it may stand in a terminal: what would move the
 * cursor, clear the screen or turn the direction of writing is shown and not done, and no line of it looks like one
 * of Quod's own. What is to be put into a file may have none of it: it would look like another text than a prover reads.
 */
import { codePointAt } from './code-points.ts';
import type { Span } from './position.ts';

/** Control characters, those that end a line or a paragraph, and those that embed, override or isolate a direction. */
const ACTING = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** The same but for those that lay out a text. */
const MISLEADING = /(?![\t\n]|\r\n)[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;

/** Lines stay lines, however they end; what else some take for an end of a line is shown. */
export function inert(text: string): string {
  const lines = text.replaceAll('\r\n', '\n');
  return lines.replace(ACTING, (character) =>
    character === '\n' || character === '\t' ? character : `\\u{${codePointAt(character, 0).toString(16)}}`,
  );
}

/** A value as JSON in one line, or indented, in which what acts is written as JSON has it: `\u009b`. */
export function inertJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, undefined, indent).replace(ACTING, (character) =>
    character === '\n' ? character : `\\u${codePointAt(character, 0).toString(16).padStart(4, '0')}`,
  );
}

/** Lines behind the first are indented. */
export function foreignText(text: string, indent = '    '): string {
  return inert(text).replaceAll('\n', `\n${indent}`);
}

/**
 * What nobody sees, or sees as a blank that is not the plain one: controls, formats, what is not assigned, characters
 * that Unicode has ignored where they are not known, spaces, ends of lines. Of Braille one letter is blank, and no
 * property tells which.
 */
const UNSEEN = /[\p{C}\p{Default_Ignorable_Code_Point}\p{Script=Braille}]|(?! )\p{Z}/gu;

/** A name, in one line, of which every character is seen. */
export function foreignName(text: string): string {
  return text.replace(UNSEEN, (character) => `\\u{${codePointAt(character, 0).toString(16)}}`);
}

/** The beginning and the end of a long text: errors stand at the end. */
export function cutMiddle(text: string, most: number): { readonly text: string; readonly cut: boolean } {
  if (text.length <= most) return { text, cut: false };
  const half = Math.floor(most / 2);
  const left = text.length - 2 * half;
  return { text: `${text.slice(0, half)}\n… ${left} characters left out …\n${text.slice(-half)}`, cut: true };
}

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
  const code = `U+${codePointAt(character, 0).toString(16).toUpperCase().padStart(4, '0')}`;
  const what = /\p{Bidi_Control}/u.test(character)
    ? 'a character that changes the order in which text is shown'
    : `${/\p{Cc}/u.test(character) ? 'a control character' : 'a character that ends a line'} (${code})`;
  return { what, span: { start: found.index, end: found.index + character.length } };
}

export const WITHOUT_MISLEADING =
  'Remove it: whoever reads the file would see another proof than the prover does.';
