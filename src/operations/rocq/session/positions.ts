/** Positions in answers: lines from 1, columns from 0 in code points. */
import { z } from 'zod';
import type { Span } from '../../../core/position.ts';
import { LineIndex } from '../../../core/position.ts';

export const rangeSchema = z.object({
  line: z.int().describe('From 1.'),
  column: z.int().describe('From 0, in code points.'),
  end_line: z.int(),
  end_column: z.int(),
});

export type PrintedRange = z.output<typeof rangeSchema>;

export function printedRange(lines: LineIndex, span: Span): PrintedRange {
  const start = lines.printedAt(span.start);
  const end = lines.printedAt(span.end);
  return { line: start.line, column: start.column, end_line: end.line, end_column: end.column };
}

/** The range of a span in a text of its own, such as a script that a client sent. */
export function rangeIn(text: string, span: Span): PrintedRange {
  return printedRange(new LineIndex(text), span);
}
