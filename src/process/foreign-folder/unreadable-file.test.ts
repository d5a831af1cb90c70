import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readRegularFileSync } from './regular-file.ts';
import { systemFault, unreadableFile, unwritableFile } from './unreadable-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'quod-unreadable-'));
afterAll(() => rmSync(folder, { recursive: true }));

mkdirSync(join(folder, 'folder'));
writeFileSync(join(folder, 'file'), '{"key": sk-hunter2}');
symlinkSync('loop', join(folder, 'loop'));

function toldOf(name: string): string {
  try {
    return JSON.stringify(JSON.parse(readRegularFileSync(join(folder, name)).toString('utf8')));
  } catch (error) {
    const told = unreadableFile('NAME', error, { what: 'The list' });
    return `${told.toString()} [${told.reason}]`;
  }
}

test.each([
  ['absent', 'NAME: There is no such file. Check the path; .* \\[not-found\\]'],
  ['file/absent', 'NAME: There is no such file. Check the path; .* \\[not-found\\]'],
  ['folder', 'NAME: This is a directory, not a file. Remove it, .* \\[file-unreadable\\]'],
  ['file', 'NAME: The list cannot be read: .* JSON.*\\. Mend the text at that place. \\[invalid-input\\]'],
  [
    'loop',
    'NAME: The list cannot be read: too many symbolic links encountered. Look .* \\[file-unreadable\\]',
  ],
])('%s: what happened, where, and what to do', (name, told) => {
  expect(toldOf(name)).toMatch(new RegExp(`^${told}$`, 'u'));
  expect(toldOf(name)).not.toMatch(/E[A-Z]{3,}|hunter/u);
});

test.runIf(process.getuid?.() !== 0)('a file that is not for the reader', () => {
  chmodSync(join(folder, 'file'), 0);
  expect(toldOf('file')).toContain('The list cannot be read: permission denied. Give the user');
});

const FORBIDDEN = Object.assign(new Error("EACCES: permission denied, open '/a'"), { code: 'EACCES' });

test('whoever may not read or write is told which right is missing, whatever else could be advised', () => {
  const read = unreadableFile('NAME', FORBIDDEN, { remedy: 'Mend it.' }).toString();
  expect(read).toMatch(
    /^NAME: The file cannot be read: permission denied\. Give .* right to read it \(`chmod`\)/u,
  );
  const written = unwritableFile('NAME', FORBIDDEN, { what: 'The list', unchanged: 'It is unchanged.' });
  expect(written.toString()).toMatch(
    /^NAME: The list cannot be written: permission denied\. It is unchanged\. Give .* right to write there/u,
  );
});

test.each([
  ['ENOSPC', 'no space left on device', /^It is unchanged\. Make room on the disk/u],
  ['EDQUOT', 'disk quota exceeded', /^It is unchanged\. .*quota/u],
  ['EROFS', 'read-only file system', /^It is unchanged\. Mount .*, or work elsewhere\.$/u],
  ['EACCES', 'permission denied', /^It is unchanged\. Give .*`chmod`.*, or work elsewhere\.$/u],
  ['EISDIR', 'illegal operation on a directory', /^It is unchanged\. Work elsewhere\.$/u],
])('%s has a remedy of its own, by its code or as another program said it', (code, said, remedy) => {
  const wanted = { unchanged: 'It is unchanged.', instead: 'work elsewhere' };
  const cause = Object.assign(new Error(`${code}: ${said}, write '/a'`), { code });
  for (const one of [cause, new Error(said)])
    expect(unwritableFile('NAME', one, wanted)).toMatchObject({
      ...{ reason: 'file-unwritable', message: `The file cannot be written: ${said}.` },
      remedy: expect.stringMatching(remedy) as unknown,
    });
});

test.each([
  ["ENOENT: no such file or directory, stat 'a, b'", 'no such file or directory'],
  ['EISDIR: illegal operation on a directory, read', 'illegal operation on a directory'],
  ['Something else: it happened, so to say', undefined],
])('%s', (said, fault = said) => {
  expect(systemFault(new Error(said))).toBe(fault);
});
