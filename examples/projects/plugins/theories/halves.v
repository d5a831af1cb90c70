(** What plugins of Rocq bring: functions by any recursion (Function), ring, linear arithmetic (lia). *)
From Coq Require Import Arith Lia ZArith Ring Recdef.

Function half (n : nat) : nat := match n with S (S m) => S (half m) | _ => 0 end.

Lemma half_double n : half (n + n) = n.
Proof.
Admitted.

Lemma half_le n : half n <= n.
Proof.
Admitted.

Open Scope Z_scope.

Lemma square_of_sum a b : (a + b) * (a + b) = a * a + 2 * a * b + b * b.
Proof.
Admitted.

Lemma between a b c : a < b -> b < c -> a + 1 < c.
Proof.
Admitted.
