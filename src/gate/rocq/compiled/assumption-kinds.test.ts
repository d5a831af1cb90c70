import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findExecutable } from '../../../process/executable.ts';
import { readCompiledFile } from './compiled-file.ts';
import { declaredConstants } from './declarations.ts';

const TEXT = `Axiom an_axiom : 1 = 2.
Parameter a_parameter : nat.
Conjecture conjectured : 1 = 3.
Lemma admitted : 1 = 4. Admitted.
Definition defined := 3.
Lemma proved : True. Proof. exact I. Qed.
Require Import Coq.Program.Tactics. Obligation Tactic := idtac.
Fail Axiom d_obligation_1 : nope.
Program Definition d : { n : nat | n = 4 } := 3.
Admit Obligations.
Program Definition e : { n : nat | n = 4 } := 3.
Next Obligation. Admitted.
Goal 1 = 5. Admitted.
Module Type S. Parameter asked : nat. Module K. Parameter d_obligation_1 : nat. End K. End S.
Module M. Axiom inner : nat. Lemma inner_admitted : True. Admitted. End M.
Module Including. Include S. Program Definition d : { n : nat | n = 4 } := 3. Admit Obligations. End Including.
Declare Module Declared : S.
Module F (X : S). Axiom of_functor : nat. Lemma admitted_in_functor : True. Admitted. End F.
Module Applied := F Including.
Section Variables. Variable n : nat. Lemma in_section : n = n. Admitted. End Variables.
Class C := c : nat.
#[global] Declare Instance declared_instance : C.
Fixpoint mutual (n : nat) : n = n with other (n : nat) : n = n. Admitted.
Module Type Holder. Module Type T. Axiom u : 0 = 1. End T. End Holder.
Module Bound (X : Holder). Module M : X.T. Theorem u : 0 = 1. Admitted. End M. End Bound.
Module Sealed : S. Parameter asked : nat. Module K. Parameter d_obligation_1 : nat. End K. End Sealed.
Module Type Open. Lemma left_open : 0 = 1. Admitted. Parameter asked_here : nat. Module In. Lemma deep : 0 = 1. Admitted. End In. End Open.
Declare Module Assumed : Open.
Set Universe Polymorphism.
Primitive array := #array_type.
`;

// A release writes its own files only. The attacks with the Rocq inside Node rest on the same reader.
it.skipIf(findExecutable(['coqc']) === undefined)(
  'a compiled file says as what a constant was declared',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'quod-kinds-'));
    try {
      writeFileSync(join(folder, 'kinds.v'), TEXT);
      execFileSync('coqc', ['-q', 'kinds.v'], { cwd: folder, stdio: 'ignore' });
      const file = readCompiledFile(readFileSync(join(folder, 'kinds.vo')));
      const assumed = declaredConstants(file).flatMap(({ name, assumed: as, inModuleType }) =>
        as === undefined || inModuleType ? [] : [[name, as]],
      );
      expect(Object.fromEntries(assumed)).toEqual({
        an_axiom: 'axiom',
        a_parameter: 'axiom',
        conjectured: 'admitted',
        admitted: 'admitted',
        d_obligation_1: 'admitted',
        e_obligation_1: 'admitted',
        Unnamed_thm: 'admitted',
        'M.inner': 'axiom',
        'M.inner_admitted': 'admitted',
        'Including.asked': 'copy',
        'Including.K.d_obligation_1': 'copy',
        'Including.d_obligation_1': 'admitted',
        'Declared.asked': 'axiom',
        'Declared.K.d_obligation_1': 'axiom',
        'F.of_functor': 'axiom',
        'F.admitted_in_functor': 'admitted',
        'Applied.of_functor': 'copy',
        'Applied.admitted_in_functor': 'copy',
        in_section: 'admitted',
        declared_instance: 'axiom',
        mutual: 'admitted',
        other: 'admitted',
        'Bound.M.u': 'unsaid',
        'Sealed.asked': 'unsaid',
        'Sealed.K.d_obligation_1': 'unsaid',
        'Assumed.left_open': 'copy',
        'Assumed.asked_here': 'axiom',
        'Assumed.In.deep': 'copy',
        array: 'axiom',
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);
