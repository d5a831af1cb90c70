import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it, test } from 'vitest';
import { findExecutable } from '../../../process/executable.ts';
import type { Verdict } from '../../verdict.ts';
import { verify } from '../../verify.ts';
import { moduleNameOf } from '../judgement.ts';
import { ownNameIn } from './own-name.ts';

const OWN = ['Lib', 'a', 'Foo'];

test.each([
  ['Definition x := 0. Require Import Bar. Check Lib.a.Foo.x.', 'Lib.a.Foo.x'],
  ['Definition x := 0. Import Bar. Check Lib .a(* here *).Foo.M.x.', 'Lib.a.Foo.M.x'],
  ['Check Lib.a.Foo.x. Include Bar.', 'Lib.a.Foo.x'],
  ['Check Lib.a.Foo.x. Load "Bar".', 'Lib.a.Foo.x'],
  ['Check Lib.a.Foo.x. Module Type Lib. End Lib.', 'Lib.a.Foo.x'],
  ['Section s. Section Lib. Check Lib.a.Foo.x.', 'Lib.a.Foo.x'],
  ['Definition x := 0. Check Lib.a.Foo.x.', undefined],
  ['From A Require B. Import B. Open Scope c. Local Set D. Definition x := 0. Check Lib.a.Foo.x.', undefined],
  ['Check Lib.a.Foo.x. Module M. Section Foo. (* Import Bar *) End Foo. End M.', undefined],
  [
    'Definition x := 0. Require Import Bar. Check a.Foo.x, Foo.x, b.Foo.x, Lib.Foo.x, Lib.a.Foo2.x.',
    undefined,
  ],
  ['Module N := Lib.a.Foo.', 'Lib.a.Foo'],
  ['From a Require Foo. (* Lib.a.Foo.x *) Import Foo.', undefined],
  ['From Lib Require Import a.Foo.Bar. Require Lib.a.Foo.Bar.', undefined],
  ['Require Export (* below *) Lib.a.Foo.Core. Include Lib.a.Foo.Core. Check Lib.a.Foo.Core.x.', undefined],
  ['From Lib Require Import a.Foo.Core. Check Lib.a.Foo.x. Import C.', 'Lib.a.Foo.x'],
])('%s says %s of a library in a folder', (text, name) => {
  expect(ownNameIn(text, OWN)).toBe(name);
});

test.each([
  ['Definition add := 0. Import Bar. Check Foo.add.', 'Foo.add'],
  ['Check Foo.add. Notation "x ++ y" := (add x y). Module Import Foo. End Foo.', 'Foo.add'],
  ['Definition add := 0. Check Foo.add.', undefined],
  ['Definition f := 0. Import Bar. Check Foo.add, Nat.add, add_comm.', undefined],
])('%s says %s of a library in no folder', (text, name) => {
  expect(ownNameIn(text, ['Foo'])).toBe(name);
});

test.each([
  ['/p/a/Foo.v', 'Lib.a.Foo'],
  ['/p/a-b/Foo.v', 'Foo'],
  ['/q/Foo.v', 'Foo'],
])('%s is compiled as %s', (path, name) => {
  const loadPath = [{ flag: '-Q', physical: '/p', logical: 'Lib' } as const];
  const project = { root: '/p', source: undefined, loadPath, ocamlPath: [], arguments: [] };
  expect(moduleNameOf(path, project)).toBe(name);
  expect(moduleNameOf(path.replace('Foo', '1-2'), project)).toMatch(/^file_[0-9a-f]{8}$/u);
});

test('it is found wherever it stands, and never where no dot leads to the last part', () => {
  const part = fc.stringMatching(/^[A-Z][a-z']{0,3}$/u);
  fc.assert(
    fc.property(
      fc.array(part, { minLength: 2, maxLength: 4 }),
      fc.constantFrom('', '.x', '.M.x'),
      (own, rest) => {
        const said = own.join('.') + rest;
        expect(ownNameIn(`Lemma l : (${said}) = 0. Import Q.`, own)).toBe(said);
        expect(ownNameIn(`Lemma l : (${own.join(' ')}) = 0. Import Q.`, own)).toBeUndefined();
      },
    ),
  );
});

describe.skipIf(findExecutable(['coqc']) === undefined)('a target that says its own name', () => {
  const folder = mkdtempSync(join(tmpdir(), 'quod-own-name-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  const inner = join(folder, 'project');
  const file = (name: string, text: string): void => {
    mkdirSync(inner, { recursive: true });
    writeFileSync(join(inner, name), text);
  };
  /** In a project that calls the file Init.Nat, which is what Rocq's own library has, too. */
  const judged = (statement: string, proof: string, behind = ''): Promise<Verdict> => {
    file('_CoqProject', '-Q . Init\nNat.v\n');
    const before = `Definition add (n m : nat) := 0.\n${behind}Theorem hard : ${statement}.\n`;
    const path = join(inner, 'Nat.v');
    file('Nat.v', `${before}Admitted.\n`);
    return verify(
      { path, text: `${before}Admitted.\n` },
      { path: join(folder, 'S.v'), text: `${before}Proof. ${proof} Qed.\n` },
    );
  };

  it('means by it what its project means', async () => {
    expect((await judged('Init.Nat.add 1 1 = 2', 'reflexivity.')).kind).toBe('rejected');
    expect(await judged('Init.Nat.add 1 1 = 0', 'reflexivity.')).toMatchObject({ kind: 'accepted' });
    expect((await judged('Nat.add 1 1 = 0', 'reflexivity.')).kind).toBe('accepted');
    expect((await judged('Coq.Init.Nat.add 1 1 = 2', 'reflexivity.')).kind).toBe('accepted');
  });

  it('means it also in a text that it loads', async () => {
    file('Claim.v', 'Definition claim (n : nat) := Init.Nat.add 1 1 = n.\n');
    expect((await judged('claim 0', 'reflexivity.', 'Load Claim.\n')).kind).toBe('accepted');
    expect((await judged('claim 2', 'reflexivity.', 'Load Claim.\n')).kind).toBe('rejected');
  });

  it('is not judged where something could hide the name here, and not there', async () => {
    mkdirSync(join(inner, 'Init'), { recursive: true });
    file('Init/Nat.v', 'Definition add (n m : nat) := 2.\n');
    execFileSync('coqc', ['-q', '-Q', '.', 'Init', 'Init/Nat.v'], { cwd: inner });
    const verdict = await judged('Init.Nat.add 1 1 = 2', 'reflexivity.', 'Require Init.Init.Nat.\n');
    expect(verdict).toMatchObject({ kind: 'unknown', reason: 'unsupported' });
    expect(verdict.kind === 'unknown' && verdict.message).toContain('says Init.Nat.add,');
    const said = await judged('1 = 1', 'exact (eq_refl (S (Init.Nat.add 0 0))). Import Nat.');
    expect(said).toMatchObject({ kind: 'unknown', reason: 'unsupported' });
  });
});
