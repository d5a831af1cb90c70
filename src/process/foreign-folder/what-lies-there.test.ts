import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { whyNoFile } from './what-lies-there.ts';

const folder = mkdtempSync(join(tmpdir(), 'quod-what-lies-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('what stands in the place of a file is told as what it is', () => {
  const path = (name: string): string => join(folder, name);
  writeFileSync(path('file'), '');
  mkdirSync(path('folder'));
  symlinkSync('file', path('link'));
  execFileSync('mkfifo', [path('pipe')]);
  expect(
    ['file', 'folder', 'link', 'pipe', 'absent', 'file/absent'].map((name) => whyNoFile(path(name))),
  ).toEqual([
    undefined,
    'is no file any more (a folder is in its place)',
    'is no file any more (a link is in its place)',
    'is no file any more (a pipe is in its place)',
    'is not there any more (removed or renamed)',
    'is not there any more (removed or renamed)',
  ]);
});
