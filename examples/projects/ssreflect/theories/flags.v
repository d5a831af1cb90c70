(** Flags that pass through pairs. *)
From Coq Require Import ssreflect ssrfun ssrbool.
From Pairs Require Import swap.

Definition both (p : bool * bool) : bool := p.1 && p.2.

Lemma both_swap p : both (swap p) = both p.
Proof.
Admitted.

Lemma bothP p : reflect (p.1 = true /\ p.2 = true) (both p).
Proof.
Admitted.

Lemma both_negb p : ~~ both p = ~~ p.1 || ~~ p.2.
Proof.
Admitted.
