/** `quod build` and `--build` as a user runs them, on the shapes that projects have. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  chmodSync,
  utimesSync,
} from 'node:fs';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findExecutable } from '../../../process/executable.ts';
import { runQuod } from '../testing/run-quod.ts';

const coqc = findExecutable(['coqc']);
const coqidetop = findExecutable(['coqidetop.opt', 'coqidetop']);

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quod-build-command-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}
const quod = (...commandLine: string[]) => runQuod(commandLine, folder);

test('status: holes, what is compiled and what rests on holes of others, without a prover', async () => {
  write('_CoqProject', '-Q theories My\n');
  write('theories/A.v', 'Lemma a : True.\nAdmitted.\n');
  write('theories/B.v', 'From My Require A.\nLemma b : True.\nProof. exact A.a. Qed.\n');
  write('theories/C.v', 'From My Require B.\n');
  write('other/open.lean', 'theorem c : True := sorry\n');
  const run = await quod('status');
  expect(run, run.stderr).toMatchObject({ exitCode: 1 });
  expect(run.stdout).toMatch(/^theories\/A\.v +1: a +no$/m);
  expect(run.stdout).toMatch(/^theories\/C\.v +no +theories\/A\.v \(1\)$/m);
  expect(run.stdout).toMatch(/^other\/open\.lean +1: c$/m);
  expect(run.stderr).toMatch(
    /^4 files, 2 holes, 2 files resting on holes of others\n3 files known by the text alone, which does not show all that is open, nor errors: compile them, or ask with --check\n1 Lean file known by the text alone/,
  );
  const json = await quod('status', 'theories/B.v', '--json');
  expect(JSON.parse(json.stdout)).toMatchObject({
    files: [{ holes: [], compiled: 'no', rests_on: [{ holes: 1 }] }],
    not_checked: 1,
  });
});

describe.skipIf(coqc === undefined || coqidetop === undefined)('a project (skipped without Rocq)', () => {
  beforeEach(() => {
    write('theories/A.v', 'Definition a := 1.\n');
    write('theories/B.v', 'From My Require Import A.\nLemma b : a = 1.\nAdmitted.\n');
  });

  test('status: what was compiled with an older file below it is compiled no more, however far below', async () => {
    write('_CoqProject', '-Q theories My\n');
    write('theories/C.v', 'From My Require B.\n');
    await quod('build');
    const whole = await quod('status');
    expect(whole.stdout).not.toMatch(/ no/);
    expect(whole.stderr).not.toMatch(/looked for errors/);
    write('theories/A.v', 'Definition a := S 0.\n');
    const changed = await quod('status');
    for (const name of ['A', 'B', 'C']) expect(changed.stdout).toMatch(new RegExp(`${name}\\.v .* no`));
    await quod('build', 'theories/A.v');
    const built = await quod('status');
    expect(built.stdout).toMatch(/A\.v +yes/);
    for (const name of ['B', 'C']) expect(built.stdout).toMatch(new RegExp(`${name}\\.v .* no`));
  });

  test('a source that was restored with an older time is not what was compiled, and is told so', async () => {
    write('_CoqProject', '-Q theories My\n');
    await quod('build');
    write('theories/A.v', 'Definition a := 1 + 0.\n');
    utimesSync(join(folder, 'theories/A.v'), 0, 0);
    const status = await quod('status');
    for (const name of ['A', 'B']) expect(status.stdout).toMatch(new RegExp(`${name}\\.v .* no`));
    const { stderr } = await quod('prove', 'theories/B.v');
    expect(stderr).toMatch(/^theories\/B\.v: warning: .* source as it is now: theories\/A\.v\./m);
    expect(stderr).toMatch(/stale-libraries: My\.A: .* Build the project first: `quod build`\./);
    expect((await quod('build')).stderr).toMatch(/^2 compiled/m);
    // Moved here with its compiled file and nothing that says of what it was made: the times alone say nothing.
    rmSync(join(folder, 'theories/A.glob'));
    const unknown = await quod('status');
    for (const name of ['A', 'B']) expect(unknown.stdout).toMatch(new RegExp(`${name}\\.v .*not known`));
    expect(unknown.stderr).toMatch(/^From which text .*: theories\/A\.v, theories\/B\.v\. Delete the \.vo/m);
    // With an old time it passes for the source of what was compiled, as far as times go.
    write('theories/A.v', 'Definition a := 1 + 0 + 0.\n');
    utimesSync(join(folder, 'theories/A.v'), 0, 0);
    expect((await quod('status', 'theories/A.v')).stdout).toMatch(/A\.v +not known/);
  });

  test('status: a file is complete when what was compiled says so, or the prover that ran it', async () => {
    write('_CoqProject', '-Q theories My\n');
    write('theories/B.v', 'Lemma b : True.\nProof. exact I. Qed.\n');
    write(
      'theories/Part.v',
      'Require Import Structures.Equalities.\nModule F (X : Typ). Lemma hidden : False. Admitted. End F.\n',
    );
    write('theories/C.v', `Load "${folder}/theories/Part".\n`);
    write('theories/O.v', 'Require Import Program.\nProgram Definition f : {n | n > 3} := 2.\n');
    expect(await quod('status', 'theories/B.v', 'theories/C.v')).toMatchObject({ exitCode: 2 });
    await quod('build', 'theories/B.v', 'theories/C.v');
    expect(await quod('status', 'theories/B.v')).toMatchObject({ exitCode: 0 });
    const loading = await quod('status', 'theories/C.v');
    expect(loading).toMatchObject({ exitCode: 1 });
    expect(loading.stdout).toMatch(/C\.v +1: F\.hidden +yes/);
    write('theories/Part.v', 'Definition changed := 1.\n');
    expect((await quod('status', 'theories/C.v')).stdout).toMatch(/C\.v +no/);
    expect(await quod('status', 'theories/O.v')).toMatchObject({ exitCode: 2 });
    const run = await quod('status', 'theories/O.v', '--check', '--json');
    expect(run).toMatchObject({ exitCode: 1 });
    expect(JSON.parse(run.stdout)).toMatchObject({ files: [{ holes: [], errors: 1, read_from: 'run' }] });
  });

  test('with _CoqProject: what is not compiled is named once, and --build compiles it', async () => {
    write('_CoqProject', '-Q theories My\n');
    const run = await quod('prove', 'theories/B.v');
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr.trim().split('\n')).toHaveLength(1);
    expect(run.stderr).toMatch(/theories\/A\.v \(My\.A\)\. .*`quod build`.*\[library-missing\]$/m);
    const check = await quod('check', 'theories/B.v');
    expect(check.stdout).toMatch(/theories\/A\.v \(My\.A\)/);
    expect(check.stderr).toMatch(/^1 error and 1 that follow/m);
    const built = await quod('prove', 'theories/B.v', '--build');
    expect(built, built.stderr).toMatchObject({ exitCode: 0 });
    expect(built.stderr).toMatch(/✓ My\.A .*\n1 compiled, 0 up to date/);
    expect(built.stdout).toContain('Lemma b');
    expect((await quod('build')).stderr).toMatch(/^1 compiled, 1 up to date, 0 failed/m);
  });

  test('a file whose name no module can have is told so, named and counted', async () => {
    write('_CoqProject', '-Q theories My\n');
    write('theories/dup-orig.v', 'Definition d := 1.\n');
    write('theories/old.v1/C.v', 'Definition c := 1.\n');
    const alone = await quod('build', 'theories/dup-orig.v');
    expect(alone.exitCode).toBe(2);
    expect(alone.stderr).toMatch(
      /^quod: theories\/dup-orig\.v: .*no module can be called dup-orig\. .*Rename dup-orig, such as to dup_orig\. \[invalid-input\]$/m,
    );
    const all = await quod('build');
    expect(all, all.stderr).toMatchObject({ exitCode: 0 });
    expect(all.stdout).toMatch(/^ +- theories\/dup-orig\.v: .*Rename dup-orig, such as to dup_orig\.$/m);
    expect(all.stdout).toMatch(/^ +- theories\/old\.v1\/C\.v: .*Rename old\.v1, such as to old_v1\.$/m);
    expect(all.stderr).toMatch(/^2 compiled, 0 up to date, 0 failed, 2 left out/m);
    const status = await quod('status');
    expect(status.stdout).toMatch(/^theories\/dup-orig\.v +cannot be: its name$/m);
    expect(status.stderr).toMatch(
      /open, nor errors: ask with --check\nNo module .*: theories\/dup-orig\.v, theories\/old/,
    );
  });

  test('what may not be written beside a source is told with what to do', async () => {
    write('_CoqProject', '-Q theories My\n');
    mkdirSync(join(folder, 'theories/A.glob'));
    const { exitCode, stdout } = await quod('build', 'theories/A.v');
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(
      /^ {4}theories\/A\.v: theories\/A\.glob cannot be written: .* directory.* Build a copy of .*\. \[file-unwritable\]$/mu,
    );
  });

  test.skipIf(findExecutable(['make']) === undefined)('with a Makefile: make compiles it', async () => {
    write('_CoqProject', '-Q theories My\n');
    write('Makefile', 'theories/%.vo: theories/%.v\n\tcoqc -Q theories My $<\n\ttouch made\n');
    const run = await quod('prove', 'theories/B.v', '--build');
    expect(run, run.stderr).toMatchObject({ exitCode: 0 });
    expect(existsSync(join(folder, 'made'))).toBe(true);
    write('theories/B.v', 'From My Require Import A.\nLemma b : a = 2.\nProof. reflexivity. Qed.\n');
    const failed = await quod('build', 'theories/B.v');
    const said = failed.stdout + failed.stderr;
    expect(failed.exitCode, said).toBe(1);
    expect(said).toMatch(/^ {4}theories\/B\.v:3:7: make fails: [^]*Unable to unify "2" with "a"/mu);
    expect(said).toMatch(/1 failed/u);
    expect(said).not.toMatch(/make: \*\*\*/u);
    for (const name of ['A.vo', 'A.glob']) rmSync(join(folder, 'theories', name));
    mkdirSync(join(folder, 'theories/A.glob'));
    expect((await quod('build', 'theories/A.v')).stderr).toMatch(
      /^quod: theories\/A\.glob: make fails: theories\/A\.glob cannot be written: .* Build a copy .*\. \[file-unwritable\]$/mu,
    );
  });

  test.skipIf(findExecutable(['make']) === undefined)(
    'with a Makefile that ends well and makes nothing',
    async () => {
      write('_CoqProject', '-Q theories My\n');
      write('Makefile', 'theories/%.vo: theories/%.v\n\t-coqc -Q theories My $<\n');
      write('theories/A.v', 'Lemma a : 1 = 2.\nProof. reflexivity. Qed.\n');
      // Also where an older one lies there.
      for (const lies of [false, true]) {
        if (lies) {
          write('theories/A.v', 'Lemma a : 1 = 1.\nProof. reflexivity. Qed.\n');
          expect(await quod('build', 'theories/A.v')).toMatchObject({ exitCode: 0 });
          write('theories/A.v', 'Lemma a : 1 = 2.\nProof. reflexivity. Qed.\n');
        }
        const { exitCode, stdout, stderr } = await quod('build', 'theories/A.v', '--json');
        expect(exitCode, stderr).toBe(1);
        expect(JSON.parse(stdout)).toMatchObject({ complete: false, stopped: null });
        expect(stdout).toContain('make ended well, but made no A.vo of the source as it is.');
      }
    },
  );

  test.skipIf(findExecutable(['dune']) === undefined)(
    'of dune: in its own words, and dune compiles it',
    async () => {
      write('dune-project', '(lang dune 2.9)\n(using coq 0.3)\n');
      write('theories/dune', '(coq.theory (name My))\n');
      const run = await quod('prove', 'theories/B.v');
      expect(run.stderr).toMatch(/`dune build`/);
      expect(run.stderr).not.toContain('_CoqProject');
      const built = await quod('prove', 'theories/B.v', '--build');
      expect(built, built.stderr).toMatchObject({ exitCode: 0 });
      expect(existsSync(join(folder, 'theories/A.vo'))).toBe(false);
      expect(await quod('build')).toMatchObject({ exitCode: 0 });
    },
  );

  test.skipIf(findExecutable(['dune']) === undefined)(
    'of dune in the root: what changed after it was built is told once by all, and the copies of dune are no files of it',
    async () => {
      write('dune-project', '(lang dune 2.9)\n(using coq 0.3)\n');
      write('dune', '(coq.theory (name My) (modules L))\n');
      write('L.v', 'Lemma open : 0 = 0.\nAdmitted.\nDefinition a := 1.\n');
      write('B.v', 'From My Require Import L.\nLemma b : a = 1.\nAdmitted.\n');
      write('S.v', 'From My Require Import L.\nLemma b : a = 1.\nProof. reflexivity. Qed.\n');
      expect(await quod('build', 'L.v')).toMatchObject({ exitCode: 0 });
      const status = await quod('status', 'B.v', '--json');
      expect(JSON.parse(status.stdout)).toMatchObject({ files: [{ rests_on: [{ file: 'L.v', holes: 1 }] }] });
      write('L.v', 'Lemma open : 0 = 0.\nAdmitted.\nDefinition a := 2.\n');
      expect((await quod('verify', 'B.v', 'S.v')).stdout).toMatch(
        /My\.L: the source .*`dune build`, or `quod build`, which runs it\. \[stale-libraries\]/,
      );
      const checked = await quod('check', 'B.v', '--json');
      expect(JSON.parse(checked.stdout)).toMatchObject({ rests_on: { stale: ['L.v'] } });
      expect((await quod('prove', 'B.v')).stderr).toMatch(/source as it is now: L\.v\./);
    },
  );

  test('prove on a folder: each file with holes, what is wrong with one costs no other', async () => {
    write('_CoqProject', '-Q theories My\n');
    write('theories/Broken.v', 'From My Require Import Absent.\nLemma c : True.\nAdmitted.\n');
    write('theories/Done.v', 'Lemma d : True.\nProof. exact I. Qed.\n');
    const run = await quod('prove', '.', '--build');
    expect(run.exitCode, run.stderr).toBe(2);
    expect(run.stdout).toMatch(/^\(\* theories\/B\.v \*\)\n\nLemma b : a = 1\.\nProof\.[^]*Qed\.\n/);
    expect(run.stderr).toMatch(/Broken\.v:1:0: .*\[library-missing\]/);
    expect(run.stderr).toMatch(/^4 files, 2 with holes: 1 of 2 proved, 1 not tried in /m);
  });

  test('prove on a folder: what is broken below several files is told as their one cause, with its place', async () => {
    for (const name of ['B', 'C', 'D']) write(`theories/${name}.v`, '');
    write('_CoqProject', '-Q theories My\n');
    write('theories/A.v', 'Definition a := 1.\nLemma wrong : 1 = 2. Proof. reflexivity. Qed.\n');
    write('theories/C.v', 'From My Require Import A.\nLemma c : True.\nAdmitted.\n');
    write('theories/D.v', 'From My Require Import C.\nLemma d : True.\nAdmitted.\n');
    const run = await quod('prove', 'theories');
    const cause =
      'theories/A\\.v, which it requires, itself or through others, does not compile: theories/A\\.v:2:\\d+: .*unify.*\\n?.* Mend theories/A\\.v first; `quod check` lists all its errors\\.';
    for (const name of ['C', 'D'])
      expect(run.stderr).toMatch(
        new RegExp(`^quod: theories/${name}\\.v:1:0: ${cause} \\[does-not-compile\\]$`, 'm'),
      );
    expect(run.stderr).toMatch(/: 0 of 2 proved, 2 not tried in /);
    expect(run.stderr).not.toContain('--build');
  });

  test('prove on a folder: files that cannot be read are told and passed over, and what was not tried is counted', async () => {
    write('_CoqProject', '-Q theories My\n');
    write('theories/C.v', 'Lemma c : True.\nAdmitted.\n');
    write('theories/Empty.v', '');
    writeFileSync(
      join(folder, 'theories/Latin.v'),
      Buffer.from('Lemma d : True. (* \xe9 *)\nAdmitted.\n', 'latin1'),
    );
    const run = await quod('prove', '.');
    expect(run.exitCode, run.stderr).toBe(2);
    expect(run.stdout).toContain('(* theories/C.v *)');
    expect(run.stderr).toMatch(/Empty\.v: The file is empty/);
    expect(run.stderr).toMatch(/Latin\.v:1:\d+: The file is not text in UTF-8/);
    expect(run.stderr).toMatch(
      /^5 files, 2 not read, 2 with holes: 1 of 2 proved, 1 not tried \(not compiled: use --build\) in /m,
    );
    expect(await quod('status'), 'files of a folder').toMatchObject({ exitCode: 1 });
    expect((await quod('status', 'theories/Latin.v', 'theories/Missing.v')).stderr).toMatch(
      /There is no such file|UTF-8/,
    );
  });
});

describe.skipIf(coqc === undefined || coqidetop === undefined)(
  'a Rocq without its library (skipped without Rocq)',
  () => {
    const TEXT =
      'From Coq Require Import Lia.\nLemma a n : n + 0 = n.\nProof. lia. Qed.\nLemma b n : n + 0 = n.\nAdmitted.\n';
    let environment: Record<string, string> = {};
    beforeEach(() => {
      // As Rocq 9 is without the package of its standard library: only what is loaded at the start is there.
      const library = execFileSync('coqc', ['-where'], { encoding: 'utf8' }).trim();
      mkdirSync(join(folder, 'lib/coq/theories'), { recursive: true });
      for (const part of ['Init', 'ssr'])
        symlinkSync(join(library, 'theories', part), join(folder, 'lib/coq/theories', part));
      symlinkSync(join(dirname(library), 'coq-core'), join(folder, 'lib/coq-core'));
      write('coqidetop', `#!/bin/sh\nexec ${coqidetop ?? ''} -coqlib ${join(folder, 'lib/coq')} "$@"\n`);
      chmodSync(join(folder, 'coqidetop'), 0o755);
      environment = { QUOD_COQIDETOP: join(folder, 'coqidetop') };
      write('file.v', TEXT);
    });

    test('gives the file to one that has it, and says so', async () => {
      // What the first Rocq finds before it comes to the library counts once, as the second one finds it.
      write('late.v', `Lemma first : True.\nAdmitted.\n${TEXT}`);
      const run = await runQuod(['prove', 'late.v', '--write', '--jobs', '1'], folder, environment);
      expect(run, run.stderr).toMatchObject({ exitCode: 0, stdout: '' });
      expect(run.stderr).toMatch(/^2 of 2 proved/m);
      expect(readFileSync(join(folder, 'late.v'), 'utf8')).not.toContain('Admitted');
      expect(run.stderr).toMatch(
        /^late\.v: coqidetop .* does not have Coq\.Lia: .* the embedded Rocq .*has it$/m,
      );
      expect(run.stderr).not.toMatch(/^quod:/m);
      const check = await runQuod(['check', 'file.v'], folder, environment);
      expect(check.stderr).toMatch(/does not have Coq\.Lia/);
      expect(check.stderr).toMatch(/^0 errors, 1 hole/m);
    }, 240_000);

    test('ends at once with the one cause where a Rocq was chosen, and check folds what follows', async () => {
      const run = await runQuod(['prove', 'file.v', '--backend', 'coqidetop'], folder, environment);
      expect(run).toMatchObject({ exitCode: 2, stdout: '' });
      expect(run.stderr.trim().split('\n')).toHaveLength(1);
      expect(run.stderr).toMatch(/file\.v:1:0: .*Lia.*\[library-missing\]$/m);
      const check = await runQuod(['check', 'file.v', '--backend', 'coqidetop'], folder, environment);
      expect(check.stderr).toMatch(/^1 error and 1 that follow, 1 hole/m);
    });
  },
);
