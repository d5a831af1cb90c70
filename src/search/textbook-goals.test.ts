/** What the first chapters of a textbook ask for, by class: each was not found within so few nodes before the class was known. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findRocq } from '../sessions/find-rocq.ts';
import { proveFile } from './prove-file.ts';
import { credulous } from './testing/credulous-judge.ts';

const FUNCTOR = `Module Type MONOID.
  Parameter t : Type.
  Parameter op : t -> t -> t.
  Parameter e : t.
  Axiom assoc : forall a b c, op a (op b c) = op (op a b) c.
  Axiom id_left : forall a, op e a = a.
  Axiom id_right : forall a, op a e = a.
End MONOID.
Module Twice (M : MONOID).
  Theorem four : forall a b c d, M.op (M.op a b) (M.op c d) = M.op a (M.op (M.op b c) d).
  Proof. Admitted.
End Twice.
Module Type RIGHT.
  Parameter t : Type.
  Parameter op : t -> t -> t.
  Parameter e : t.
  Axiom id_right : forall a, op (op a e) e = a.
End RIGHT.
Module Other (M : RIGHT).
  Theorem unit_twice : forall a, M.op (M.op a M.e) M.e = a.
  Proof. Admitted.
End Other.
`;

const ACCUMULATORS = `Require Import List Lia.
Import ListNotations.
Fixpoint rev_onto {A} (l acc : list A) : list A :=
  match l with [] => acc | x :: r => rev_onto r (x :: acc) end.
Fixpoint reverse {A} (l : list A) : list A := match l with [] => [] | x :: r => reverse r ++ [x] end.
Theorem rev_onto_nil : forall (A : Type) (l : list A), rev_onto l [] = reverse l.
Proof. Admitted.
Fixpoint sum_on (l : list nat) (n : nat) : nat := match l with [] => n | x :: r => sum_on r (x + n) end.
Fixpoint sum (l : list nat) : nat := match l with [] => 0 | x :: r => x + sum r end.
Theorem sum_on_zero : forall l, sum_on l 0 = sum l.
Proof. Admitted.
`;

const VALUES = `Inductive light := red | amber | green.
Definition next c := match c with red => green | green => amber | amber => red end.
Theorem square : exists n, n * n = 49.
Proof. Admitted.
Theorem before_red : exists c, next c = red.
Proof. Admitted.
Theorem halves : exists p : nat * nat, fst p + snd p = 4 /\\ fst p = snd p.
Proof. Admitted.
Theorem triangle : exists a b c, 0 < a /\\ 0 < b /\\ a * a + b * b = c * c.
Proof. Admitted.
Theorem not_all : ~ (forall n, n * n = n + n).
Proof. Admitted.
`;

async function found(text: string, nodes: number): Promise<Map<string, string>> {
  const results = await proveFile(
    {
      ...{
        file: join(tmpdir(), 'quod_textbook_test.v'),
        text,
        theorems: 'all-holes',
        nodes,
        jobs: 1,
        seed: 1,
      },
      prover: await findRocq('auto'),
      judge: credulous,
      signal: new AbortController().signal,
    },
    () => {},
  );
  return new Map(
    results.map(({ theorem, outcome }) => [
      theorem,
      outcome.kind === 'proved' ? outcome.script : outcome.kind,
    ]),
  );
}

// The embedded Rocq takes its time where there is no other.
it('uses what the parameter of a functor states, each of its own', { timeout: 600_000 }, async () => {
  const proofs = await found(FUNCTOR, 120);
  expect(proofs.get('four')).toContain('M.assoc');
  expect(proofs.get('unit_twice')).toContain('M.id_right');
});

it('guesses what holds of every value of an accumulator', { timeout: 600_000 }, async () => {
  const proofs = await found(ACCUMULATORS, 150);
  expect(proofs.get('rev_onto_nil')).toContain('reverse l ++ acc');
  expect(proofs.get('sum_on_zero')).toContain('sum l + acc');
});

it('tries small values where computing decides', { timeout: 600_000 }, async () => {
  const proofs = await found(VALUES, 60);
  expect(proofs.get('square')).toMatch(/exists 7\./u);
  expect(proofs.get('before_red')).toMatch(/exists amber\./u);
  expect(proofs.get('halves')).toMatch(/exists \(2, 2\)\./u);
  expect(proofs.get('triangle')).toMatch(/exists 3/u);
  expect(proofs.get('not_all')).toMatch(/specialize \(H \d\)/u);
});
