Unset Guard Checking.
Set Implicit Arguments.
(* By propositional extensionality T is equal to True -> T, so its values are no parts of each other. *)
Inductive T : Prop := C : (True -> T) -> T | D : T -> T.
Inductive box (X : Prop) : Prop := one : X -> box X | more : box X -> box X.
Inductive B : Prop := CB : box B -> B.
Inductive tagged : bool -> Prop := TC : (True -> tagged false) -> tagged true | TD : tagged true -> tagged false.
Definition same (X : Prop) := X.

Fixpoint bad_by_eq_ind (e : T = (True -> T)) (x : T) {struct x} : False :=
  match x with C h => eq_ind T (fun X => X -> False) (fun y => bad_by_eq_ind e y) (True -> T) e h | D y => bad_by_eq_ind e y end.
Fixpoint bad_by_eq_ind_r (e : T = (True -> T)) (x : T) {struct x} : False :=
  match x with C h => bad_by_eq_ind_r e (eq_ind_r (fun X => X) h e) | D y => bad_by_eq_ind_r e y end.
Fixpoint bad_by_a_constant_in_the_type (e : (True -> T) = T) (x : T) {struct x} : False :=
  match x with C h => bad_by_a_constant_in_the_type e (match e in _ = X return same X with eq_refl => h end) | D y => bad_by_a_constant_in_the_type e y end.
Fixpoint bad_by_a_constant_in_the_domain (e : T = (True -> T)) (x : T) {struct x} : False :=
  match x with C h => (match e in _ = X return same X -> False with eq_refl => fun y => bad_by_a_constant_in_the_domain e y end) h | D y => bad_by_a_constant_in_the_domain e y end.
Fixpoint bad_by_a_function_that_makes_it (e : (True -> T) = T) (x : T) {struct x} : False :=
  match x with C h => bad_by_a_function_that_makes_it e ((match e in _ = X return True -> X with eq_refl => fun _ => h end) I) | D y => bad_by_a_function_that_makes_it e y end.
Fixpoint bad_by_a_function_passed (e : T = (True -> T)) (x : T) {struct x} : False :=
  match x with C h => (match e in _ = X return (True -> X) -> False with eq_refl => fun f => bad_by_a_function_passed e (f I) end) (fun _ => h) | D y => bad_by_a_function_passed e y end.
Fixpoint bad_by_what_a_list_holds (e : B = (True -> B)) (x : B) {struct x} : False :=
  match x with CB l => (match e in _ = X return box X -> (X -> B) -> False with eq_refl => fun l _ => match l with one y => bad_by_what_a_list_holds e y | more _ => False_ind _ (bad_by_what_a_list_holds e x) end end) (match e in _ = X return box X with eq_refl => l end) (fun _ => x) end.
Fixpoint bad_by_a_list_made_of_another (e : B = (True -> B)) (x : B) {struct x} : False :=
  match x with CB l => match (match e in _ = X return box X with eq_refl => l end) with one y => bad_by_a_list_made_of_another e (y I) | more m => bad_by_a_list_made_of_another e x end end.
Definition pick (b : bool) : Prop := match b with true => True -> T | false => T end.
Fixpoint bad_by_a_head_that_is_chosen (b : bool) (e : true = b) (x : T) {struct x} : False :=
  match x with C h => (match e in _ = c return pick c -> pick c -> False with eq_refl => fun y _ => bad_by_a_head_that_is_chosen e (y I) end) (match e in _ = c return pick c with eq_refl => h end) (match e in _ = c return pick c with eq_refl => h end) | D y => bad_by_a_head_that_is_chosen e y end.
Fixpoint bad_by_a_head_that_is_passed (b : bool) (e : false = b) (x : T) {struct x} : False :=
  match x with C h => bad_by_a_head_that_is_passed e ((match b as c return (pick c -> pick c) -> T -> T with true => fun _ y => y | false => fun f y => f y end) (fun y => y) x) | D y => bad_by_a_head_that_is_passed e y end.
(* Nested by a bundle: a value as parameter says what is held. *)
Record kind := pack { of : Prop }.
Inductive held (k : kind) : Prop := hold : of k -> held k | keep : held k -> held k.
Inductive H : Prop := CH : held (pack H) -> H.
Fixpoint bad_by_a_bundle (e : pack H = pack (True -> H)) (x : H) {struct x} : False :=
  match x with CH l => match (match e in _ = k return held k with eq_refl => l end) with hold _ y => bad_by_a_bundle e (y I) | keep _ => bad_by_a_bundle e x end end.
(* Nested below a binder. *)
Inductive some (A : Type) (P : A -> Prop) : Prop := wit : forall a, P a -> some P.
Inductive S_ : Prop := CS : some (fun _ : unit => S_) -> S_.
Fixpoint bad_below_a_binder (e : S_ = (True -> S_)) (x : S_) {struct x} : False :=
  match x with CS l => match (match e in _ = X return some (fun _ : unit => X) with eq_refl => l end) with wit _ _ y => bad_below_a_binder e (y I) end end.
(* Functions on two types, one nested in the other. *)
Fixpoint bad_on_two_types (e : B = (True -> B)) (x : B) {struct x} : False :=
  match x with CB l => match (match e in _ = X return box X with eq_refl => l end) with one y => bad_on_two_types e (y I) | more m => bad_beside e m end end
with bad_beside (e : B = (True -> B)) (l : box (True -> B)) {struct l} : False :=
  match l with one y => bad_on_two_types e (y I) | more m => bad_beside e m end.
(* Parts of what is larger. *)
Fixpoint bad_by_projections (n : nat) (p : nat * nat) {struct n} : nat := bad_by_projections (fst p) (n, n).
Fixpoint bad_by_eq_rect_on_the_whole (n m : nat) (e : n = m) {struct n} : nat := @bad_by_eq_rect_on_the_whole (eq_rect n (fun _ => nat) n m e) (eq_rect n (fun _ => nat) n m e) eq_refl.
Fixpoint bad_by_an_opaque_lemma (n : nat) (k : forall m, m = m) {struct n} : nat := match n with 0 => 0 | S m => bad_by_an_opaque_lemma (match k n in _ = j return nat with eq_refl => n end) k end.
Fixpoint bad_where_some_branch_is_no_part (n : nat) {struct n} : nat :=
  match n with 0 => 0 | S m => bad_where_some_branch_is_no_part (match m with 0 => n | S k => k end) end.
Fixpoint bad_in_the_second_of_two (n : nat) {struct n} : nat :=
  match n with 0 => 0 | S m => (fix odd (k : nat) := match k with 0 => 0 | S j => even j end with even (k : nat) := match k with 0 => bad_in_the_second_of_two n | S j => odd j end for odd) m end.
Fixpoint bad_with_what_the_second_takes (n : nat) {struct n} : nat :=
  match n with 0 => 0 | S m => (fix odd (k : nat) := match k with 0 => 0 | S j => even n j end with even (i k : nat) {struct k} := match k with 0 => bad_with_what_the_second_takes i | S j => odd j end for odd) m end.
Fixpoint bad_by_a_lemma_that_ignores_it (n : nat) {struct n} : nat :=
  match n with 0 => 0 | S m => eq_rec n (fun _ => nat -> nat) (fun k => bad_by_a_lemma_that_ignores_it n) n eq_refl m end.
(* A function inside that takes what is held as a type of its own. *)
Fixpoint bad_by_a_function_inside (e : B = (True -> B)) (x : B) {struct x} : False :=
  match x with CB l => (fix go (X : Prop) (g : X -> B) (m : box X) {struct m} : False := match m with one y => bad_by_a_function_inside e (g y) | more r => go X g r end) B (fun y => y) l end.
Fixpoint bad_by_a_function_inside_for_all_types (e : B = (True -> B)) (x : B) {struct x} : False :=
  match x with CB l => (fix go (X : Prop) (h : B = X) (m : box X) {struct m} : False := match m with one y => bad_by_a_function_inside_for_all_types e (match h in _ = Y return Y -> B with eq_refl => fun z => z end y) | more r => go X h r end) B eq_refl l end.
Inductive own (X : Prop) : Prop := mine : X -> own X | again : own X -> own X.
Fixpoint bad_by_what_the_parameter_is (X : Prop) (e : X = own X) (x : own X) {struct x} : False :=
  match x with mine y => bad_by_what_the_parameter_is e (match e in _ = Z return Z with eq_refl => y end) | again y => bad_by_what_the_parameter_is e y end.
Inductive with_let := L1 | L2 (n : nat) (d := n) (r : with_let).
Fixpoint bad_beside_a_let (t u : with_let) {struct t} : nat := match t with L1 => 0 | L2 n d r => S (bad_beside_a_let u r) end.
Fixpoint bad_by_another_with_let (t u : with_let) {struct t} : nat :=
  match u with L1 => 0 | L2 n d r => S (bad_by_another_with_let r t) end.
