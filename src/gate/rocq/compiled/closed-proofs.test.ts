import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { areClosed, type FindLibrary } from './closed-proofs.ts';
import { readCompiledFile, type CompiledFile } from './compiled-file.ts';
import { declaredConstants } from './declarations.ts';
import { installedFile } from './library-files.ts';
import { coqc, installedLibrary } from '../testing/installed-rocq.ts';

const FILE = `Require Import Lia Classical.
Axiom given : 1 = 2.
Lemma direct : 1 = 2. Proof. exact given. Qed.
Definition one_more := direct.
Lemma through : 2 = 1. Proof. symmetry. exact one_more. Qed.
Lemma of_library : forall P : Prop, ~ ~ P -> P. Proof. exact NNPP. Qed.
Lemma closed : forall a b, a + b = b + a. Proof. intros. lia. Qed.
Section S. Variable A : Type. Lemma in_section : forall x : A, x = x. Proof. reflexivity. Qed. End S.
Unset Guard Checking.
Fixpoint endless (n : nat) : False := endless n.
Set Guard Checking.
Lemma unguarded : False. Proof. exact (endless 0). Qed.
Unset Positivity Checking.
Inductive strange := Strange : (strange -> False) -> strange.
Set Positivity Checking.
Lemma about_strange : forall s : strange, s = s. Proof. reflexivity. Qed.
Module Type T. Parameter c : nat. Parameter law : c = 1. Lemma twice : c + c = 2. Proof. now rewrite law. Qed. End T.
Module F (X : T). Lemma instance : X.c = 1. Proof. exact X.law. Qed. Lemma own : 1 = X.c. Proof. now rewrite instance. Qed. End F.
Module Good <: T. Definition c := 1. Definition law : c = 1 := eq_refl.
  Lemma twice : c + c = 2. Proof. reflexivity. Qed. End Good.
Module Bad <: T. Definition c := 2. Lemma law : c = 1. Proof. symmetry. exact given. Qed.
  Lemma twice : c + c = 2. Proof. now rewrite law. Qed. End Bad.
Module OfGood := F Good.
Module OfBad := F Bad.
Module Sealed : T. Definition c := 2. Lemma law : c = 1. Proof. symmetry. exact given. Qed.
  Lemma twice : c + c = 2. Proof. now rewrite law. Qed. End Sealed.
Module Hidden : T. Definition c := 1. Lemma law : c = 1. Proof. reflexivity. Qed.
  Lemma twice : c + c = 2. Proof. reflexivity. Qed. End Hidden.
Declare Module Declared : T.
Module Alias := Bad.
Lemma uses_alias : Alias.c = 1. Proof. exact Alias.law. Qed.
Lemma uses_declared : Declared.c = 1. Proof. exact Declared.law. Qed.
Lemma uses_bad_instance : 1 = 2. Proof. exact OfBad.own. Qed.
Lemma uses_good_instance : 1 = 1. Proof. exact OfGood.own. Qed.
`;

const find: FindLibrary = (name) => {
  const path = installedFile(installedLibrary, name);
  return Promise.resolve(existsSync(path) ? readCompiledFile(readFileSync(path)) : undefined);
};

describe.skipIf(coqc === undefined)('what rests on nothing', () => {
  it('is found where the prover finds it, and never elsewhere', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'quod-closed-test-'));
    try {
      const run = (name: string, text: string): string => {
        writeFileSync(join(folder, `${name}.v`), text);
        const options = ['-q', '-w', 'none', '-Q', folder, 'Closed', join(folder, `${name}.v`)];
        return execFileSync('coqc', options, { encoding: 'utf8' });
      };
      run('Unit', FILE);
      const file: CompiledFile = readCompiledFile(readFileSync(join(folder, 'Unit.vo')));
      const names = declaredConstants(file)
        .filter(({ name, inModuleType }) => !inModuleType && !/^(F\.|T\.)/.test(name))
        .map(({ name }) => name);
      const asked = names.map((name) => `Print Assumptions Unit.${name}.\nCheck tt.`);
      const answers = run('Ask', `From Closed Require Unit.\n${asked.join('\n')}\n`).split(/tt\s+: unit\s*/);
      const expected = names.filter(
        (_, index) => answers[index]?.trim() === 'Closed under the global context',
      );
      const found: string[] = [];
      for (const name of names) if (await areClosed(file, [name], find)) found.push(name);
      expect(found.filter((name) => !expected.includes(name))).toEqual([]);
      // What applies to instances of sealed modules is left to the prover.
      const usual = ['closed', 'in_section', 'one_more', 'OfGood.own', 'Hidden.law', 'uses_good_instance'];
      expect(usual.filter((name) => expected.includes(name) !== found.includes(name))).toEqual([]);
      expect(found).toContain('closed');
      expect(await areClosed(file, names, find)).toBe(false);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('is not said of what is not there, nor without the libraries', async () => {
    const file = await find('Coq.Logic.Classical_Prop');
    if (file === undefined) return;
    expect(await areClosed(file, ['nothing'], find)).toBe(false);
    expect(await areClosed(file, ['NNPP'], find)).toBe(false);
    expect(await areClosed(file, ['not_and_or'], () => Promise.resolve(undefined))).toBe(false);
  });
});
