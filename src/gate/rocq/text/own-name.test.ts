import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it, test } from 'vitest';
import { findExecutable } from '../../../process/executable.ts';
import type { Verdict } from '../../verdict.ts';
import { verify } from '../../verify.ts';
import { ownNameIn } from './own-name.ts';

const OWN = ['Lib', 'a', 'Foo'];

test.each([
  ['Check Lib.a.Foo.x.', 'Lib.a.Foo.x'],
  ['exact (a.Foo.x y)', 'a.Foo.x'],
  ['Import a.Foo.', 'a.Foo'],
  ['Check a .Foo(* here *).M.x.', 'a.Foo.M.x'],
  ['Check Foo.x.', undefined],
  ['Check b.Foo.x, Lib.Foo.x, Xa.Foo.x, a.Foo2.x.', undefined],
  ['From a Require Foo. (* Lib.a.Foo.x *)', undefined],
  ['Lemma l : a. Foo.', undefined],
  ['From Lib Require Import a.Foo.Bar. Require Lib.a.Foo.Bar.', undefined],
  ['Require Export (* below *) a.Foo.Core. Include a.Foo.Core. Check a.Foo.Core.x.', undefined],
  ['From Lib Require Import a.Foo.Core. Check a.Foo.x.', 'a.Foo.x'],
  ['Require Import Bar. Check Lib.a.Foo.x.', 'Lib.a.Foo.x'],
])('%s says %s of a library in a folder', (text, name) => {
  expect(ownNameIn(text, OWN)).toBe(name);
});

test.each([
  ['Definition add := 0. Check Foo.add.', 'Foo.add'],
  ['Check Foo.add. Notation "x ++ y" := (add x y).', 'Foo.add'],
  ['Check Foo.add.', undefined],
  ['Check Foo.add, add_comm, Nat.add.', undefined],
])('%s says %s of a library in no folder', (text, name) => {
  expect(ownNameIn(text, ['Foo'])).toBe(name);
});

test('it is found wherever it stands, and never where no dot leads to the last part', () => {
  const part = fc.stringMatching(/^[A-Z][a-z']{0,3}$/u);
  fc.assert(
    fc.property(
      fc.array(part, { minLength: 2, maxLength: 4 }),
      fc.nat(),
      fc.constantFrom('', '.x', '.M.x'),
      (own, from, rest) => {
        const count = 2 + (from % (own.length - 1));
        const said = own.slice(-count).join('.') + rest;
        expect(ownNameIn(`Lemma l : (${said}) = 0.`, own)).toBe(said);
        expect(ownNameIn(`Lemma l : (${own.slice(-count).join(' ')}) = 0.`, own)).toBeUndefined();
      },
    ),
  );
});

describe.skipIf(findExecutable(['coqc']) === undefined)('a target that says its own name', () => {
  const folder = mkdtempSync(join(tmpdir(), 'quod-own-name-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  /** In a project that calls the file Init.Nat, which is what Rocq's own library has, too. */
  const judged = (statement: string, proof: string): Promise<Verdict> => {
    const inner = join(folder, 'project');
    mkdirSync(inner, { recursive: true });
    writeFileSync(join(inner, '_CoqProject'), '-Q . Init\nNat.v\n');
    const before = `Definition add (n m : nat) := 0.\nTheorem hard : ${statement}.\n`;
    const path = join(inner, 'Nat.v');
    writeFileSync(path, `${before}Admitted.\n`);
    return verify(
      { path, text: `${before}Admitted.\n` },
      { path: join(folder, 'S.v'), text: `${before}Proof. ${proof} Qed.\n` },
    );
  };

  it('is not judged, since the project means something else by it', async () => {
    const verdict = await judged('Init.Nat.add 1 1 = 2', 'reflexivity.');
    expect(verdict).toMatchObject({ kind: 'unknown', reason: 'unsupported' });
    expect(verdict.kind === 'unknown' && verdict.message).toContain('says Init.Nat.add,');
  });

  it('is judged where it says the short name, or the full one of a library', async () => {
    expect((await judged('Nat.add 1 1 = 0', 'reflexivity.')).kind).toBe('accepted');
    expect((await judged('Coq.Init.Nat.add 1 1 = 2', 'reflexivity.')).kind).toBe('accepted');
  });

  it('is not judged where the submission alone says it', async () => {
    const verdict = await judged('1 = 1', 'exact (eq_refl (S (Init.Nat.add 0 0))).');
    expect(verdict).toMatchObject({ kind: 'unknown', reason: 'unsupported' });
  });
});
