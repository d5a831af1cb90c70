/** Whose instructions a model is told, in folders of which a stranger may have made the links. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readInstructions } from './instructions.ts';

let root: string;
let project: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'quod-instructions-'));
  project = join(root, 'project');
  mkdirSync(join(project, '.git'), { recursive: true });
  mkdirSync(join(project, 'theories'));
  writeFileSync(join(root, 'diary'), 'secret');
});
afterEach(() => rmSync(root, { recursive: true }));

test('a link within the repository is followed', () => {
  writeFileSync(join(project, 'AGENTS.md'), 'Be brief.');
  symlinkSync('../AGENTS.md', join(project, 'theories', 'CLAUDE.md'));
  expect(readInstructions(join(project, 'theories'), undefined)).toEqual({
    text: 'Be brief.',
    notFollowed: undefined,
  });
});

test('one that leads out is not, unless the user names it', () => {
  const link = join(project, 'AGENTS.md');
  symlinkSync('../diary', link);
  expect(readInstructions(join(project, 'theories'), undefined)).toEqual({ text: '', notFollowed: link });
  expect(readInstructions(project, link).text).toBe('secret');
});

test('outside of a repository those of the folder itself are told, and none from above', () => {
  const outside = join(root, 'outside');
  mkdirSync(outside);
  writeFileSync(join(root, 'AGENTS.md'), 'A stranger says so.');
  expect(readInstructions(outside, undefined).text).toBe('');
  writeFileSync(join(outside, 'AGENTS.md'), 'Be brief.');
  expect(readInstructions(outside, undefined).text).toBe('Be brief.');
});
