(** Arithmetic: sums, powers, divisibility and parity over [nat] and [Z].

    Holes of every kind: [Admitted], [Abort], [admit] and [give_up] in the middle of a proof. *)

From Coq Require Import Arith Lia ZArith.

(** ** Sums *)

Fixpoint sum (f : nat -> nat) (n : nat) : nat :=
  match n with
  | 0 => 0
  | S m => sum f m + f m
  end.

Lemma sum_ext (f g : nat -> nat) (n : nat) : (forall i, i < n -> f i = g i) -> sum f n = sum g n.
Proof.
  induction n as [| n IH]; intros H; simpl.
  - reflexivity.
  - rewrite IH by (intros i Hi; apply H; lia). rewrite H by lia. reflexivity.
Qed.

Lemma sum_add (f g : nat -> nat) (n : nat) : sum (fun i => f i + g i) n = sum f n + sum g n.
Proof.
  induction n as [| n IH]; simpl.
  - reflexivity.
  - rewrite IH. lia.
Qed.

Lemma sum_zero (n : nat) : sum (fun _ => 0) n = 0.
Proof.
Admitted.

Lemma sum_scale (c : nat) (f : nat -> nat) (n : nat) : sum (fun i => c * f i) n = c * sum f n.
Proof.
Admitted.

Lemma sum_odd (n : nat) : sum (fun i => 2 * i + 1) n = n * n.
Proof.
  induction n as [| n IH]; simpl.
  - reflexivity.
  - admit.
Admitted.

Lemma gauss (n : nat) : 2 * sum (fun i => i) (S n) = n * (n + 1).
Proof.
Abort.

(** ** Powers *)

Fixpoint power (b n : nat) : nat :=
  match n with
  | 0 => 1
  | S m => b * power b m
  end.

Lemma power_add (b n m : nat) : power b (n + m) = power b n * power b m.
Proof.
  induction n as [| n IH]; simpl.
  - lia.
  - rewrite IH. lia.
Qed.

Lemma power_one (n : nat) : power 1 n = 1.
Proof.
Admitted.

Lemma power_mul_base (a b n : nat) : power (a * b) n = power a n * power b n.
Proof.
Admitted.

Lemma power_positive (b n : nat) : 0 < b -> 0 < power b n.
Proof.
  intros H. induction n as [| n IH]; simpl.
  - lia.
  - give_up.
Admitted.

Lemma power_power (b n m : nat) : power (power b n) m = power b (n * m).
Proof.
Admitted.

(** ** Divisibility *)

Definition divides (d n : nat) : Prop := exists k, n = k * d.

Lemma divides_refl (n : nat) : divides n n.
Proof. exists 1. lia. Qed.

Lemma divides_zero (n : nat) : divides n 0.
Proof.
Admitted.

Lemma divides_add (d n m : nat) : divides d n -> divides d m -> divides d (n + m).
Proof.
  intros [k Hk] [l Hl]. exists (k + l). subst. lia.
Qed.

Lemma divides_trans (a b c : nat) : divides a b -> divides b c -> divides a c.
Proof.
Admitted.

(** ** Parity over the integers *)

Open Scope Z_scope.

Lemma square_nonneg (x : Z) : 0 <= x * x.
Proof. nia. Qed.

Lemma even_add (x y : Z) : Z.Even x -> Z.Even y -> Z.Even (x + y).
Proof. intros [k Hk] [l Hl]. exists (k + l). lia. Qed.

Lemma even_mul (x y : Z) : Z.Even x -> Z.Even (x * y).
Proof.
Admitted.

Lemma even_square (x : Z) : Z.Even (x * x) -> Z.Even x.
Proof.
  intros H. apply Z.even_spec in H. rewrite Z.even_mul in H.
  apply Z.even_spec. destruct (Z.even x); [reflexivity | discriminate].
Qed.
