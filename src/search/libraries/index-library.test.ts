/** Which files of a folder are run for an index or a data set, which may be shown to a model later. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { sourcesUnder } from './index-library.ts';

test('links to folders and out of the folder are left out; those to files inside are not', async () => {
  const base = mkdtempSync(join(tmpdir(), 'quod-sources-'));
  onTestFinished(() => rmSync(base, { recursive: true }));
  const folder = join(base, 'project');
  for (const name of ['outside', 'project/sub']) mkdirSync(join(base, name), { recursive: true });
  for (const name of ['outside/s.v', 'project/sub/b.v']) writeFileSync(join(base, name), '');
  symlinkSync('../outside/s.v', join(folder, 'link.v'));
  symlinkSync('../outside', join(folder, 'linked'));
  symlinkSync('sub/b.v', join(folder, 'inside.v'));
  symlinkSync('..', join(folder, 'sub', 'round'));
  expect(await sourcesUnder(folder)).toEqual([join(folder, 'inside.v'), join(folder, 'sub', 'b.v')]);
});

test('what tools keep for themselves is left out, such as submissions that were judged', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'quod-sources-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const name of ['.quod/verdicts/1', 'sub/.git', 'sub/deeper', '_build/default']) {
    mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, name, 'a.v'), '');
  }
  expect(await sourcesUnder(folder)).toEqual([join(folder, 'sub', 'deeper', 'a.v')]);
  // What is named itself is meant.
  expect(await sourcesUnder(join(folder, '_build'))).toEqual([join(folder, '_build', 'default', 'a.v')]);
});
