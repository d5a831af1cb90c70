import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findExecutable } from '../../process/executable.ts';
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
