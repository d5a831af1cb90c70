/**
 * The envelope of a compiled Rocq file (`.vo`, since 8.14): a header, segments with an MD5 each, and a table of segments
 * at the end. The gate relies on this reader, so its lines count among those that decide (trusted-size.test.ts there).
 */
import { createHash } from 'node:crypto';

export interface Segment {
  readonly name: string;
  readonly content: Buffer;
  /** What the table says is the MD5 of the content. */
  readonly digest: Buffer;
}

export interface SegmentTable {
  /** As Rocq writes it: 81601 for 8.16.1. */
  readonly version: number;
  readonly segments: readonly Segment[];
}

const MAGIC = 0x436f7121;

/** Total on any bytes. No check sum is looked at. */
export function segmentTable(bytes: Uint8Array): SegmentTable | 'other-format' | 'cut-off' {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const segments: Segment[] = [];
  try {
    if (view.readUInt32BE(0) !== MAGIC) return 'other-format';
    const version = view.readUInt32BE(4);
    let at = Number(view.readBigInt64BE(8));
    const count = view.readUInt32BE(at);
    at += 4;
    for (let index = 0; index < count; index += 1) {
      const nameEnd = at + 4 + view.readUInt32BE(at);
      const name = view.toString('latin1', at + 4, nameEnd);
      const start = Number(view.readBigInt64BE(nameEnd));
      const length = Number(view.readBigInt64BE(nameEnd + 8));
      const digest = view.subarray(nameEnd + 16, nameEnd + 32);
      at = nameEnd + 32;
      if (at > view.length || start < 0 || length < 0 || start + length > view.length) return 'cut-off';
      segments.push({ name, content: view.subarray(start, start + length), digest });
    }
    return { version, segments };
  } catch (error) {
    // A number that leads out of the file.
    if (error instanceof RangeError) return 'cut-off';
    throw error;
  }
}

export function hasItsCheckSum({ content, digest }: Segment): boolean {
  return createHash('md5').update(content).digest().equals(digest);
}
