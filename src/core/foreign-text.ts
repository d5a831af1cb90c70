/**
 * Text that others wrote (provers, submissions, names of files), as it may stand in a terminal: what would move the
 * cursor, clear the screen or turn the direction of writing is shown and not done, and no line of it looks like one
 * of Quod's own.
 */
import { codePointAt } from './code-points.ts';

/** Control characters, those that end a line or a paragraph, and those that embed, override or isolate a direction. */
const ACTING = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Lines stay lines; what some take for an end of a line, and is no line feed, is shown. */
export function inert(text: string): string {
  return text.replace(ACTING, (character) =>
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
  return inert(text.replace(/\r\n/g, '\n')).replaceAll('\n', `\n${indent}`);
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
