(** Swapping pairs, in SSReflect. *)
From Coq Require Import ssreflect ssrfun ssrbool.

Definition swap {A B : Type} (p : A * B) : B * A := (p.2, p.1).

Lemma swapK (A B : Type) : cancel (@swap A B) (@swap B A).
Proof. by case. Qed.

Lemma swap_inj (A B : Type) : injective (@swap A B).
Proof.
Admitted.

Lemma swap_eq (A B : Type) (x y : A) (u v : B) : swap (x, u) = swap (y, v) -> x = y /\ u = v.
Proof.
Admitted.
