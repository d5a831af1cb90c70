Unset Guard Checking.
Section Outer.
Variable u : nat.
Definition first (a : nat -> nat) : nat -> nat := match u with 0 => a | _ => a end.
Section Inner.
Variable v : nat.
Definition pick (a : nat -> nat) : nat -> nat := match v with 0 => a | _ => a end.
Definition both (a : nat -> nat) : nat -> nat := match u + v with 0 => a | _ => a end.
Let chosen : nat -> nat := fix f n := match n with 0 => 0 | S m => f (pick (fun _ => n) m) end.
Lemma bad_by_a_local_definition : nat -> nat.
Proof. exact chosen. Qed.
Lemma bad_in_a_section : nat -> nat.
Proof. exact (fix f n := match n with 0 => 0 | S m => f (pick (fun _ => n) m) end). Qed.
Lemma bad_of_the_section_around : nat -> nat.
Proof. exact (fix f n := match n with 0 => 0 | S m => f (first (fun _ => n) m) end). Qed.
Lemma bad_of_both_sections : nat -> nat.
Proof. exact (fix f n := match n with 0 => 0 | S m => f (both (fun _ => n) m) end). Qed.
End Inner.
Lemma bad_behind_a_section : nat -> nat.
Proof. exact (fix f n := match n with 0 => 0 | S m => f (pick 0 (fun _ => n) m) end). Qed.
End Outer.
