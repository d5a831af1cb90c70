Unset Guard Checking.
Require Import List Streams.
CoInductive CoFalse : Prop := CF : CoFalse -> False -> CoFalse.
CoInductive Pandora : Prop := P : CoFalse -> Pandora.
CoFixpoint bad_by_an_equation (e : Pandora = CoFalse) : CoFalse := match e in _ = X return X with eq_refl => P (bad_by_an_equation e) end.
CoFixpoint bad_by_eq_ind (e : Pandora = CoFalse) : CoFalse := eq_ind Pandora (fun X => X) (P (bad_by_eq_ind e)) CoFalse e.
CoFixpoint bad_by_eq_ind_r (e : CoFalse = Pandora) : CoFalse := eq_ind_r (fun X => X) (P (bad_by_eq_ind_r e)) e.
CoFixpoint bad_by_a_function (e : Pandora = CoFalse) : CoFalse := (match e in _ = X return True -> X with eq_refl => fun _ => P (bad_by_a_function e) end) I.
Definition same (X : Prop) := X.
CoFixpoint bad_by_a_constant (e : Pandora = CoFalse) : CoFalse := match e in _ = X return same X with eq_refl => P (bad_by_a_constant e) end.
CoInductive nest : Prop := N : (exists n : nat, nest) -> nest | M : nest -> False -> nest.
CoFixpoint bad_alone (s : Stream nat) : Stream nat := bad_alone s.
CoFixpoint bad_by_a_match (s : Stream nat) : Stream nat := match s with Cons n t => match n with 0 => Cons 0 (bad_by_a_match t) | _ => bad_by_a_match t end end.
CoFixpoint bad_below_a_function : Stream nat := Cons 0 (tl bad_below_a_function).
CoFixpoint bad_below_a_fixpoint : Stream nat := Cons 0 (Str_nth_tl 1 bad_below_a_fixpoint).
CoFixpoint bad_as_what_is_matched : Stream nat := Cons 0 (match bad_as_what_is_matched with Cons _ t => t end).
CoFixpoint bad_as_what_is_matched_by_a_call : Stream nat := match bad_as_what_is_matched_by_a_call with Cons a t => Cons a t end.
CoFixpoint bad_as_an_argument (s : Stream nat) : Stream nat := Cons 0 (bad_as_an_argument (bad_as_an_argument s)).
CoFixpoint bad_as_an_element (s : Stream (Stream nat)) : Stream (Stream nat) := Cons (hd (bad_as_an_element s)) s.
CoFixpoint bad_by_an_opaque_function (f : Stream nat -> Stream nat) : Stream nat := Cons 0 (f (bad_by_an_opaque_function f)).
CoInductive colist := co : option (nat * colist) -> colist.
Definition un (c : colist) := match c with co o => o end.
CoFixpoint bad_in_what_is_not_made (n : nat) : colist := co (match un (bad_in_what_is_not_made n) with None => None | Some p => Some p end).
CoFixpoint bad_by_another_constructor (n : nat) : colist := co (un (bad_by_another_constructor n)).
CoFixpoint bad_as_another_type (n : nat) (k : colist -> nat) : colist := co (Some (k (bad_as_another_type n k), co None)).
CoFixpoint bad_without_a_constructor (n : nat) : colist := match n with 0 => co None | S m => match Some (bad_without_a_constructor m) with None => co None | Some c => c end end.
CoFixpoint bad_by_an_equation_in_a_nested_type (e : (unit -> colist) = colist) : colist :=
  co (Some (0, match e in _ = X return X with eq_refl => fun _ => bad_by_an_equation_in_a_nested_type e end)).
CoFixpoint bad_by_an_equation_of_what_is_held (e : (unit -> colist) = colist) : colist :=
  co (match e in _ = X return option (nat * X) with eq_refl => Some (0, fun _ => bad_by_an_equation_of_what_is_held e) end).
CoInductive W := w : (list W) -> W.
CoFixpoint bad_below_map (l : list nat) : W := w (List.map (fun _ => bad_below_map l) l).
CoFixpoint bad_inside_of_another (s : Stream nat) : Stream nat := (cofix go (t : Stream nat) : Stream nat := match t with Cons n r => match n with 0 => bad_inside_of_another r | S _ => Cons n (go r) end end) s.
CoFixpoint bad_given_to_another (s : Stream nat) : Stream nat := Cons 0 ((cofix go (t : Stream nat) : Stream nat := match t with Cons n r => Cons n (go r) end) (bad_given_to_another s)).
CoFixpoint bad_partly_applied (s : Stream nat) : Stream nat := (fun f => Cons 0 (f s)) (fun s => tl (bad_partly_applied s)).
CoInductive R : Stream nat -> Prop := r : forall s, R (tl s) -> R s.
Lemma bad_by_a_lemma : forall s, R s. Proof. cofix C. intros s. assert (forall t, R t -> R t) as K by (abstract auto). apply K. constructor. apply K. apply C. Qed.
Lemma bad_by_assumption : forall s, R s. Proof. cofix C. assumption. Qed.
