/** Cells of a table as lines of text: each column is as wide as its widest cell, two spaces between them. */
import { orZero } from '../../core/entry.ts';

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
