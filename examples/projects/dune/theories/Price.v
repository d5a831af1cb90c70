(** Prices in cents. *)
From Coq Require Import Arith Lia.

Definition price := nat.

Definition discounted (off p : price) : price := p - off.

Lemma discounted_le off p : discounted off p <= p.
Proof.
Admitted.

Lemma discounted_twice a b p : discounted a (discounted b p) = discounted (a + b) p.
Proof.
Admitted.
