/**
 * `check`, `verify`, `doctor` and `index` as a user runs them; what they find out is tested beside their
 * operations.
 */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { findExecutable } from '../../process/executable.ts';
import { findPetanque } from '../../provers/rocq/petanque/adapter.ts';
import { runQuod } from './testing/run-quod.ts';

const hasNativeRocq = findExecutable(['coqidetop.opt', 'coqidetop']) !== undefined;
const folder = mkdtempSync(join(tmpdir(), 'quod-commands-'));
afterAll(() => rmSync(folder, { recursive: true }));

const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
const quod = (...commandLine: string[]) => runQuod(commandLine, folder);

test('check: 0 for a complete file, 1 for errors or holes, and --allow-holes', async () => {
  write('complete.v', 'Lemma a : True.\nProof. exact I. Qed.\n');
  write('holes.v', 'Lemma a : True.\nAdmitted.\n');
  write('errors.v', 'Lemma a : True.\nProof. exact 0. Qed.\nDefinition b : nat := true.\n');
  expect(await quod('check', 'complete.v')).toMatchObject({ exitCode: 0 });
  expect(await quod('check', 'holes.v')).toMatchObject({
    exitCode: 1,
    stdout: expect.stringContaining('holes.v:1:0: hole: a (admitted)') as unknown,
  });
  expect(await quod('check', 'holes.v', '--allow-holes')).toMatchObject({ exitCode: 0 });
  const errors = await quod('check', 'errors.v', '--allow-holes', '--slowest', '1');
  expect(errors).toMatchObject({ exitCode: 1 });
  expect(errors.stdout).toMatch(
    /^errors\.v:2:13: error: .*\nerrors\.v:3:22: error: .*\n\nSlowest sentences:\n.*\n$/,
  );
  expect(errors.stderr).toMatch(/^2 errors, 0 holes, 4 sentences run, 1 left out after errors in/);
});

test('check --json has the places, the times and what it rests on', async () => {
  write('timed.v', 'Lemma a : True.\nProof. exact I. Qed.\n');
  const run = await quod('check', 'timed.v', '--json', '--slowest', '10');
  const report = JSON.parse(run.stdout) as { slowest: unknown[] };
  const rests_on = { file: 'timed.v', prover: 'rocq' };
  expect(report).toMatchObject({ rests_on, run: 4, partial: false, errors: [], holes: [] });
  expect(report.slowest).toHaveLength(4);
  expect(report.slowest).toContainEqual(
    expect.objectContaining({ line: 2, column: 0, end_line: 2, end_column: 6, text: 'Proof.' }),
  );
});

test('verify: 0 accepted, 1 rejected, 2 when it cannot look', async () => {
  write('target.v', 'Lemma a : 1 + 1 = 2.\nProof.\nAdmitted.\n');
  write('good.v', 'Lemma a : 1 + 1 = 2.\nProof. reflexivity. Qed.\n');
  write('cheat.v', 'Axiom magic : False.\nLemma a : 1 + 1 = 2.\nProof. destruct magic. Qed.\n');
  expect(await quod('verify', 'target.v', 'good.v')).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/^accepted\n {2}a: rests on no axiom\n/) as unknown,
  });
  expect(await quod('verify', 'target.v', 'cheat.v')).toMatchObject({
    exitCode: 1,
    stdout: expect.stringMatching(/^rejected\n.*cheat\.v:1:0: .*\[new-axiom\]/) as unknown,
  });
  expect(await quod('verify', 'target.v', 'absent.v')).toMatchObject({ exitCode: 2, stdout: '' });
  const verdict = await quod('verify', 'target.v', 'cheat.v', '--json');
  expect(JSON.parse(verdict.stdout)).toMatchObject({ verdict: 'rejected' });
});

test('doctor tries each backend and says what would help', async () => {
  const run = await quod('doctor', '--json');
  expect(run, run.stderr).toMatchObject({ exitCode: 0 });
  const report = JSON.parse(run.stdout) as { backends: unknown[] };
  expect(report).toMatchObject({ quod: expect.any(String) as unknown, node: process.versions.node });
  expect(report.backends).toMatchObject([
    { backend: 'coqidetop', status: hasNativeRocq ? 'works' : 'missing' },
    { backend: 'petanque', status: findPetanque() === undefined ? 'missing' : 'works' },
    { backend: 'embedded', status: 'works' },
  ]);
});

test('doctor does not call a prover broken for a project file that is wrong', async () => {
  mkdirSync(join(folder, 'wrong', 'dune', 'sub'), { recursive: true });
  write('wrong/_CoqProject', '-Q . "no end');
  const run = await runQuod(['doctor', '--json'], join(folder, 'wrong', 'dune', 'sub'));
  const report = JSON.parse(run.stdout) as { backends: { status: string }[]; advice: string[] };
  expect(report.backends.map(({ status }) => status)).not.toContain('broken');
  expect(report).toMatchObject({ project: { status: 'wrong' } });
  expect(report.advice.join('\n')).toMatch(/_CoqProject:1:/);
});

test('doctor tells a prover that does not work from one that is not there', async () => {
  write('coqidetop', '#!/bin/sh\n[ "$1" = -print-version ] && echo 8.20.1 5.1.1 || exit 3\n');
  chmodSync(join(folder, 'coqidetop'), 0o755);
  const run = await runQuod(['doctor', '--json'], folder, { QUOD_COQIDETOP: join(folder, 'coqidetop') });
  const report = JSON.parse(run.stdout) as { backends: object[]; advice: string[] };
  expect(report.backends[0]).toMatchObject({ backend: 'coqidetop', status: 'broken' });
  expect(report.advice.join('\n')).not.toContain('apt install coq`');
  expect(report.advice.join('\n')).toContain('coqidetop is installed but does not work');
});

test('index runs a source once, and again only when it changed', async () => {
  write('unique.v', `(* ${String(process.pid)} *)\nLemma a : True.\nProof. exact I. Qed.\n`);
  expect((await quod('index', 'unique.v')).stderr).toMatch(/^1 file indexed .* 0 unchanged, 0 failed/m);
  expect((await quod('index', 'unique.v')).stderr).toMatch(/^0 files indexed .* 1 unchanged, 0 failed/m);
  expect(await quod('index', 'absent')).toMatchObject({ exitCode: 2, stdout: '' });
});

test('refute: 0 for what is false, 1 for what was looked at in vain, 2 for what could not be', async () => {
  write(
    'asked.v',
    'Lemma wrong (n : nat) : n = S n.\nAdmitted.\nLemma right (n : nat) : n = n.\nAdmitted.\n' +
      'Parameter t : Type.\nLemma other (x : t) : x = x.\nAdmitted.\n',
  );
  for (const [theorems, exitCode] of [
    [['wrong'], 0],
    [['wrong', 'right'], 1],
    [['right', 'other'], 2],
  ] as const) {
    const run = await quod('refute', 'asked.v', '--theorem', ...theorems, '--budget', '10');
    expect(run.exitCode, `${theorems.join(' ')}\n${run.stdout}${run.stderr}`).toBe(exitCode);
  }
});

test('index names a file as the load path of its project does', async () => {
  mkdirSync(join(folder, 'project', 'theories'), { recursive: true });
  write('project/_CoqProject', '-Q theories Own.Name\n');
  write('project/theories/a.v', `(* ${String(process.pid)} *)\nLemma a : True.\nProof. exact I. Qed.\n`);
  const run = await quod('index', 'project', '--json');
  expect(JSON.parse(run.stdout)).toMatchObject({ files: [{ kind: 'indexed', library: 'Own.Name.a' }] });
});

test('serve: a port that is none is an error of the command line', async () => {
  const run = await quod('serve', '--port', '80000');
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toContain('Ports are 0 to 65535.');
  expect(run.stderr).not.toContain('defect');
});

test('help: lists what an operation takes, and names a command that there is not', async () => {
  const refute = await quod('help', 'refute');
  expect(refute, refute.stderr).toMatchObject({ exitCode: 0 });
  expect(refute.stdout).toContain('--theorems');
  expect((await quod('help', 'rocq', 'search')).stdout).toMatch(/^Usage: quod rocq search/);
  for (const words of [
    ['help', 'nothing'],
    ['nothing', '--help'],
    ['help', 'rocq', 'nothing'],
  ]) {
    const run = await quod(...words);
    expect(run, words.join(' ')).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toMatch(/unknown command 'nothing'/);
  }
});

test('a first word that names what a command of an area does is answered with that command', async () => {
  const run = await quod('export', 'lists.v');
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toContain(
    "unknown command 'export'\n(Did you mean `quod proof export` or `quod run export` or `quod lean export`?)",
  );
  expect(run.stderr).not.toContain('report');
  expect((await quod('proof_export')).stderr).toContain('(Did you mean `quod proof export`?)');
  expect((await quod('statuss')).stderr).toContain('(Did you mean status?)');
  expect((await quod('help', 'proof', 'export')).stdout).toMatch(
    /^Example:\n {2}quod proof export .*\.html$/m,
  );
});
