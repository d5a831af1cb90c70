/**
 * Places in a text. Inside Quod a place is an offset or an LSP position (line from 0, UTF-16 units); at every face
 * it is a line from 1 and a column from 0 in Unicode code points, as Coq, Lean and F* print. Only this file converts.
 */
import { characterWidth } from './code-points.ts';
import { entryAt } from './entry.ts';

/** How the lines of a text end. */
export type LineEnd = '\n' | '\r\n' | '\r';

/** Half-open range of UTF-16 offsets into a text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** An LSP position: both numbers from 0, `character` in UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly character: number;
}

/** What people read: `line` from 1, `column` from 0 in code points. */
export interface PrintedPosition {
  readonly line: number;
  readonly column: number;
}

/** Converts between offsets and positions of one text. Lines end at `\n`, so `\r\n` counts as one line end. */
export class LineIndex {
  readonly #text: string;
  readonly #starts: number[] = [0];
  /** The place that was counted up to last: places are asked for in their order, also those of one long line. */
  #counted = { line: 0, offset: 0, column: 0 };

  constructor(text: string) {
    this.#text = text;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.#starts.push(at + 1);
  }

  get lineCount(): number {
    return this.#starts.length;
  }

  /** The position of an offset; offsets outside the text are moved to its nearest end. */
  positionAt(offset: number): Position {
    const inside = Math.max(0, Math.min(offset, this.#text.length));
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (entryAt(this.#starts, middle, 'line') <= inside) low = middle;
      else high = middle - 1;
    }
    return { line: low, character: inside - entryAt(this.#starts, low, 'line') };
  }

  /** The offset of a position, or undefined when the text has no such place. */
  offsetAt(position: Position): number | undefined {
    const start = this.#starts[position.line];
    if (start === undefined || position.character < 0) return undefined;
    const end = this.#starts[position.line + 1] ?? this.#text.length + 1;
    const offset = start + position.character;
    return offset < end ? offset : undefined;
  }

  printedAt(offset: number): PrintedPosition {
    const { line, character } = this.positionAt(offset);
    const start = entryAt(this.#starts, line, 'line');
    const end = start + character;
    const known = this.#counted;
    const from = known.line === line && known.offset <= end ? known : { offset: start, column: 0 };
    const column = from.column + codePointCount(this.#text.slice(from.offset, end));
    // In the middle of a character it is counted otherwise.
    if (end === start || characterWidth(this.#text, end - 1) === 1)
      this.#counted = { line, offset: end, column };
    return { line: line + 1, column };
  }

  /** The offset of a printed position, or undefined when the text has no such place. */
  offsetOfPrinted(position: PrintedPosition): number | undefined {
    const start = this.#starts[position.line - 1];
    if (start === undefined) return undefined;
    const end = this.#starts[position.line] ?? this.#text.length + 1;
    let offset = start;
    for (let left = position.column; left > 0; left -= 1) {
      const point = this.#text.codePointAt(offset);
      if (point === undefined) return undefined;
      offset += point > 0xffff ? 2 : 1;
    }
    return offset < end ? offset : undefined;
  }
}

function codePointCount(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += characterWidth(text, at)) count += 1;
  return count;
}
