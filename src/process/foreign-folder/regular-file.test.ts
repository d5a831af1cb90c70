/** With what else can stand in the place of a file. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readRegularFile } from './regular-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quod-regular-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a file is read, also by a link; a pipe, a device, a folder and a huge file are not', () => {
  const path = (name: string): string => join(folder, name);
  writeFileSync(path('file'), 'text');
  symlinkSync('file', path('link'));
  expect(readRegularFile(path('link')).toString()).toBe('text');
  execFileSync('mkfifo', [path('pipe')]);
  symlinkSync('/dev/zero', path('device'));
  for (const name of ['pipe', 'device', '.'])
    expect(() => readRegularFile(path(name))).toThrow('not a regular file');
  expect(() => readRegularFile(path('file'), 3)).toThrow('more than 3 bytes');
  expect(() => readRegularFile(path('nothing'))).toThrow('ENOENT');
});
