/** What a specification or a log names, as text of a Markdown page: in one line and one cell, and never as HTML. */
import { foreignName } from '../../core/foreign-text.ts';

export function markdownText(text: string): string {
  return foreignName(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('|', '\\|');
}
