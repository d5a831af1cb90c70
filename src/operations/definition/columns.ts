/** Cells of a table as lines of text: each column is as wide as its widest cell, two spaces between them. */
import { lastOf, orNothing, orZero } from '../../core/entry.ts';
import { greatestOf } from '../../core/lists/many.ts';

export function inColumns(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows)
    for (const [at, cell] of row.entries()) widths[at] = Math.max(orZero(widths[at]), cell.length);
  return rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(orZero(widths[at])))
      .join('  ')
      .trimEnd(),
  );
}

/** Characters of a list in one cell, before it goes on below. */
const LIST_WIDTH = 40;

/** A list as the lines of a cell; a long word is not broken. */
export function listLines(words: readonly string[]): string[] {
  const lines: string[] = [''];
  for (const [at, word] of words.entries()) {
    const item = at === words.length - 1 ? word : `${word},`;
    const line = lastOf(lines, 'line');
    if (line === '') lines[lines.length - 1] = item;
    else if (line.length + item.length < LIST_WIDTH) lines[lines.length - 1] = `${line} ${item}`;
    else lines.push(item);
  }
  return lines;
}

/** Rows of a table whose cells have several lines, each line a row of its own. */
export function rowsOfLines(cells: readonly (readonly string[])[]): string[][] {
  const count = greatestOf(cells.map((lines) => lines.length));
  return Array.from({ length: count }, (_, at) => cells.map((lines) => orNothing(lines[at])));
}
