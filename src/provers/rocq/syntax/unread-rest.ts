/** What is told of a file that ends in the middle of something: whoever reads its statements sees none of those behind that. */
import { nothingBehindText } from '../../../core/sentence.ts';
import type { FileOutline } from './outline.ts';

/** A sentence; undefined of a file that was read to its end. */
export function unreadRest({
  text,
  unterminated,
}: Pick<FileOutline, 'text' | 'unterminated'>): string | undefined {
  return (
    unterminated && nothingBehindText(text, { inside: unterminated.inside, start: unterminated.span.start })
  );
}
