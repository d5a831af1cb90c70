/** What is told of a file that ends in the middle of something: whoever reads its statements sees none of those behind that. */
import { LineIndex } from '../../../core/position.ts';
import type { FileOutline } from './outline.ts';
import { unterminatedText } from './sentences.ts';

/** A sentence; undefined of a file that was read to its end. */
export function unreadRest({
  text,
  unterminated,
}: Pick<FileOutline, 'text' | 'unterminated'>): string | undefined {
  if (unterminated === undefined) return undefined;
  const { line, column } = new LineIndex(text).printedAt(unterminated.span.start);
  return unterminatedText(unterminated, `at ${line}:${column}`, ', so that nothing behind it is read');
}
