import { createHash } from 'node:crypto';

/** In hexadecimal digits; of a text, its UTF-8. */
export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
