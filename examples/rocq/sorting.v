(** Sorting: counting what is in a list, permutations and insertion sort. *)

From Coq Require Import List Arith Lia Permutation.
Import ListNotations.

(** ** Counting *)

Fixpoint count (n : nat) (l : list nat) : nat :=
  match l with
  | [] => 0
  | x :: l' => if n =? x then S (count n l') else count n l'
  end.

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
