/**
 * Writes regular files as a tar archive (ustar, with GNU's long names), so that they need no folder to come
 * through.
 */
import { appendAll } from '../core/lists/many.ts';

const BLOCK = 512;
/** What readers take at once. */
const RECORD = 20 * BLOCK;
const LONGEST_NAME = 100;

export function writeTar(files: ReadonlyMap<string, string | Uint8Array>): Buffer {
  const parts: Buffer[] = [];
  for (const [path, given] of files) {
    const content = typeof given === 'string' ? Buffer.from(given) : Buffer.from(given);
    const name = Buffer.from(path);
    if (name.length > LONGEST_NAME)
      appendAll(parts, entry(Buffer.from('././@LongLink'), Buffer.from(`${path}\0`), 'L'));
    appendAll(parts, entry(name.subarray(0, LONGEST_NAME), content, '0'));
  }
  parts.push(Buffer.alloc(2 * BLOCK));
  const size = parts.reduce((sum, { length }) => sum + length, 0);
  return Buffer.concat(parts, Math.ceil(size / RECORD) * RECORD);
}

function entry(name: Buffer, content: Buffer, type: '0' | 'L'): [Buffer, Buffer, Buffer] {
  const header = Buffer.alloc(BLOCK);
  name.copy(header);
  header.write('0000644\0', 100);
  header.write('0000000\0', 108);
  header.write('0000000\0', 116);
  header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124);
  header.write('00000000000\0', 136);
  // The sum is formed with blanks in its own place.
  header.write('        ', 148);
  header.write(type, 156);
  header.write('ustar\x0000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return [header, content, Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK)];
}
