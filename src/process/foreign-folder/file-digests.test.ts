import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FileDigests, fileStamp } from './file-digests.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quod-digests-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('a file is read once as long as nobody writes it', async () => {
  const path = join(folder, 'a');
  let reads = 0;
  const digests = new FileDigests((bytes) => {
    reads += 1;
    return Buffer.from(bytes).toString();
  });
  expect(await digests.of(path)).toBeUndefined();
  writeFileSync(path, 'one');
  expect([await digests.of(path), await digests.of(path), reads]).toEqual(['one', 'one', 1]);
  writeFileSync(path, 'other');
  expect([await digests.of(path), reads]).toEqual(['other', 2]);
});

it('of a file as it was, what it said then is told, or else nothing that any file says', async () => {
  const path = join(folder, 'a');
  const digests = new FileDigests((bytes) => Buffer.from(bytes).toString());
  writeFileSync(path, 'one');
  const known = String(await fileStamp(path));
  expect(await digests.asOf(path, known)).toBe('one');
  writeFileSync(path, 'other');
  expect(await digests.asOf(path, known)).toBe('one');
  const unknown = String(await fileStamp(path));
  writeFileSync(path, 'further');
  expect(await digests.asOf(path, unknown)).toBe(unknown);
});
