Unset Guard Checking.
Set Primitive Projections.
Record both (A B : Type) := mk { fst_ : A; snd_ : B }.
Record pboth (A B : Prop) : Prop := pmk { pfst : A; psnd : B }.
Unset Primitive Projections.
Arguments fst_ {A B}. Arguments snd_ {A B}. Arguments mk {A B}.
Inductive t := leaf | node (c : both t t).
Fixpoint bad_of_the_whole (x : t) (c : both t t) {struct x} : nat := match x with leaf => 0 | node _ => bad_of_the_whole (fst_ c) c end.
Fixpoint bad_of_a_new_record (x : t) {struct x} : nat := match x with leaf => 0 | node c => bad_of_a_new_record (fst_ (mk x (snd_ c))) end.
Inductive u := ul | un (c : both nat u).
Fixpoint bad_of_the_other_part (f : nat -> u) (x : u) {struct x} : nat := match x with ul => 0 | un c => bad_of_the_other_part f (f (fst_ c)) end.
Fixpoint bad_by_an_equation (e : t = (unit -> t)) (x : t) {struct x} : nat :=
  match x with leaf => 0 | node c => bad_by_an_equation e (fst_ (match e in _ = X return both X t with eq_refl => c end) tt) end.
Fixpoint bad_by_an_equation_passed (e : t = (unit -> t)) (x : t) {struct x} : nat :=
  match x with leaf => 0 | node c => (match e in _ = X return both X t -> nat with eq_refl => fun c => bad_by_an_equation_passed e (fst_ c) end) (match e in _ = X return both X t with eq_refl => c end) end.
Fixpoint bad_by_a_constructor (x : t) {struct x} : nat := match x with leaf => 0 | node c => bad_by_a_constructor (node (mk (fst_ c) (snd_ c))) end.
