/** Theorems about functions that call themselves with no direct part of their argument: a plain induction says nothing of what they call. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findRocq } from '../sessions/find-rocq.ts';
import { proveFile } from './prove-file.ts';
import { credulous } from './testing/credulous-judge.ts';

const FILE = `From Coq Require Import List.
Import ListNotations.

Fixpoint even n := match n with 0 => true | 1 => false | S (S m) => even m end.
Inductive ev : nat -> Prop := ev_0 : ev 0 | ev_SS n : ev n -> ev (S (S n)).
Lemma even_ev n : even n = true -> ev n.
Proof. Admitted.
Lemma even_add n m : even n = true -> even m = true -> even (n + m) = true.
Proof. Admitted.

Fixpoint evenb n := match n with 0 => true | S m => oddb m end
with oddb n := match n with 0 => false | S m => evenb m end.
Lemma evenb_even n : evenb n = even n.
Proof. Admitted.

Fixpoint half n := match n with S (S m) => S (half m) | _ => 0 end.
Lemma half_le n : half n <= n.
Proof. Admitted.

Fixpoint evens {A} (l : list A) := match l with a :: _ :: t => a :: evens t | _ => l end.
Lemma evens_map A B (f : A -> B) l : evens (map f l) = map f (evens l).
Proof. Admitted.

Fixpoint thirds {A} (l : list A) := match l with a :: _ :: _ :: t => a :: thirds t | _ => [] end.
Lemma thirds_map A B (f : A -> B) : forall l, thirds (map f l) = map f (thirds l).
Proof. Admitted.

Inductive chain := Nil | Cons (x : nat) (rest : chain).
Fixpoint swap c := match c with Cons x (Cons y r) => Cons y (Cons x (swap r)) | _ => c end.
Lemma swap_swap c : swap (swap c) = c.
Proof. Admitted.

From Coq Require Import PeanoNat Recdef.
Function ones (n : nat) {measure (fun n => n) n} := if n <=? 1 then [] else 1 :: ones (Nat.div2 n).
Proof. intros n E. apply Nat.lt_div2. destruct n; [discriminate | apply Nat.lt_0_succ]. Defined.
Lemma ones_alike n : ones n = repeat 1 (length (ones n)).
Proof. Admitted.
`;

// The embedded Rocq takes its time where there is no other.
it('goes by induction as a function does', { timeout: 600_000 }, async () => {
  const results = await proveFile(
    {
      file: join(tmpdir(), 'quod_deep_test.v'),
      text: FILE,
      theorems: 'all-holes',
      nodes: 200,
      jobs: 1,
      seed: 1,
      prover: await findRocq('auto'),
      judge: credulous,
      signal: new AbortController().signal,
    },
    () => {},
  );
  expect(results.map(({ theorem, outcome }) => [theorem, outcome.kind])).toEqual(
    [
      'even_ev',
      'even_add',
      'evenb_even',
      'half_le',
      'evens_map',
      'thirds_map',
      'swap_swap',
      'ones_alike',
    ].map((theorem) => [theorem, 'proved']),
  );
  const scriptOf = (name: string): string => {
    const outcome = results.find(({ theorem }) => theorem === name)?.outcome;
    return outcome?.kind === 'proved' ? outcome.script : '';
  };
  expect(scriptOf('even_ev')).toBe(`Proof.
  revert n.
  fix IHn 1.
  destruct n.
  - constructor.
  - destruct n.
    + easy.
    + constructor.
      auto.
Qed.`);
  // What the induction is made of is taken apart where it leaves goals, too.
  expect(scriptOf('half_le')).not.toMatch(/;|\btry\b/u);
});
