/** A file that ends in the middle of a comment or a string is none without holes, whoever reads it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runQuod } from '../testing/run-quod.ts';

const STATED = 'Lemma b : 1 = 1.\nProof.\nAdmitted.\n';
const SCRIPT = 'Theorem b:\n  1 = 1\nProof\n  cheat\nQED\n';

function folderWith(file: string, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'quod-unread-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, file), text);
  return folder;
}

test.each([
  ['a comment', 'a.v', `(* open\n${STATED}`, 'The comment that starts at 1:0 has no end'],
  ['a string', 'a.v', `Check 1.\nCheck "open.\n${STATED}`, 'The string that starts at 2:0 has no end'],
  ['a sentence', 'a.v', 'Check 1.\nLemma b : 1 = 1', 'The sentence that starts at 2:0 has no end'],
  ['a comment of HOL4', 'aScript.sml', `(* open\n${SCRIPT}`, 'The comment that starts at 1:0 has no end'],
])('the agent says where %s has no end, and does not call the file done', async (_, file, text, said) => {
  const run = await runQuod(['agent', file], folderWith(file, text));
  expect(run, run.stderr).toMatchObject({ exitCode: 2 });
  expect(run.stderr).toContain(`${file}: ${said}`);
  expect(run.stderr).toContain('no hole that can be worked on.');
});

test('a finished file is done', async () => {
  const run = await runQuod(
    ['agent', 'a.v'],
    folderWith('a.v', 'Lemma b : 1 = 1.\nProof. reflexivity. Qed.\n'),
  );
  expect(run, run.stderr).toMatchObject({ exitCode: 0, stderr: 'a.v: no hole.\n' });
});

test('whoever asks for a theorem behind such a place, or for counterexamples, is told of it', async () => {
  const folder = folderWith('a.v', `(* open\n${STATED}`);
  for (const words of [
    ['agent', 'a.v', '--theorem', 'b'],
    ['prove', 'a.v', '--theorem', 'b'],
    ['refute', 'a.v'],
    ['refute', 'a.v', '--theorem', 'b'],
  ]) {
    const run = await runQuod(words, folder);
    expect(run, run.stderr).toMatchObject({ exitCode: 2 });
    expect(run.stderr, words.join(' ')).toContain('The comment that starts at 1:0 has no end');
  }
});
