import fc from 'fast-check';
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { hasItsCheckSum, segmentTable } from './segment-table.ts';

interface Entry {
  readonly name: string;
  readonly content: Buffer;
  /** What the table says instead of where the content is. */
  readonly place?: readonly [start: bigint, length: bigint];
}

/** As `coqc` 8.16.1 writes it. */
function compiledFile(entries: readonly Entry[]): Buffer {
  const contents = Buffer.concat(entries.map(({ content }) => content));
  const head = Buffer.alloc(16);
  head.writeUInt32BE(0x436f7121, 0);
  head.writeUInt32BE(81_601, 4);
  head.writeBigInt64BE(BigInt(16 + contents.length), 8);
  let start = 16n;
  const table = entries.map(({ name, content, place }) => {
    const row = Buffer.alloc(20 + name.length);
    row.writeUInt32BE(name.length, 0);
    row.write(name, 4, 'latin1');
    const [from, length] = place ?? [start, BigInt(content.length)];
    row.writeBigInt64BE(from, 4 + name.length);
    row.writeBigInt64BE(length, 12 + name.length);
    start += BigInt(content.length);
    return Buffer.concat([row, createHash('md5').update(content).digest()]);
  });
  const count = Buffer.alloc(4);
  count.writeUInt32BE(entries.length);
  return Buffer.concat([head, contents, count, ...table]);
}

const LIBRARY: Entry = { name: 'library', content: Buffer.from('what it declares') };
const PROOFS: Entry = { name: 'opaques', content: Buffer.from('its proofs') };

describe('the table of segments', () => {
  it('has the release, and every segment with its content and its check sum', () => {
    const table = segmentTable(compiledFile([LIBRARY, PROOFS]));
    if (typeof table === 'string') throw new Error(table);
    expect(table.version).toBe(81_601);
    expect(table.segments).toMatchObject([LIBRARY, PROOFS]);
    expect(table.segments.map(hasItsCheckSum)).toEqual([true, true]);
  });

  it('is read where the bytes are a part of others', () => {
    const padded = Buffer.concat([Buffer.from('before'), compiledFile([LIBRARY]), Buffer.from('after')]);
    expect(segmentTable(padded.subarray(6, padded.length - 5))).toMatchObject({ segments: [LIBRARY] });
  });

  it('does not look at check sums, which tell a changed byte', () => {
    const bytes = compiledFile([LIBRARY, PROOFS]);
    bytes[16] = 0;
    const table = segmentTable(bytes);
    if (typeof table === 'string') throw new Error(table);
    expect(table.segments.map(hasItsCheckSum)).toEqual([false, true]);
  });

  it.each([
    ['before the file', [-16n, 16n]],
    ['of less than nothing', [16n, -1n]],
    ['beyond the end', [16n, 1_000n]],
    ['of more than a number holds', [16n, 2n ** 62n]],
  ] as const)('is cut off where a segment is %s', (_, place) => {
    expect(segmentTable(compiledFile([{ ...LIBRARY, place }, PROOFS]))).toBe('cut-off');
  });

  it('is cut off wherever the file ends too early, and other bytes are another format', () => {
    const bytes = compiledFile([LIBRARY, PROOFS]);
    for (let length = 0; length < bytes.length; length += 1)
      expect(segmentTable(bytes.subarray(0, length))).toBe('cut-off');
    expect(segmentTable(Buffer.from('Theorem t : True.'))).toBe('other-format');
  });

  it('is read or refused, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.nat(200), fc.integer({ min: 0, max: 255 }), (at, value) => {
        const bytes = compiledFile([LIBRARY, PROOFS]);
        bytes[at % bytes.length] = value;
        segmentTable(bytes);
      }),
    );
  });
});
