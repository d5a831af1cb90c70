import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readSealedFile, removeUnused, writeSealedFile, writeWholeFile } from './whole-file.ts';

const root = mkdtempSync(join(tmpdir(), 'quod-whole-file-'));
afterAll(() => rmSync(root, { recursive: true }));

test('a file has the content of one of its writers, and nothing else is in the folder', async () => {
  const file = join(root, 'new', 'folder', 'file');
  const contents = Array.from({ length: 8 }, (_, index) => Buffer.alloc(100_000, index));
  await Promise.all(contents.map((content) => writeWholeFile(file, [content, content])));
  const [first] = readFileSync(file);
  expect(readFileSync(file)).toEqual(Buffer.alloc(200_000, first));
  expect(readdirSync(join(root, 'new', 'folder'))).toEqual(['file']);
});

test('what cannot be written leaves nothing behind', async () => {
  mkdirSync(join(root, 'taken', 'in-the-way'), { recursive: true });
  await expect(writeWholeFile(join(root, 'taken'), Buffer.from('text'))).rejects.toThrow();
  expect(readdirSync(root).filter((name) => name.startsWith('taken'))).toEqual(['taken']);
});

test.skipIf(!existsSync('/proc/self'))(
  'where no folder can be made, it fails and ends (skipped without /proc)',
  async () => {
    await expect(writeWholeFile('/proc/none/such/file', Buffer.from('text'))).rejects.toThrow('ENOENT');
  },
);

test('a sealed file has its content until one byte of it is another', async () => {
  const file = join(root, 'sealed');
  await writeSealedFile(file, Buffer.from('some '), Buffer.from('content'));
  const written = readFileSync(file);
  const isRead = async (content: Buffer): Promise<boolean> => {
    await writeWholeFile(file, content);
    return (await readSealedFile(file)) !== undefined;
  };
  expect(await readSealedFile(file)).toEqual(Buffer.from('some content'));
  for (const at of written.keys()) {
    const damaged = Buffer.from(written);
    damaged[at] = written.readUInt8(at) ^ 1;
    expect(await isRead(damaged)).toBe(false);
  }
  for (const length of [0, 31, written.length - 1])
    expect(await isRead(written.subarray(0, length))).toBe(false);
});

test('what was not of use for longest goes, until the rest is small enough; what is gone already is passed over', async () => {
  const folder = join(root, 'unused');
  for (const [index, name] of ['old.vo', 'middle.vo', 'new.vo'].entries()) {
    await writeWholeFile(join(folder, name), Buffer.alloc(100));
    utimesSync(join(folder, name), index, index);
  }
  symlinkSync(join(folder, 'gone'), join(folder, 'removed.vo'));
  await removeUnused(folder, '.vo', 250);
  expect(readdirSync(folder).sort()).toEqual(['middle.vo', 'new.vo', 'removed.vo']);
});

test('behind a small file it is seldom looked for what is unused, behind a large one each time', async () => {
  const folder = join(root, 'looked');
  const looks = async (size: number): Promise<number> => {
    let count = 0;
    for (let index = 0; index < 320; index += 1) {
      await writeWholeFile(join(folder, 'unused.vo'), Buffer.alloc(101));
      await removeUnused(folder, '.vo', 100, { path: join(folder, `${index}.vo`), size });
      if (readdirSync(folder).length === 0) count += 1;
    }
    return count;
  };
  const seldom = await looks(0);
  expect(seldom).toBeGreaterThan(5);
  expect(seldom).toBeLessThan(40);
  expect(await looks(1)).toBe(320);
});
