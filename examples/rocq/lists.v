(** Lists: appending at the end, reversing with an accumulator, counting and insertion sort.

    Some proofs are complete and the others are holes.  [quod prove examples/rocq/lists.v] works on the holes:
    it learns from the complete proofs which steps suit which goals.  Two holes need an idea that no proof
    in this file contains; they are marked as honest leftovers. *)

From Coq Require Import List Arith Lia Permutation.
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
  - give_up.
Admitted.

Lemma count_Permutation (n : nat) (l k : list nat) : Permutation l k -> count n l = count n k.
Proof.
Admitted.

(** ** Insertion sort *)

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

Lemma insert_perm (n : nat) (l : list nat) : Permutation (insert n l) (n :: l).
Proof.
  induction l as [| x l IH]; simpl.
  - apply Permutation_refl.
  - destruct (n <=? x).
    + apply Permutation_refl.
    + rewrite IH. apply perm_swap.
Qed.

Lemma insert_sorted (n : nat) (l : list nat) : sorted l -> sorted (insert n l).
Proof.
  intros H. induction H as [| x | x y l le_xy _ IH]; simpl.
  - constructor.
  - destruct (Nat.leb_spec n x); repeat constructor; lia.
  - simpl in IH. destruct (Nat.leb_spec n x).
    + repeat constructor; try assumption.
      destruct (Nat.leb_spec n y); [inversion IH; assumption | lia].
    + destruct (Nat.leb_spec n y); constructor; first [assumption | lia].
Qed.

Lemma insertion_sort_perm (l : list nat) : Permutation (insertion_sort l) l.
Proof.
Admitted.

Lemma insertion_sort_sorted (l : list nat) : sorted (insertion_sort l).
Proof.
Abort.

(* an honest leftover *)
Lemma insertion_sort_sorted_id (l : list nat) : sorted l -> insertion_sort l = l.
Proof.
Admitted.

(* an honest leftover: it takes a lemma about the least element that nothing here suggests *)
Theorem sorted_unique (l k : list nat) : sorted l -> sorted k -> Permutation l k -> l = k.
Proof.
Admitted.
