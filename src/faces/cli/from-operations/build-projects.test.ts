/** `quod build` and `quod status` where several projects, or several tools, share a folder. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findExecutable } from '../../../process/executable.ts';
import { runQuod } from '../testing/run-quod.ts';

const has = (...programs: string[]): boolean => programs.every((one) => findExecutable([one]) !== undefined);

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quod-build-projects-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}
const quod = (...commandLine: string[]) => runQuod(commandLine, folder);

/** A makefile that tells coq_makefile by itself which names there are, as projects without a `_CoqProject` have. */
const makefile = (names: string): string =>
  [
    'all: Makefile.coq\n\t$(MAKE) -f Makefile.coq all\n',
    `Makefile.coq: Makefile\n\tcoq_makefile ${names} $(wildcard *.v) -o Makefile.coq\n`,
  ].join('\n');

describe.skipIf(!has('coqc', 'coq_makefile', 'make'))('makefiles (skipped without them)', () => {
  beforeEach(() => {
    write('theories/Makefile', makefile('-R . Lib'));
    write('theories/A.v', 'Definition a := 1.\n');
    write('examples/Makefile', makefile('-R ../theories Lib -R . Ex'));
    write('examples/B.v', 'Require Import Lib.A.\nLemma b : a = 1.\nAdmitted.\n');
  });

  test('that alone know their names and what they need of each other build all, and again what changed below', async () => {
    const all = await quod('build');
    expect(all, all.stdout).toMatchObject({ exitCode: 0 });
    expect(all.stdout).not.toContain('✗');
    const compiled = async (): Promise<readonly string[] | null> =>
      (await quod('status')).stdout.match(/[AB]\.v .*\byes$/gmu);
    expect(await compiled()).toHaveLength(2);
    expect((await quod('check', 'examples/B.v')).stderr).toMatch(/^0 errors/mu);
    for (const asked of ['.', 'examples/B.v']) {
      appendFileSync(join(folder, 'theories/A.v'), `Definition more${asked.length} := 2.\n`);
      expect(await compiled()).toBeNull();
      expect(await quod('build', asked), asked).toMatchObject({ exitCode: 0 });
      expect(await compiled(), asked).toHaveLength(2);
    }
    appendFileSync(join(folder, 'theories/A.v'), 'Definition last := 2.\n');
    const proved = await quod('prove', 'examples/B.v', '--build');
    expect(proved, proved.stderr).toMatchObject({ exitCode: 0 });
  }, 120_000);

  test('whose names only make tells are made once', async () => {
    const rule = '%.vo: %.v Makefile.coq\n\tmake -f Makefile.coq $@\n';
    write('theories/Makefile', `${makefile('-R . Lib')}${rule}`);
    const { stdout, exitCode } = await quod('build', 'theories');
    expect(exitCode, stdout).toBe(0);
    expect(stdout.match(/^ {2}make/gmu)).toHaveLength(1);
  }, 60_000);

  test('of which one fails are told once, with the reason that make has', async () => {
    write('theories/A.v', 'Definition a : nat := true.\n');
    const { exitCode, stdout } = await quod('build');
    expect(exitCode, stdout).toBe(1);
    expect(stdout).toMatch(/^ {4}theories\/A\.v:1:22: make fails: /mu);
    expect(stdout).toMatch(/^ {4}examples: make fails: .*No rule to make target '\.\.\/theories\/A\.vo'/mu);
    expect(stdout.match(/✗/gu)).toHaveLength(2);
  });
});

test.skipIf(!has('coqc', 'make'))(
  'what a recipe prints that fails beside others is told, and not that make waits for them (skipped without coqc and make)',
  async () => {
    write('_CoqProject', '-Q . My\n');
    write('A.v', '');
    write('B.v', '');
    const slow = 'B.vo:\n\tsleep 1; touch B.vo\n';
    write('Makefile', `A.vo:\n\t@sleep 0.2; echo no licence is left >&2; exit 3\n${slow}`);
    const { exitCode, stdout } = await quod('build', '--jobs', '2');
    expect(exitCode, stdout).toBe(1);
    expect(stdout).toMatch(/make fails: no licence is left$/mu);
  },
  30_000,
);

test.skipIf(!has('coqc', 'make'))(
  'before a search, too, a project whose tool fails is tried again when another was built (skipped without coqc and make)',
  async () => {
    write('dep/_CoqProject', '-R . Dep\n');
    write('dep/D.v', 'Definition d := 1.\n');
    write('lib/_CoqProject', '-R . Lib\n');
    write('lib/Makefile', 'A.vo: A.v ../dep/D.vo\n\tcoqc -R . Lib A.v\n');
    write('lib/A.v', 'Definition a := 1.\n');
    write('ex/_CoqProject', '-R ../lib Lib\n-R ../dep Dep\n-R . Ex\n');
    write('ex/B.v', 'Require Import Lib.A.\nRequire Import Dep.D.\nLemma b : a = d.\nAdmitted.\n');
    const { exitCode, stderr } = await quod('prove', 'ex/B.v', '--build');
    expect(exitCode, stderr).toBe(0);
    expect(stderr.match(/^ {2}make /gmu)).toHaveLength(2);
  },
  60_000,
);

describe.skipIf(!has('coqc', 'make', 'dune'))('a project of make and of dune (skipped without them)', () => {
  beforeEach(() => {
    write('_CoqProject', '-Q theories My\n');
    write(
      'Makefile',
      'theories/%.vo: theories/%.v\n\tcoqc -Q theories My $<\ntheories/B.vo: theories/A.vo\n',
    );
    write('dune-project', '(lang dune 2.9)\n(using coq 0.3)\n');
    write('theories/dune', '(coq.theory (name My))\n');
    write('theories/A.v', 'Definition a := 1.\n');
    write('theories/B.v', 'From My Require Import A.\nDefinition b := a.\n');
    write('src/dune', '(coq.extraction (prelude Top) (extracted_modules b) (theories My))\n');
    write('src/Top.v', 'From My Require Import B.\n');
  });
  const toolsOf = async (): Promise<string> => {
    const { stdout, stderr, exitCode } = await quod('build');
    expect(exitCode, stdout + stderr).toBe(0);
    return (stdout.match(/^ {2}(?:make|dune)/gmu) ?? []).map((line) => line.trim()).join(' ');
  };

  test('is built by dune where dune was before, what is extracted included', async () => {
    execFileSync('dune', ['build', 'theories/A.vo'], { cwd: folder });
    // Its project file has another place for the same sources.
    write('tests/C.v', 'From My Require Import B.\n');
    expect(await toolsOf()).toBe('dune');
    expect(existsSync(join(folder, 'theories/A.vo'))).toBe(false);
    expect((await quod('status')).stdout.match(/\byes$/gmu)).toHaveLength(2);
    expect((await quod('check', 'src/Top.v')).stderr).toMatch(/^0 errors/mu);
  }, 60_000);

  test('is else built by make, and by it alone: dune refuses what make has built', async () => {
    for (const change of ['', 'Definition more := 2.\n']) {
      appendFileSync(join(folder, 'theories/A.v'), change);
      expect(await toolsOf()).toBe('make');
      expect((await quod('status')).stdout.match(/\byes$/gmu)).toHaveLength(2);
    }
    expect(existsSync(join(folder, '_build'))).toBe(false);
    expect((await quod('check', 'src/Top.v')).stderr).toMatch(/^0 errors/mu);
  }, 60_000);

  test('what dune does not compile again, as what it requires came out the same, is compiled; what it has still to compile is not', async () => {
    rmSync(join(folder, 'Makefile'));
    const build = (target: string) =>
      execFileSync('dune', ['build', `theories/${target}.vo`], { cwd: folder });
    const ofB = async (): Promise<string | undefined> =>
      (await quod('status')).stdout.match(/B\.v .*$/mu)?.[0];
    build('B');
    appendFileSync(join(folder, 'theories/A.v'), '(* A remark. *)\n');
    build('B');
    const [a, b] = ['A', 'B'].map(
      (name) => statSync(join(folder, `_build/default/theories/${name}.vo`)).mtimeMs,
    );
    expect(a).toBeGreaterThan(Number(b));
    expect(await ofB()).toMatch(/yes$/u);
    appendFileSync(join(folder, 'theories/A.v'), 'Definition more := 2.\n');
    build('A');
    expect(await ofB()).toMatch(/no$/u);
  }, 60_000);
});
