(** SSReflect: booleans, predicates and natural numbers in the style of the Mathematical Components,
    with nothing but what the standard library ships. *)

From Coq Require Import ssreflect ssrbool ssrfun.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

(** ** Functions *)

Section Functions.
  Variables A B C : Type.

  Lemma comp_inj (f : B -> C) (g : A -> B) : injective f -> injective g -> injective (fun x => f (g x)).
  Proof. by move=> f_inj g_inj x y /f_inj /g_inj. Qed.

  Lemma cancel_inj (f : A -> B) (g : B -> A) : cancel f g -> injective f.
  Proof.
  Admitted.

  Lemma involution_bijective (f : A -> A) : involutive f -> bijective f.
  Proof.
  Admitted.

  Lemma bijective_surjective (f : A -> B) : bijective f -> forall y, exists x, f x = y.
  Proof.
    case=> g fK gK y.
    admit.
  Admitted.
End Functions.

(** ** Booleans *)

Lemma xor_assoc (a b c : bool) : a (+) (b (+) c) = (a (+) b) (+) c.
Proof. by case: a; case: b; case: c. Qed.

Lemma xor_cancel (a b : bool) : a (+) (a (+) b) = b.
Proof.
Admitted.

Lemma implb_trans (a b c : bool) : (a ==> b) -> (b ==> c) -> a ==> c.
Proof.
Admitted.

Lemma negb_iff (P : Prop) (b : bool) : reflect P b -> ~~ b <-> ~ P.
Proof. by case=> HP; split. Qed.

Lemma reflect_and (P Q : Prop) (a b : bool) : reflect P a -> reflect Q b -> reflect (P /\ Q) (a && b).
Proof.
Abort.

(** ** Natural numbers with a boolean order *)

Fixpoint add (m n : nat) : nat := if m is S m' then S (add m' n) else n.

Lemma add0 (n : nat) : add n 0 = n.
Proof. by elim: n => //= n ->. Qed.

Lemma addS (m n : nat) : add m (S n) = S (add m n).
Proof. by elim: m => //= m ->. Qed.

Lemma add_comm (m n : nat) : add m n = add n m.
Proof.
Admitted.

Lemma add_assoc (m n p : nat) : add m (add n p) = add (add m n) p.
Proof.
Admitted.

Lemma add_exchange (m n p q : nat) : add (add m n) (add p q) = add (add m p) (add n q).
Proof.
Admitted.

Fixpoint leq (m n : nat) : bool :=
  match m, n with
  | 0, _ => true
  | S _, 0 => false
  | S m', S n' => leq m' n'
  end.

Lemma leqnn (n : nat) : leq n n.
Proof. by elim: n. Qed.

Lemma leq0 (n : nat) : leq n 0 -> n = 0.
Proof.
Admitted.

Lemma leq_add (m n : nat) : leq m (add m n).
Proof.
Admitted.

Lemma leq_trans (n m p : nat) : leq m n -> leq n p -> leq m p.
Proof. elim: n m p => [| n IH] [| m] [| p] //=. exact: IH. Qed.

Lemma leq_antisym (m n : nat) : leq m n -> leq n m -> m = n.
Proof.
  elim: m n => [| m IH] [| n] //=.
  give_up.
Admitted.

Lemma leq_total (m n : nat) : leq m n || leq n m.
Proof.
Admitted.
