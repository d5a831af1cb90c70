import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { findExecutable } from '../../process/executable.ts';
import { filePatch } from './file-patch.ts';

const folder = mkdtempSync(join(tmpdir(), 'quod-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

const TOOLS = [
  ['patch', ['-p1']],
  ['git', ['apply', '-']],
] as const;

for (const [tool, words] of TOOLS)
  it.skipIf(findExecutable([tool]) === undefined).each(['x.v', 'd e/x y.v'])(
    `${tool} takes a patch of %j (skipped without it)`,
    async (name) => {
      const path = join(folder, tool, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, 'one\ntwo\n');
      const input = await filePatch(name, 'one\ntwo\n', 'one\nthree\n');
      execFileSync(tool, words, { cwd: join(folder, tool), input });
      expect(readFileSync(path, 'utf8')).toBe('one\nthree\n');
    },
  );

it('is empty where nothing changes', async () => {
  expect(await filePatch('x.v', 'one\n', 'one\n')).toBe('');
});
