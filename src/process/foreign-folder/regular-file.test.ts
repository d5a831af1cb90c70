/** With what else can stand in the place of a file. */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readRegularFile, readRegularFileSync, readUnlinkedFile } from './regular-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quod-regular-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const READERS = [
  {
    name: 'at once',
    read: async (path: string, most?: number) => Promise.resolve(readRegularFileSync(path, most)),
  },
  { name: 'later', read: readRegularFile },
];

test.each(READERS)(
  '$name: a file is read, also by a link; a pipe, a device, a folder, a huge file are not',
  async ({ read }) => {
    const path = (name: string): string => join(folder, name);
    writeFileSync(path('file'), 'text');
    symlinkSync('file', path('link'));
    expect((await read(path('link'))).toString()).toBe('text');
    execFileSync('mkfifo', [path('pipe')]);
    symlinkSync('/dev/zero', path('device'));
    for (const name of ['pipe', 'device'])
      await expect(async () => read(path(name))).rejects.toThrow('not a regular file');
    await expect(async () => read(path('.'))).rejects.toThrow('a directory');
    await expect(async () => read(path('file'), 3)).rejects.toThrow('more than 3 bytes');
    await expect(async () => read(path('nothing'))).rejects.toThrow('ENOENT');
  },
);

test.each(READERS)('$name: of a file of many pieces every byte', async ({ read }) => {
  const bytes = randomBytes(300_001);
  writeFileSync(join(folder, 'file'), bytes);
  expect((await read(join(folder, 'file'))).equals(bytes)).toBe(true);
});

// Linux says of such files that they have no byte.
test.runIf(existsSync('/proc/self/status'))(
  'a file is read to its end, not to its size, and no further than is allowed',
  async () => {
    for (const { read } of READERS) {
      expect((await read('/proc/self/status')).toString()).toContain('Threads:');
      await expect(async () => read('/proc/self/status', 100)).rejects.toThrow('more than 100 bytes');
    }
  },
);

test('without links: a file is read, and nothing through a link in its place or in that of a folder above', async () => {
  const base = realpathSync(folder);
  const path = (name: string): string => join(base, name);
  mkdirSync(path('outside'));
  mkdirSync(path('inside'));
  for (const name of ['outside/file', 'inside/file']) writeFileSync(path(name), name);
  expect((await readUnlinkedFile(path('inside/file')))?.toString()).toBe('inside/file');
  renameSync(path('inside/file'), path('inside/kept'));
  symlinkSync('../outside/file', path('inside/file'));
  expect(await readUnlinkedFile(path('inside/file'))).toBeUndefined();
  renameSync(path('inside'), path('moved'));
  symlinkSync('outside', path('inside'));
  expect(await readUnlinkedFile(path('inside/file'))).toBeUndefined();
  execFileSync('mkfifo', [path('pipe')]);
  await expect(readUnlinkedFile(path('pipe'))).rejects.toThrow('not a regular file');
  await expect(readUnlinkedFile(path('nothing'))).rejects.toThrow('ENOENT');
});
