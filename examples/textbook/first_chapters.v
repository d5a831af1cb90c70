(** Twelve exercises as the first chapters of a textbook set them: days, booleans, numbers, lists, logic. *)
From Coq Require Import List Arith.
Import ListNotations.

Inductive light : Set := red | amber | green.

Definition next (l : light) : light :=
  match l with red => green | green => amber | amber => red end.

Theorem three_changes : forall l, next (next (next l)) = l.
Proof.
Admitted.

Theorem next_injective : forall k l, next k = next l -> k = l.
Proof.
Admitted.

Definition either (b c : bool) : bool := if b then true else c.

Theorem either_comm : forall b c, either b c = either c b.
Proof.
Admitted.

Theorem either_false : forall b c, either b c = false -> b = false /\ c = false.
Proof.
Admitted.

Fixpoint plus (n m : nat) : nat := match n with 0 => m | S k => S (plus k m) end.

Theorem plus_zero : forall n, plus n 0 = n.
Proof.
Admitted.

Theorem plus_succ : forall n m, plus n (S m) = S (plus n m).
Proof.
Admitted.

Theorem plus_comm : forall n m, plus n m = plus m n.
Proof.
Admitted.

Fixpoint times (n m : nat) : nat := match n with 0 => 0 | S k => plus m (times k m) end.

Theorem times_one : forall n, times n 1 = n.
Proof.
Admitted.

Fixpoint snoc {A : Type} (l : list A) (x : A) : list A :=
  match l with [] => [x] | y :: rest => y :: snoc rest x end.

Theorem snoc_length : forall (A : Type) (l : list A) (x : A), length (snoc l x) = S (length l).
Proof.
Admitted.

Theorem snoc_app : forall (A : Type) (l : list A) (x : A), snoc l x = l ++ [x].
Proof.
Admitted.

Theorem contrapositive : forall P Q : Prop, (P -> Q) -> ~ Q -> ~ P.
Proof.
Admitted.

Theorem or_over_and : forall P Q R : Prop, P \/ (Q /\ R) <-> (P \/ Q) /\ (P \/ R).
Proof.
Admitted.
