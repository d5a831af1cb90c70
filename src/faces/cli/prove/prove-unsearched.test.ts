/** `quod prove` on what Quod does not search, as a user sees it: no prover is needed to say so of other languages. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runQuod } from '../testing/run-quod.ts';

const folder = mkdtempSync(join(tmpdir(), 'quod-unsearched-'));
afterAll(() => rmSync(folder, { recursive: true }));

const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
const prove = (...commandLine: string[]) => runQuod(['prove', ...commandLine], folder);

test.each([
  ['smallScript.sml', 'Theorem one:\n  T\nProof\n  cheat\nQED\n', 'smallScript.sml:4:2: hole: one (cheat)'],
  ['Small.fst', 'module Small\nlet f () : Lemma (1 == 2) = admit ()\n', 'Small.fst:2:28: hole: f (admit)'],
  ['small.lean', 'theorem one : 1 = 2 := sorry\n', 'small.lean:1:23: hole: one (sorry)'],
])('%s: the hole, what can be done, exit code 2', async (name, text, line) => {
  write(name, text);
  const run = await prove(name);
  expect(run, run.stderr).toMatchObject({ exitCode: 2, stdout: `${line}\n` });
  expect(run.stderr).toMatch(/shows 1 hole\. What can be done: `quod .*\[unsupported\]$/m);
  const json = await prove(name, '--json');
  const [hole, error] = json.stdout
    .trim()
    .split('\n')
    .map((each): unknown => JSON.parse(each));
  expect(hole).toMatchObject({
    ...{ outcome: 'not-proved', reason: 'unsupported' },
    rests_on: { file: name },
  });
  expect(error).toMatchObject({ error: { reason: 'unsupported' } });
});

test('obligations that are admitted are named, and no file with them is without holes', async () => {
  const program = 'Require Import Program.\nProgram Definition f : {n | n > 3} := 2.\n';
  write('obligations.v', `${program}Admit (* later *) Obligations.\n`);
  const run = await prove('obligations.v');
  expect(run, run.stderr).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toMatch(/^obligations\.v:3:0: hole: obligations \(admitted\)$/m);
  expect(run.stderr).toMatch(/left alone: 1 hole/);
  write('solved.v', `${program.replace('2.', '4.')}Admit Obligations.\n`);
  expect(await prove('solved.v')).toMatchObject({ exitCode: 0, stdout: '' });
});

test.each([
  [
    'obligations',
    'Require Import Program.\nProgram Definition f : {n | n > 3} := 2.\n',
    1,
    /obligations that are not proved/,
  ],
  ['a section', 'Section S.\nLemma a : True.\nProof. exact I. Qed.\n', 1, /section S .* has no `End S\.`/],
  [
    'a file that is loaded',
    'Load "part".\nLemma a : True.\nProof. exact I. Qed.\n',
    2,
    /hole: hidden \(admitted\)/,
  ],
  ['nothing', 'Require Import Program.\nProgram Definition f : {n | n > 3} := 4.\n', 0, /no holes/],
])('a Rocq file whose text shows no hole is asked about: %s', async (_, text, exitCode, said) => {
  write('part.v', 'Lemma hidden : False.\nAdmitted.\n');
  write('seen.v', text.replace('"', `"${folder}/`));
  const run = await prove('seen.v');
  expect(run, run.stderr).toMatchObject({ exitCode, stdout: '' });
  expect(run.stderr).toMatch(said);
});

test('a file without visible holes is not called free of them', async () => {
  write('full.lean', 'theorem one : 1 = 1 := rfl\n');
  const run = await prove('full.lean');
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toMatch(/no proof that there is none/);
  // The agent does not work on this kind of file.
  expect(run.stderr).toContain('`quod verify TARGET SUBMISSION`');
  expect(run.stderr).not.toContain('quod agent');
});

test('a file of no prover is refused', async () => {
  write('notes.md', '# Admitted.\n');
  for (const command of ['prove', 'check']) {
    const run = await runQuod([command, 'notes.md'], folder);
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toMatch(/in which language.*\[invalid-input\]/);
  }
});
