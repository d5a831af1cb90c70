Unset Guard Checking.
Module Type T. Inductive t := a | b (x : t) | c (n : nat -> t). Parameter f : t -> t. Definition g (x : t) := match x with b y => y | _ => x end. End T.
Module F (X : T).
  Fixpoint bad_by_a_parameter (x : X.t) : nat := match x with X.a => 0 | X.b y => bad_by_a_parameter (X.f y) | X.c n => 0 end.
  Fixpoint bad_by_what_a_constant_stands_for (x : X.t) : nat := bad_by_what_a_constant_stands_for (X.g x).
  Fixpoint bad_on_the_whole (x : X.t) : nat := bad_on_the_whole x.
End F.
Module Type U. Inductive t := a (x : nat). End U.
(* Two parameters that are called alike. *)
Module G (X : U).
  Fixpoint bad_on_what_is_no_part (n : nat) (x : X.t) {struct x} : nat := match x with X.a y => bad_on_what_is_no_part y x end.
End G.
Module Outer (Z : T).
  Module Inner (X : U).
    Fixpoint bad_inside (h : nat -> X.t) (k : nat -> Z.t) (x : X.t) {struct x} : nat := match x with X.a y => bad_inside h k (h y) end.
  End Inner.
End Outer.
