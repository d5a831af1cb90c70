import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { writeWholeFile } from './whole-file.ts';

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
