(** Sections: an abstract monoid and an ordered type, with [Variables], [Hypotheses] and [Proof using].

    A proof found here must keep its [Proof using] clause and may use only what the clause names. *)

From Coq Require Import List.
Import ListNotations.

(** ** Monoids and their powers *)

Section Monoid.
  Variable M : Type.
  Variables (op : M -> M -> M) (unit : M).
  Infix "*" := op.

  Hypothesis op_assoc : forall x y z, x * (y * z) = (x * y) * z.
  Hypothesis unit_left : forall x, unit * x = x.
  Hypothesis unit_right : forall x, x * unit = x.

  Lemma unit_unique (e : M) : (forall x, e * x = x) -> e = unit.
  Proof using unit_right.
    intros H. rewrite <- (unit_right e). apply H.
  Qed.

  Lemma unit_unique_right (e : M) : (forall x, x * e = x) -> e = unit.
  Proof using unit_left.
  Admitted.

  Lemma inverse_unique (x y z : M) : y * x = unit -> x * z = unit -> y = z.
  Proof using op_assoc unit_left unit_right.
  Admitted.

  Fixpoint power (x : M) (n : nat) : M :=
    match n with
    | 0 => unit
    | S m => x * power x m
    end.

  Lemma power_one (x : M) : power x 1 = x.
  Proof using unit_right.
  Admitted.

  Lemma power_add (x : M) (n m : nat) : power x (n + m) = power x n * power x m.
  Proof using op_assoc unit_left.
    induction n as [| n IH]; simpl.
    - rewrite unit_left. reflexivity.
    - rewrite IH. rewrite op_assoc. reflexivity.
  Qed.

  Lemma power_unit (n : nat) : power unit n = unit.
  Proof using unit_left.
  Admitted.

  Lemma power_comm (x : M) (n : nat) : power x n * x = x * power x n.
  Proof using op_assoc unit_left unit_right.
    induction n as [| n IH]; simpl.
    - rewrite unit_left, unit_right. reflexivity.
    - admit.
  Admitted.

  (** The product of a list. *)
  Let product := fold_right op unit.

  Lemma product_singleton (x : M) : product [x] = x.
  Proof using unit_right. apply unit_right. Qed.

  Lemma product_app (l k : list M) : product (l ++ k) = product l * product k.
  Proof using op_assoc unit_left.
  Admitted.

  Section Commutative.
    Hypothesis op_comm : forall x y, x * y = y * x.

    Lemma op_swap (x y z : M) : x * (y * z) = y * (x * z).
    Proof using op_assoc op_comm.
      rewrite op_assoc, (op_comm x y), <- op_assoc. reflexivity.
    Qed.

    Lemma power_mul (x y : M) (n : nat) : power (x * y) n = power x n * power y n.
    Proof using op_assoc op_comm unit_left.
    Admitted.
  End Commutative.
End Monoid.

(** ** Relations and their closures *)

Section Closure.
  Context {A : Type} (R : A -> A -> Prop).

  Inductive star : A -> A -> Prop :=
    | star_refl x : star x x
    | star_step x y z : R x y -> star y z -> star x z.

  Lemma star_one (x y : A) : R x y -> star x y.
  Proof using.
  Admitted.

  Lemma star_trans (x y z : A) : star x y -> star y z -> star x z.
  Proof using.
    intros H. revert z. induction H as [x | x y w step _ IH]; intros z H.
    - assumption.
    - eapply star_step; [eassumption | apply IH; assumption].
  Qed.

  Lemma star_step_right (x y z : A) : star x y -> R y z -> star x z.
  Proof using.
  Admitted.

  Variable P : A -> Prop.
  Hypothesis P_preserved : forall x y, R x y -> P x -> P y.

  Lemma star_invariant (x y : A) : star x y -> P x -> P y.
  Proof using P_preserved.
  Admitted.

  Hypothesis diamond : forall x y z, R x y -> R x z -> exists w, R y w /\ R z w.

  Lemma strip (x y z : A) : R x y -> star x z -> exists w, star y w /\ R z w.
  Proof using diamond.
    intros S H. revert y S. induction H as [x | x x' z S' H IH]; intros y S.
    - exists y. split; [constructor | assumption].
    - destruct (diamond x y x' S S') as [w [Sy Sx']].
      destruct (IH w Sx') as [v [Hw Hz]].
      exists v. split; [econstructor; eassumption | assumption].
  Qed.
End Closure.
