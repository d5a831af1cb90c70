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
  expect(basename(folder)).toMatch(new RegExp(`^quod-tests-${process.pid}-\\d*-[0-9a-f]{8}-\\w{6}$`, 'u'));
  rmSync(folder, { recursive: true });
});

test('of processes that cannot be seen from here only old folders are removed, and nothing else', () => {
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

/** Another Quod, which prints the name of its folder and ends in some way. */
const endedBy = (code: string): string => {
  const module = new URL('scratch-folder.ts', import.meta.url).href;
  const source = `import { writeSync } from 'node:fs';
    const { makeScratchFolder } = await import(${JSON.stringify(module)});
    writeSync(1, makeScratchFolder('tests'));
    ${code}`;
  const environment = { ...process.env, TMPDIR: parent };
  const command = ['--input-type=module', '--no-warnings', '--eval', source];
  return basename(spawnSync(process.execPath, command, { env: environment, encoding: 'utf8' }).stdout);
};

test.each(['process.exit(130)', "throw new Error('x')", ''])(
  'a process that ends leaves no folder (%j)',
  (code) => {
    expect(endedBy(code)).toMatch(/^quod-tests-/u);
    expect(readdirSync(parent)).toEqual([]);
  },
);

test('what a process that was killed left is removed at once, what belongs to one that runs is not', () => {
  const killed = endedBy("process.kill(process.pid, 'SIGKILL'); setInterval(() => {}, 1000);");
  expect(readdirSync(parent)).toEqual([killed]);
  const own = basename(makeScratchFolder('tests'));
  // Another process has the number of the one that ended.
  const [, , , start = '', place = ''] = own.split('-');
  const reused = `quod-tests-${process.pid}-${Number(start) - 1}-${place}-AbCd12`;
  const elsewhere = killed.replace(/-[0-9a-f]{8}-(?=\w{6}$)/u, '-12345678-');
  for (const name of [own, reused, elsewhere]) mkdirSync(join(parent, name));
  removeAbandoned(parent);
  expect(readdirSync(parent).sort()).toEqual([own, elsewhere].sort());
  rmSync(join(tmpdir(), own), { recursive: true });
});
