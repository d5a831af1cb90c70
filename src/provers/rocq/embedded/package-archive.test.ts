import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listArchive, readArchived } from './package-archive.ts';

interface Entry {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly compress: boolean;
}

/** A ZIP file as APPNOTE.TXT describes it. */
function zipOf(entries: readonly Entry[], comment: string): Buffer {
  const local: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, bytes, compress } of entries) {
    const packed = compress ? deflateRawSync(bytes) : Buffer.from(bytes);
    const title = Buffer.from(name);
    const header = Buffer.alloc(30);
    header.writeUInt32LE(0x04034b50, 0);
    header.writeUInt16LE(title.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(compress ? 8 : 0, 10);
    entry.writeUInt32LE(crc32(bytes), 16);
    entry.writeUInt32LE(packed.length, 20);
    entry.writeUInt32LE(bytes.length, 24);
    entry.writeUInt16LE(title.length, 28);
    entry.writeUInt32LE(offset, 42);
    local.push(header, title, packed);
    directory.push(entry, title);
    offset += header.length + title.length + packed.length;
  }
  const directoryBytes = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directoryBytes.length, 12);
  end.writeUInt32LE(offset, 16);
  end.writeUInt16LE(Buffer.byteLength(comment), 20);
  return Buffer.concat([...local, directoryBytes, end, Buffer.from(comment)]);
}

describe('package archives', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'quod-archive-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const entries = fc.uniqueArray(
    fc.record({
      name: fc.stringMatching(/^[A-Za-z/]{1,12}\.vo$/),
      bytes: fc.uint8Array({ maxLength: 2000 }),
      compress: fc.boolean(),
    }),
    { selector: (entry) => entry.name, maxLength: 6 },
  );

  it('give back every file that was put in', () => {
    fc.assert(
      fc.property(entries, fc.stringMatching(/^[a-z]{0,9}$/), (put, comment) => {
        const archive = join(folder, 'a.coq-pkg');
        writeFileSync(archive, zipOf(put, comment));
        const files = listArchive(archive);
        expect(files.map((file) => file.name)).toEqual(put.map((entry) => entry.name));
        files.forEach((file, index) => {
          expect(new Uint8Array(readArchived(file))).toEqual(put[index]?.bytes);
        });
      }),
      { numRuns: 60 },
    );
  });

  it('never give back other bytes when one byte of the file changed', () => {
    const put = [
      { name: 'A.vo', bytes: new Uint8Array(500).map((_, index) => (index * 7) % 251), compress: true },
    ];
    const good = zipOf(put, '');
    fc.assert(
      fc.property(fc.nat(good.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const bad = Buffer.from(good);
        bad[at] = (bad[at] ?? 0) ^ change;
        const archive = join(folder, 'b.coq-pkg');
        writeFileSync(archive, bad);
        let read: Uint8Array | undefined;
        try {
          const [file] = listArchive(archive);
          read = file && readArchived(file);
        } catch {
          read = undefined;
        }
        expect(read === undefined || Buffer.from(read).equals(Buffer.from(put[0]?.bytes ?? []))).toBe(true);
      }),
    );
    expect(readFileSync(join(folder, 'b.coq-pkg')).length).toBe(good.length);
  });
});
