import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { KeptAnswer } from './kept-answer.ts';
import { findSandbox, whetherWorks, WORKS } from './sandbox-backends.ts';
import { runInSandbox } from './sandbox.ts';

const { PATH = '', QUOD_CACHE } = process.env;
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quod-test-'));
  process.env['QUOD_CACHE'] = join(folder, 'cache');
  process.env['PATH'] = `${folder}:${PATH}`;
});
afterEach(() => {
  process.env['PATH'] = PATH;
  if (QUOD_CACHE === undefined) delete process.env['QUOD_CACHE'];
  else process.env['QUOD_CACHE'] = QUOD_CACHE;
  rmSync(folder, { recursive: true });
});

test.runIf(await findSandbox(['unshare']))(
  'a sandbox that is kept as one that works, and does not, runs nothing and gives way to one that does',
  async () => {
    copyFileSync('/bin/false', join(folder, 'bwrap'));
    await new KeptAnswer(join(folder, 'bwrap'), whetherWorks('bubblewrap', ['--disable-userns'])).keep(WORKS);
    expect((await findSandbox())?.isolation).toBe('bubblewrap');
    const request = { program: '/bin/echo', arguments: ['done'], files: new Map<string, string>() };
    const run = await runInSandbox({ ...request, limits: { timeoutMs: 60_000, memoryBytes: 1024 ** 3 } });
    expect(run).toMatchObject({ isolation: 'unshare', code: 0, output: 'done\n' });
  },
);
