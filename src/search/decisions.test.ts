/** Theorems that say which of two things holds of every object: a plain induction on one of two objects does not find the other's case. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findRocq } from '../sessions/find-rocq.ts';
import { proveFile } from './prove-file.ts';
import { credulous } from './testing/credulous-judge.ts';

const FILE = `Lemma equal_or_not : forall n m : nat, n = m \\/ n <> m.
Proof. Admitted.
Lemma computed (n m : nat) : {n <> m} + {n = m}.
Proof. Admitted.

Inductive tree := Leaf | Node (l : tree) (x : nat) (r : tree).
Lemma of_trees (s t : tree) : {s = t} + {s <> t}.
Proof. Admitted.
Lemma of_lists A (d : forall x y : A, x = y \\/ ~ x = y) (l k : list A) : l = k \\/ ~ l = k.
Proof. Admitted.

Inductive below : nat -> nat -> Prop :=
  below_0 m : below 0 m | below_S n m : below n m -> below (S n) (S m).
Lemma one_is_below : forall n m, below n m \\/ below m n.
Proof. Admitted.
Lemma below_or_not (n m : nat) : below n m \\/ ~ below n m.
Proof. Admitted.
`;

// The embedded Rocq takes its time where there is no other.
it('decides what holds of two objects', { timeout: 600_000 }, async () => {
  const results = await proveFile(
    {
      file: join(tmpdir(), 'quod_decisions_test.v'),
      text: FILE,
      theorems: 'all-holes',
      nodes: 150,
      jobs: 1,
      seed: 1,
      prover: await findRocq('auto'),
      judge: credulous,
      signal: new AbortController().signal,
    },
    () => {},
  );
  expect(results.map(({ theorem, outcome }) => [theorem, outcome.kind])).toEqual(
    ['equal_or_not', 'computed', 'of_trees', 'of_lists', 'one_is_below', 'below_or_not'].map((theorem) => [
      theorem,
      'proved',
    ]),
  );
});
