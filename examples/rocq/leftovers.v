(** What the search does not find: each of these statements is true and needs an idea that neither the files beside this one
    nor general tactics offer, an auxiliary lemma, an invariant or a witness.  A search that proves one of them is welcome to. *)

From Coq Require Import List Arith Lia Permutation ZArith Bool.
Import ListNotations.

(** ** From sorting.v *)

Fixpoint insert (n : nat) (l : list nat) : list nat :=
  match l with
  | [] => [n]
  | x :: l' => if n <=? x then n :: l else x :: insert n l'
  end.

Fixpoint insertion_sort (l : list nat) : list nat :=
  match l with
  | [] => []
  | x :: l' => insert x (insertion_sort l')
  end.

Inductive sorted : list nat -> Prop :=
  | sorted_nil : sorted []
  | sorted_one (x : nat) : sorted [x]
  | sorted_cons (x y : nat) (l : list nat) : x <= y -> sorted (y :: l) -> sorted (x :: y :: l).

(* Needs that inserting below the head of a sorted list puts the element in front. *)
Lemma insertion_sort_sorted_id (l : list nat) : sorted l -> insertion_sort l = l.
Proof.
Admitted.

(* Needs a lemma about the least element. *)
Theorem sorted_unique (l k : list nat) : sorted l -> sorted k -> Permutation l k -> l = k.
Proof.
Admitted.

(** ** From arithmetic.v *)

(* Somebody must think of [x - y]. *)
Lemma two_squares (x y : Z) : (2 * (x * y) <= x * x + y * y)%Z.
Proof.
Admitted.

(* The descent needs an induction that generalises over a bound. *)
Theorem square_root_two_irrational (p q : Z) : (p * p = 2 * (q * q) -> q = 0)%Z.
Proof.
Admitted.

(** ** From sections.v *)

Section Monoid.
  Context {M : Type} (op : M -> M -> M) (unit : M).
  Hypothesis op_assoc : forall x y z, op x (op y z) = op (op x y) z.
  Hypothesis unit_left : forall x, op unit x = x.
  Hypothesis unit_right : forall x, op x unit = x.
  Hypothesis op_comm : forall x y, op x y = op y x.

  (* Behind the induction six steps in the right order, like no other proof. *)
  Lemma product_rev (l : list M) : fold_right op unit (rev l) = fold_right op unit l.
  Proof using op_assoc op_comm unit_left unit_right.
  Abort.
End Monoid.

Section Closure.
  Context {A : Type} (R : A -> A -> Prop).

  Inductive star : A -> A -> Prop :=
    | star_refl x : star x x
    | star_step x y z : R x y -> star y z -> star x z.

  Hypothesis diamond : forall x y z, R x y -> R x z -> exists w, R y w /\ R z w.

  (* The witness of one square feeds the next. *)
  Theorem confluence (x y z : A) : star x y -> star x z -> exists w, star y w /\ star z w.
  Proof using diamond.
  Admitted.
End Closure.

(** ** From language.v *)

Inductive term : Type :=
  | TTrue
  | TFalse
  | TZero
  | TSucc (t : term)
  | TIsZero (t : term)
  | TIf (c t u : term).

Inductive type : Type := Bool | Nat.

Inductive numeric : term -> Prop :=
  | numeric_zero : numeric TZero
  | numeric_succ (t : term) : numeric t -> numeric (TSucc t).

Definition value (t : term) : Prop := t = TTrue \/ t = TFalse \/ numeric t.

Inductive has_type : term -> type -> Prop :=
  | type_true : has_type TTrue Bool
  | type_false : has_type TFalse Bool
  | type_zero : has_type TZero Nat
  | type_succ t : has_type t Nat -> has_type (TSucc t) Nat
  | type_is_zero t : has_type t Nat -> has_type (TIsZero t) Bool
  | type_if c t u T : has_type c Bool -> has_type t T -> has_type u T -> has_type (TIf c t u) T.

Inductive step : term -> term -> Prop :=
  | step_if_true t u : step (TIf TTrue t u) t
  | step_if_false t u : step (TIf TFalse t u) u
  | step_if c c' t u : step c c' -> step (TIf c t u) (TIf c' t u)
  | step_succ t t' : step t t' -> step (TSucc t) (TSucc t')
  | step_is_zero_zero : step (TIsZero TZero) TTrue
  | step_is_zero_succ t : numeric t -> step (TIsZero (TSucc t)) TFalse
  | step_is_zero t t' : step t t' -> step (TIsZero t) (TIsZero t').

(* The case analysis must be led by hand. *)
Theorem progress (t : term) (T : type) : has_type t T -> value t \/ exists t', step t t'.
Proof.
Admitted.

(** ** From ssreflect.v *)

Fixpoint leq (m n : nat) : bool :=
  match m, n with
  | 0, _ => true
  | S _, 0 => false
  | S m', S n' => leq m' n'
  end.

(* The witness must be built along a double induction. *)
Lemma leqP (m n : nat) : reflect (exists d, n = m + d) (leq m n).
Proof.
Admitted.
