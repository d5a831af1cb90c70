(** What a basket costs. *)
From Coq Require Import List Lia.
From Shop Require Import Price.
Import ListNotations.

Fixpoint total (basket : list price) : price :=
  match basket with [] => 0 | p :: rest => p + total rest end.

Lemma total_app b c : total (b ++ c) = total b + total c.
Proof.
Admitted.

Lemma total_discounted off basket : total (map (discounted off) basket) <= total basket.
Proof.
Admitted.
