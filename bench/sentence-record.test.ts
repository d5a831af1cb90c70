import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readSentenceRecord, writeSentenceRecord, type ByteRange } from './sentence-record.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quod-record-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('what is written is read again, whatever the ranges are', () => {
  const file = join(folder, 'deep', 'record.gz');
  expect(readSentenceRecord(file)).toEqual(new Map());
  // Also such as coqc would not print: repeated, overlapping, going back.
  const range = fc.tuple(fc.nat(), fc.nat()).map(([start, length]): ByteRange => [start, start + length]);
  const answer = fc.record({ finished: fc.boolean(), ranges: fc.array(range) });
  fc.assert(
    fc.property(fc.dictionary(fc.stringMatching(/^[0-9a-f]{8}$/u), answer), (answers) => {
      const record = new Map(Object.entries(answers));
      writeSentenceRecord(file, record);
      expect(readSentenceRecord(file)).toEqual(record);
    }),
    { numRuns: 50 },
  );
});
