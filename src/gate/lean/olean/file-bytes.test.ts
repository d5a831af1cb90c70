import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FileBytes } from './file-bytes.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quod-bytes-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const PAGE = 65536;
const content = Uint8Array.from({ length: 3 * PAGE + 1000 }, (_, index) => (index * 31 + (index >> 8)) & 255);

function file(): string {
  const path = join(folder, 'bytes');
  writeFileSync(path, content);
  return path;
}

it('any piece is what the file has there, across pages, from the disk and from memory', () => {
  const opened = FileBytes.open(file());
  const inMemory = FileBytes.of(content, 'memory');
  fc.assert(
    fc.property(fc.nat({ max: content.length }), fc.nat({ max: content.length }), (one, other) => {
      const [start, end] = [Math.min(one, other), Math.max(one, other)];
      expect(opened.slice(start, end - start)).toEqual(content.slice(start, end));
      expect(inMemory.slice(start, end - start)).toEqual(content.slice(start, end));
    }),
    { numRuns: 30 },
  );
  expect(opened.sha256()).toBe(createHash('sha256').update(content).digest('hex'));
});

it('reads one page to open a file, and those that are looked at', () => {
  const opened = FileBytes.open(file());
  expect(opened.bytesRead).toBe(PAGE);
  expect(opened.u8(2 * PAGE + 5)).toBe(content[2 * PAGE + 5]);
  expect(opened.bytesRead).toBe(2 * PAGE);
});

it('a file that changes between two looks is an error, not a mixture', () => {
  const path = file();
  const opened = FileBytes.open(path);
  appendFileSync(path, 'more');
  expect(() => opened.u8(PAGE)).toThrow(/changed while it was read/);
});

it('what is no file is said', () => {
  mkdirSync(join(folder, 'folder'));
  expect(() => FileBytes.open(join(folder, 'folder'))).toThrow(/a directory/);
  expect(() => FileBytes.open(join(folder, 'absent'))).toThrow(/no such file/);
});
