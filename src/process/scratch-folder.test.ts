import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeScratchFolder, removeAbandoned } from './scratch-folder.ts';

const DAY_MS = 24 * 3_600_000;

let parent: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'quod-scratch-'));
});
afterEach(() => rmSync(parent, { recursive: true }));

test('names the process that made it', () => {
  const folder = makeScratchFolder('tests');
  expect(basename(folder)).toMatch(new RegExp(`^quod-tests-${process.pid}-\\w{6}$`, 'u'));
  rmSync(folder, { recursive: true });
});

test('only old folders of dead processes are removed, and nothing else', () => {
  const dead = spawnSync(process.execPath, ['--version']).pid;
  const abandoned = `quod-sandbox-${dead}-AbCd12`;
  const kept = [`quod-sandbox-${process.pid}-AbCd12`, `quod-${dead}`, `other-sandbox-${dead}-AbCd12`];
  for (const name of [abandoned, ...kept]) {
    mkdirSync(join(parent, name));
    writeFileSync(join(parent, name, 'file'), 'x');
  }
  removeAbandoned(parent, Date.now() + DAY_MS / 2);
  expect(readdirSync(parent).sort()).toEqual([abandoned, ...kept].sort());
  removeAbandoned(parent, Date.now() + 2 * DAY_MS);
  expect(readdirSync(parent).sort()).toEqual([...kept].sort());
});
