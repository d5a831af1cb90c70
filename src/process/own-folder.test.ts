/** Links on the way to what Quod keeps for itself, with their innocent twin: folders. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ownEntry, ownFolder, requireNoLinks } from './own-folder.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'quod-own-'));
  mkdirSync(join(root, 'elsewhere'));
});
afterEach(() => rmSync(root, { recursive: true }));

test('a folder that is not there yet, and one that is', () => {
  expect(ownFolder(root, 'runs')).toBe(join(root, '.quod', 'runs'));
  mkdirSync(join(root, '.quod', 'runs'), { recursive: true });
  expect(ownFolder(root, 'runs')).toBe(join(root, '.quod', 'runs'));
});

test.each(['elsewhere', 'nowhere'])('a link in the place of .quod (to %s)', (to) => {
  symlinkSync(join('.', to), join(root, '.quod'));
  expect(() => ownFolder(root, 'runs')).toThrow('symbolic link');
});

test.each(['../elsewhere', '../nowhere'])('a link below .quod (to %s)', (to) => {
  mkdirSync(join(root, '.quod', 'verdicts'), { recursive: true });
  symlinkSync(to, join(root, '.quod', 'runs'));
  symlinkSync(join('..', to), join(root, '.quod', 'verdicts', 'key.pem'));
  expect(() => ownFolder(root, 'runs')).toThrow('symbolic link');
  expect(() => ownEntry(ownFolder(root, 'verdicts'), 'key.pem')).toThrow('symbolic link');
  expect(ownEntry(ownFolder(root, 'verdicts'), 'key.pub.pem')).toContain('key.pub.pem');
});

test('a link anywhere in a folder of results', () => {
  mkdirSync(join(root, 'results', 'cells', 'm'), { recursive: true });
  expect(() => {
    requireNoLinks(join(root, 'results'));
  }).not.toThrow();
  symlinkSync('../../../elsewhere', join(root, 'results', 'cells', 'm', 'runs'));
  expect(() => {
    requireNoLinks(join(root, 'results'));
  }).toThrow('symbolic link');
});
