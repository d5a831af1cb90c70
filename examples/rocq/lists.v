(** Lists: appending at the end, reversing with an accumulator, and counting.

    Some proofs are complete and the others are holes.  [quod prove examples/rocq/lists.v] fills the holes:
    it learns from the complete proofs which steps suit which goals. *)

From Coq Require Import List Arith Lia.
Import ListNotations.

(** ** Appending one element at the end *)

Fixpoint snoc {A : Type} (l : list A) (x : A) : list A :=
  match l with
  | [] => [x]
  | y :: l' => y :: snoc l' x
  end.

Lemma snoc_app {A : Type} (l : list A) (x : A) : snoc l x = l ++ [x].
Proof.
  induction l as [| y l IH]; simpl.
  - reflexivity.
  - rewrite IH. reflexivity.
Qed.

Lemma app_snoc {A : Type} (l k : list A) (x : A) : snoc l x ++ k = l ++ x :: k.
Proof.
  rewrite snoc_app. rewrite <- app_assoc. reflexivity.
Qed.

Lemma snoc_app_nil {A : Type} (l : list A) (x : A) : snoc l x ++ [] = snoc l x.
Proof.
  rewrite app_nil_r. reflexivity.
Qed.

Lemma snoc_not_nil {A : Type} (l : list A) (x : A) : snoc l x <> [].
Proof. destruct l; discriminate. Qed.

Lemma length_snoc {A : Type} (l : list A) (x : A) : length (snoc l x) = S (length l).
Proof.
Admitted.

Lemma map_snoc {A B : Type} (f : A -> B) (l : list A) (x : A) :
  map f (snoc l x) = snoc (map f l) (f x).
Proof.
  induction l as [| y l IH]; simpl.
  - reflexivity.
  - admit.
Admitted.

Lemma rev_snoc {A : Type} (l : list A) (x : A) : rev (snoc l x) = x :: rev l.
Proof.
Admitted.

(** ** Reversing with an accumulator *)

Fixpoint rev_onto {A : Type} (l acc : list A) : list A :=
  match l with
  | [] => acc
  | x :: l' => rev_onto l' (x :: acc)
  end.

Lemma length_rev_onto {A : Type} (l acc : list A) : length (rev_onto l acc) = length l + length acc.
Proof.
  revert acc. induction l as [| x l IH]; intros acc; simpl.
  - reflexivity.
  - rewrite IH. simpl. lia.
Qed.

Lemma rev_onto_app {A : Type} (l acc : list A) : rev_onto l acc = rev l ++ acc.
Proof.
  revert acc. induction l as [| x l IH]; intros acc; simpl.
  - reflexivity.
  - rewrite IH.
    admit.
Admitted.

Lemma rev_onto_nil {A : Type} (l : list A) : rev_onto l [] = rev l.
Proof.
Abort.

(** ** Counting *)

Fixpoint count (n : nat) (l : list nat) : nat :=
  match l with
  | [] => 0
  | x :: l' => if n =? x then S (count n l') else count n l'
  end.

Lemma count_app (n : nat) (l k : list nat) : count n (l ++ k) = count n l + count n k.
Proof.
  induction l as [| x l IH]; simpl.
  - reflexivity.
  - destruct (n =? x); simpl; rewrite IH; reflexivity.
Qed.

Lemma count_le_length (n : nat) (l : list nat) : count n l <= length l.
Proof.
Admitted.

Lemma count_rev (n : nat) (l : list nat) : count n (rev l) = count n l.
Proof.
  induction l as [| x l IH]; simpl.
  - reflexivity.
  - rewrite count_app, IH.
    give_up.
Admitted.
