/** What commands about projects say of one file in a language that they do not build or run. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runQuod } from '../testing/run-quod.ts';

const folder = mkdtempSync(join(tmpdir(), 'quod-other-languages-'));
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  ['fooScript.sml', 'Theorem one:\n  T\nProof\n  cheat\nQED\n', 'quod hol holmake'],
  ['Foo.fst', 'module Foo\n', 'quod check'],
  ['foo.lean', 'theorem one : 1 = 2 := sorry\n', 'lake build'],
])('build %s says how that is built, and nothing of files of Rocq projects', async (name, text, way) => {
  writeFileSync(join(folder, name), text);
  const run = await runQuod(['build', name], folder);
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toContain(way);
  expect(run.stderr).not.toContain('_CoqProject');
});

test.each([[['status', 'foo.lean']], [['status', '--check', 'foo.lean']]])(
  '%j advises no check, which looks at no Lean file',
  async (command) => {
    writeFileSync(join(folder, 'foo.lean'), 'theorem one : 1 = 2 := sorry\n');
    const { stdout, stderr } = await runQuod(command, folder);
    expect(stdout + stderr).toContain('no command runs Lean files');
    expect(stdout + stderr).not.toContain('--check');
  },
);
