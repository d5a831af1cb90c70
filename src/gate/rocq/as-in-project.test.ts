import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findExecutable } from '../../process/executable.ts';
import { withoutByteOrderMark } from '../../process/foreign-folder/byte-order-mark.ts';
import type { Verdict } from '../verdict.ts';
import { judgeProof, verify } from '../verify.ts';

const TARGET = 'Theorem t : 3 - 5 = 0.\nAdmitted.\nDefinition d := 1 + 1.\n';
const SUBMISSION = TARGET.replace('Admitted', 'Proof. reflexivity. Qed');

// Coq 8.16 has `-ri`, which requires a library and imports it: what it opens decides how a statement is read.
describe.skipIf(findExecutable(['coqc']) === undefined)('a target that its project compiled', () => {
  let folder = '';
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  /** Compiles a file as the project does, whatever Quod makes of it. */
  const compileAt = (place: string, file: string, ...options: readonly string[]): void => {
    const words = ['-q', '-noglob', ...options, '-R', '.', 'Main', file];
    execFileSync('coqc', words, { cwd: join(folder, place), stdio: 'ignore' });
  };
  const judged = (): Promise<Verdict> =>
    verify({ path: join(folder, 'T.v'), text: TARGET }, { path: join(folder, 'S.v'), text: SUBMISSION });

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'quod-as-in-project-'));
    write('T.v', TARGET);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('is judged where it means the same, under whatever name', async () => {
    compileAt('.', 'T.v');
    expect((await judged()).kind).toBe('accepted');
  });

  it('is not judged as something else than the project made of it', async () => {
    write('Pre.v', 'Require Export Coq.ZArith.ZArith. Global Open Scope Z_scope.\n');
    compileAt('.', 'Pre.v');
    compileAt('.', 'T.v', '-ri', 'Main.Pre');
    const verdict = await judged();
    expect(verdict).toMatchObject({ kind: 'unknown', reason: 'unsupported' });
    const place = `${join(folder, 'T.vo')}, which was compiled of this text`;
    expect(verdict.kind === 'unknown' && verdict.message).toContain(place);
  });

  it('is judged where what was compiled is of another text', async () => {
    const later = new Date(Date.now() + 60_000);
    utimesSync(join(folder, 'T.v'), later, later);
    expect((await judged()).kind).toBe('accepted');
  });

  it('is judged although something in the project is called like a folder named after it', async () => {
    write('T/Foo.v', 'Definition foo := 0.\n');
    execFileSync('coqc', ['-q', '-noglob', '-R', '.', 'Main', 'T/Foo.v'], { cwd: folder });
    write('_CoqProject', '-R . Main\n');
    const target = `Require Import Main.T.Foo.\n${TARGET.replace('1 + 1', 'foo')}`;
    write('T.v', target);
    compileAt('.', 'T.v');
    const submission = target.replace('Admitted', 'Proof. reflexivity. Qed');
    const texts = [
      { path: join(folder, 'T.v'), text: target },
      { path: join(folder, 'S.v'), text: submission },
    ] as const;
    expect(await verify(...texts)).toMatchObject({ kind: 'accepted' });
    // What the project's own file shows needs no reading of options.
    write('Makefile', 'COQEXTRAFLAGS = $(shell cat flags)\n');
    expect(await verify(...texts)).toMatchObject({ kind: 'accepted' });
    rmSync(join(folder, 'T.vo'));
    const verdict = await verify(...texts);
    expect(verdict).toMatchObject({ kind: 'unknown', reason: 'unsupported' });
    expect(verdict.kind === 'unknown' && verdict.message).toContain('COQEXTRAFLAGS = $(shell cat flags)');
    const filled = await judgeProof({ target: texts[0], text: submission, statements: [1] });
    expect(filled).toMatchObject({ kind: 'accepted', restsOn: { warnings: [{ kind: 'options-unread' }] } });
    for (const name of ['_CoqProject', 'Makefile', 'T']) rmSync(join(folder, name), { recursive: true });
    write('T.v', TARGET);
  });

  // What a notation of a prelude makes of `1 + 1`.
  const HOLE = 'Theorem t : True.\nAdmitted.\n';
  it.each([
    ['a type that makes no constant', 'Variant holds : Prop := h : 1 + 1 = 3 -> holds.', 'holds'],
    ['one in a module', 'Module M. Variant holds : Prop := h : 1 + 1 = 3 -> holds. End M.', 'M.holds'],
    ['what is named as tactics name things', 'Definition two_subproof := 1 + 1.', 'two_subproof'],
    ['a text with a byte order mark', '\uFEFFDefinition two := 1 + 1.', 'two'],
  ])('is not judged as something else: %s', async (_, declared, name) => {
    const at = mkdtempSync(join(folder, 'other-'));
    const put = (file: string, text: string): void => writeFileSync(join(at, file), text);
    put('P.v', 'Notation "x + y" := (S (Nat.add x y)) : nat_scope.\n');
    put('T.v', `${declared}\n${HOLE}`);
    for (const words of [['P.v'], ['-ri', 'Main.P', 'T.v']])
      execFileSync('coqc', ['-q', '-noglob', '-R', '.', 'Main', ...words], { cwd: at, stdio: 'ignore' });
    const text = withoutByteOrderMark(`${declared}\n${HOLE}`);
    const verdict = await verify(
      { path: join(at, 'T.v'), text },
      { path: join(at, 'S.v'), text: text.replace('Admitted', 'Proof. exact I. Qed') },
    );
    expect(verdict).toMatchObject({ kind: 'unknown', reason: 'unsupported' });
    expect(verdict.kind === 'unknown' && verdict.message).toMatch(
      new RegExp(`^${name} means something`, 'u'),
    );
  });

  it('is judged where what was compiled has another proof, or another value that nobody can look into', async () => {
    const at = mkdtempSync(join(folder, 'proof-'));
    // Made of other modules, too, which are written down in ways of their own.
    const text =
      'Lemma p : 1 <= 2. Proof. auto. Qed.\nModule Type S. Parameter n : nat. End S.\nModule F (M : S). Definition m := M.n. End F.\nModule A. Definition n := 1. End A.\nModule B := F A.\nModule C := A.\nInclude A.\nTheorem t : B.m = n.\nAdmitted.\n';
    writeFileSync(join(at, 'P.v'), 'Ltac auto := exact (le_S _ _ (le_n 1)).\n');
    writeFileSync(join(at, 'T.v'), text);
    for (const words of [['P.v'], ['-ri', 'Main.P', 'T.v']])
      execFileSync('coqc', ['-q', '-noglob', '-R', '.', 'Main', ...words], { cwd: at, stdio: 'ignore' });
    const verdict = await verify(
      { path: join(at, 'T.v'), text },
      { path: join(at, 'S.v'), text: text.replace('Admitted', 'Proof. reflexivity. Qed') },
    );
    expect(verdict).toMatchObject({ kind: 'accepted' });
    expect(verdict.kind === 'accepted' && verdict.restsOn.warnings).toBeUndefined();
  });

  it('is told to be compared with nothing where dune or make builds it and has not compiled it', async () => {
    const cases = [
      ['dune may build', ['dune-project']],
      ['make builds', ['_CoqProject', 'Makefile', 'dune-project']],
      [undefined, ['_CoqProject']],
    ] as const;
    for (const [builds, files] of cases) {
      const at = mkdtempSync(join(folder, 'unmade-'));
      for (const file of files) writeFileSync(join(at, file), file === '_CoqProject' ? '-R . Main\n' : '');
      writeFileSync(join(at, 'T.v'), TARGET);
      const verdict = await verify(
        { path: join(at, 'T.v'), text: TARGET },
        { path: join(at, 'S.v'), text: SUBMISSION },
      );
      const warnings = verdict.kind === 'accepted' ? verdict.restsOn.warnings : undefined;
      const told = [
        { kind: 'not-compared', message: expect.stringContaining(`${builds} its project`) as string },
      ];
      expect(warnings).toEqual(builds === undefined ? undefined : told);
    }
  });

  it('is looked for where dune compiles it, also where dune is not seen to do so', async () => {
    rmSync(join(folder, 'T.vo'), { force: true });
    write('_build/default/T.v', TARGET);
    write('_build/default/Pre.v', 'Require Export Coq.ZArith.ZArith. Global Open Scope Z_scope.\n');
    compileAt('_build/default', 'Pre.v');
    compileAt('_build/default', 'T.v', '-ri', 'Main.Pre');
    const before = new Date(Date.now() - 60_000);
    utimesSync(join(folder, 'T.v'), before, before);
    expect((await judged()).kind).toBe('unknown');
  });

  it.skipIf(findExecutable(['dune']) === undefined).each([
    ['accepted', ''],
    ['unknown', '-ri Coq.Strings.String'],
  ])('is %s as dune itself makes it, where dune works its flags out: "%s"', async (kind, flags) => {
    const target = TARGET.replace('1 + 1', '@length');
    const submission = SUBMISSION.replace('1 + 1', '@length');
    const root = join('dune', kind);
    write(join(root, 'dune-project'), '(lang dune 2.9)\n(using coq 0.3)\n');
    write(
      join(root, 'dune'),
      `(rule (with-stdout-to flags.sexp (echo "(${flags})")))
(coq.theory (name Main) (modules T) (flags (:include flags.sexp)))
`,
    );
    write(join(root, 'T.v'), target);
    const judged = (): Promise<Verdict> =>
      verify(
        { path: join(folder, root, 'T.v'), text: target },
        { path: join(folder, root, 'S.v'), text: submission },
      );
    const before = await judged();
    expect(before.kind === 'unknown' && before.message).toContain('(:include flags.sexp)');
    execFileSync('dune', ['build', '--root', '.', 'T.vo'], { cwd: join(folder, root), stdio: 'ignore' });
    const after = await judged();
    expect(after.kind).toBe(kind);
    if (after.kind === 'unknown') expect(after.message).toContain('means something else in the project');
  });
});
