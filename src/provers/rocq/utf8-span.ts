/** Coq counts bytes of UTF-8, Quod counts UTF-16 units. */
import { codePointAt } from '../../core/code-points.ts';
import type { Span } from '../../core/position.ts';

/** The UTF-16 span of a span in bytes; a place outside of the text is moved to its nearest end. */
export function spanOfBytes(text: string, bytes: Span): Span {
  if (isAscii(text)) return { start: clamp(bytes.start, text), end: clamp(bytes.end, text) };
  const start = offsetOfByte(text, 0, bytes.start);
  return { start, end: offsetOfByte(text, start, bytes.end - Buffer.byteLength(text.slice(0, start))) };
}

function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}

function clamp(offset: number, text: string): number {
  return Math.max(0, Math.min(offset, text.length));
}

/** The offset that lies `bytes` bytes after the offset `from`; inside of a character, the offset of its beginning. */
function offsetOfByte(text: string, from: number, bytes: number): number {
  let offset = from;
  let left = bytes;
  while (offset < text.length) {
    const point = codePointAt(text, offset);
    const width = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    if (left < width) break;
    left -= width;
    offset += point > 0xffff ? 2 : 1;
  }
  return offset;
}
