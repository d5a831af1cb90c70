/** What was sent is UTF-8 or is refused: other bytes would be read as replacement characters, and written as such. */
import { QuodError } from '../../core/errors.ts';

/** @throws QuodError `invalid-input`. */
export function utf8Body(body: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch (cause) {
    throw new QuodError('invalid-input', 'The body is not UTF-8.', { remedy: 'Send JSON in UTF-8.', cause });
  }
}
