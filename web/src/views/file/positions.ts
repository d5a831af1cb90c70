/** Places as the server says them (lines from 1, columns from 0 in code points) and as the editor counts (UTF-16). */
import type { Text } from '@codemirror/state';

export interface Place {
  readonly line: number;
  readonly column: number;
}

export function placeOf(text: Text, offset: number): Place {
  const line = text.lineAt(Math.min(offset, text.length));
  let column = 0;
  for (const character of line.text.slice(0, offset - line.from)) if (character !== '') column += 1;
  return { line: line.number, column };
}

/** A place behind the end of a line, or of the text, is its end. */
export function offsetOf(text: Text, { line: number, column }: Place): number {
  if (number > text.lines) return text.length;
  const line = text.line(Math.max(1, number));
  let offset = 0;
  let left = column;
  for (const character of line.text) {
    if (left <= 0) break;
    offset += character.length;
    left -= 1;
  }
  return line.from + offset;
}
