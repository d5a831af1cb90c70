/**
 * The first part of what is loaded into Rocq: small closed values of a type, in Ltac2. Values of inductive types
 * come from their constructors, of exactly a number of constructors, so that small ones come first; dependent
 * arguments, indices and proofs in records are respected. Functions are constants, identities, known operations and
 * cases on nat and bool; predicates are to be equal to a value, too, and to be another one.
 */
export const VALUES = String.raw`
Ltac2 Type counter := { mutable left : int }.
(* What is known of types, and two ways to prove that are only written further on. *)
Ltac2 Type memory := {
  mutable known : (constr * int * constr list) list;
  provable : int -> constr -> bool;
  proof_of : constr -> constr option
}.
Ltac2 Type answer := [ Yes | No | Perhaps | Hardly ].
Ltac2 Type step := [ Value (ident) | Premise (ident) | Left | Right ].

(* Ltac2 itself never looks whether it is interrupted, and where no signal can reach it (the Rocq inside Node) nothing else does. *)
Ltac2 interruptible () : unit := Control.check_interrupt ().

Ltac2 spend (c : counter) : bool :=
  if Int.gt (c.(left)) 0 then (c.(left) := Int.sub (c.(left)) 1; true) else false.

Ltac2 rec take (n : int) (l : 'a list) :=
  match l with
  | [] => []
  | x :: r => if Int.le n 0 then [] else x :: take (Int.sub n 1) r
  end.

Ltac2 rec drop (n : int) (l : 'a list) :=
  match l with
  | [] => []
  | _ :: r => if Int.le n 0 then l else drop (Int.sub n 1) r
  end.

Ltac2 rec any (f : 'a -> bool) (l : 'a list) : bool :=
  match l with [] => false | x :: r => if f x then true else any f r end.

(* From [a] up to and without [b]. *)
Ltac2 rec from_to (a : int) (b : int) : int list :=
  if Int.ge a b then [] else a :: from_to (Int.add a 1) b.

(* At most [most] of all, in order. *)
Ltac2 rec gather (most : int) (f : 'a -> 'b list) (l : 'a list) : 'b list :=
  match l with
  | [] => []
  | x :: r =>
    if Int.le most 0 then [] else
    let _ := interruptible () in
    let here := take most (f x) in
    List.append here (gather (Int.sub most (List.length here)) f r)
  end.

Ltac2 attempt (f : unit -> 'a) : 'a option :=
  match Control.case f with
  | Val p => let (v, _) := p in Some v
  | Err _ => None
  end.

Ltac2 compute (c : constr) : constr :=
  interruptible ();
  match attempt (fun () => Std.eval_vm None c) with Some v => v | None => c end.

Ltac2 head_normal (c : constr) : constr := interruptible (); Std.eval_hnf c.

Ltac2 parts (c : constr) : constr * constr list :=
  match kind c with
  | App h a => (h, Array.to_list a)
  | _ => (c, [])
  end.

Ltac2 application (h : constr) (a : constr list) : constr :=
  match a with [] => h | _ :: _ => make (App h (Array.of_list a)) end.

Ltac2 substitute (v : constr) (body : constr) : constr := substnl [v] 0 body.

Ltac2 is_dependent (body : constr) : bool :=
  Bool.neg (Constr.equal (substitute 'Init.Logic.I body) (substitute 'Init.Datatypes.tt body)).

Ltac2 is_proposition (t : constr) : bool :=
  match attempt (fun () => head_normal (Constr.type t)) with
  | Some s => Constr.equal s 'Prop
  | None => false
  end.

Ltac2 occurs (id : ident) (t : constr) : bool := Bool.neg (Constr.equal (closenl [id] 1 t) t).

Ltac2 global (path : ident list) : constr list :=
  match Env.expand path with
  | r :: _ => match attempt (fun () => Env.instantiate r) with Some c => [c] | None => [] end
  | [] => []
  end.

Ltac2 rec parameter_prefix (place : int) (total : int) (a : constr list) : int :=
  match a with
  | [] => 0
  | x :: r =>
    match kind x with
    | Rel k => if Int.equal k (Int.sub total place) then Int.add 1 (parameter_prefix (Int.add place 1) total r) else 0
    | _ => 0
    end
  end.

Ltac2 rec count_of_products (t : constr) : int :=
  match kind t with Prod _ b => Int.add 1 (count_of_products b) | LetIn _ _ b => Int.add 1 (count_of_products b) | _ => 0 end.
Ltac2 rec result_of (t : constr) : constr :=
  match kind t with Prod _ b => result_of b | LetIn _ _ b => result_of b | Cast c _ _ => result_of c | _ => t end.

Ltac2 rec parameters_of (c : constr list) (most : int) : int :=
  match c with
  | [] => most
  | x :: r =>
    let t := Constr.type x in
    let (_, a) := parts (result_of t) in
    let n := parameter_prefix 0 (count_of_products t) a in
    parameters_of r (if Int.lt n most then n else most)
  end.

Ltac2 constructors (h : constr) : constr list :=
  match kind h with
  | Ind i u =>
    let d := Ind.data i in
    List.map (fun k => make (Constructor (Ind.get_constructor d k) u)) (from_to 0 (Ind.nconstructors d))
  | _ => []
  end.

Ltac2 sorts () := [ 'Init.Datatypes.nat; 'Init.Datatypes.bool; 'Init.Datatypes.Empty_set; 'Init.Datatypes.unit ].

Ltac2 seeds (t : constr) : constr list :=
  lazy_match! t with
  | forall _ : Init.Datatypes.nat, Init.Datatypes.nat => ['Init.Datatypes.S; 'Init.Nat.pred]
  | forall _ _ : Init.Datatypes.nat, Init.Datatypes.nat => ['Init.Nat.add; 'Init.Nat.sub]
  | forall _ _ : Init.Datatypes.nat, Init.Datatypes.bool => ['Init.Nat.eqb; 'Init.Nat.leb]
  | forall _ : Init.Datatypes.nat, Init.Datatypes.bool => ['Init.Nat.even]
  | forall _ : Init.Datatypes.bool, Init.Datatypes.bool => ['Init.Datatypes.negb]
  | forall _ _ : Init.Datatypes.nat, Prop => ['(@Init.Logic.eq Init.Datatypes.nat); 'Init.Peano.le; 'Init.Peano.lt]
  | forall (_ : ?a) (_ : ?b), Prop => match attempt (fun () => constr:(fun x y : $a => @Init.Logic.eq $a x y)) with Some c => if Constr.equal (Constr.type c) t then [c] else [] | None => [] end
  | _ => []
  end.

(* Values whose parts are functions with proofs: structures of MathComp, decisions of equality. They are found by name. *)
Ltac2 named_values (t : constr) : constr list :=
  let known := gather 100 global [
    [@ssrnat; @nat_eqType]; [@eqtype; @bool_eqType]; [@choice; @nat_choiceType]; [@choice; @bool_choiceType];
    [@choice; @nat_countType]; [@choice; @bool_countType]; [@fintype; @bool_finType]; [@fintype; @unit_finType];
    [@PeanoNat; @Nat; @eq_dec]; [@Peano_dec; @eq_nat_dec]; [@Bool; @bool_dec]; [@BinInt; @Z; @eq_dec]; [@Ascii; @ascii_dec]; [@String; @string_dec]] in
  let t := compute t in
  gather 100 (fun c => if Constr.equal (compute (Constr.type c)) t then [c] else []) known.

Ltac2 rec values (m : memory) (most : int) (n : int) (t : constr) : constr list :=
  if Int.le n 0 then [] else
  let rec look l :=
    match l with
    | [] => None
    | e :: r =>
      let (t', n', v) := e in
      if Int.equal n n' then (if Constr.equal t t' then Some v else look r) else look r
    end in
  match look (m.(known)) with
  | Some v => v
  | None =>
    let v := take most (fresh_values m most n t) in
    m.(known) := (t, n, v) :: (m.(known));
    v
  end
with fresh_values (m : memory) (most : int) (n : int) (t : constr) : constr list :=
  let t := head_normal t in
  match kind t with
  | Sort _ =>
    if Int.equal n 1 then (if Constr.equal t 'Prop then ['Init.Logic.True; 'Init.Logic.False] else sorts ()) else []
  | Prod b body =>
    List.append (if Int.equal n 1 then seeds t else [])
      (if is_dependent body then (if Int.equal n 1 then named_values t else []) else functions m most n b (substitute 'Init.Logic.I body))
  | _ =>
    let (h, a) := parts t in
    let all := constructors h in
    let given := take (parameters_of all (List.length a)) a in
    let named := if Int.equal n 1 then named_values t else [] in
    match named with
    | [] => gather most (fun c => constructed m most n t c given) all
    | _ :: _ => named
    end
  end
with constructed (m : memory) (most : int) (n : int) (t : constr) (c : constr) (given : constr list) : constr list :=
  let rec supplied ty l :=
    match l with
    | [] => ty
    | x :: r => match kind (head_normal ty) with Prod _ body => supplied (substitute x body) r | _ => ty end
    end in
  let rec arguments ty n :=
    let ty := head_normal ty in
    match kind ty with
    | Prod b body =>
      let a := Constr.Binder.type b in
      if is_proposition a then
        match m.(proof_of) a with
        | Some p => List.map (fun r => p :: r) (arguments (substitute p body) n)
        | None => []
        end
      else
        gather most
          (fun k => gather most (fun v => List.map (fun r => v :: r) (arguments (substitute v body) (Int.sub n k))) (values m most k a))
          (from_to 1 (Int.add n 1))
    | _ =>
      if Int.equal n 0 then
        (if Constr.equal ty t then [[]] else if Constr.equal (compute ty) (compute t) then [[]] else [])
      else []
    end in
  List.map (fun l => application c (List.append given l)) (arguments (supplied (Constr.type c) given) (Int.sub n 1))
with functions (m : memory) (most : int) (n : int) (b : binder) (result : constr) : constr list :=
  let a := Constr.Binder.type b in
  let same := if Int.equal n 1 then (if Constr.equal (head_normal a) (head_normal result) then [make (Lambda b (make (Rel 1)))] else []) else [] in
  let constant := List.map (fun v => make (Lambda b v)) (values m most (Int.sub n 1) result) in
  let pairs := fun build =>
    gather most
      (fun k => gather most (fun v => gather most (fun w =>
        if Constr.equal v w then [] else
        match attempt (fun () => build v w) with Some f => [f] | None => [] end) (values m most (Int.sub (Int.sub n 1) k) result)) (values m most k result))
      (from_to 1 n) in
  let by_case :=
    if Constr.equal (head_normal a) 'Init.Datatypes.nat then pairs (fun v w => constr:(fun n : Init.Datatypes.nat => match n with Init.Datatypes.O => $v | Init.Datatypes.S _ => $w end))
    else if Constr.equal (head_normal a) 'Init.Datatypes.bool then pairs (fun v w => constr:(fun b : Init.Datatypes.bool => match b with Init.Datatypes.true => $v | Init.Datatypes.false => $w end))
    else [] in
  let about v :=
    List.append
      (match attempt (fun () => constr:(fun x : $a => @Init.Logic.eq $a x $v)) with Some f => [f] | None => [] end)
      (match attempt (fun () => constr:(fun x : $a => Init.Logic.not (@Init.Logic.eq $a x $v))) with Some f => [f] | None => [] end) in
  let equal_to :=
    if Constr.equal (head_normal result) 'Prop then gather most about (values m most (Int.sub n 1) a)
    else [] in
  List.append same (List.append constant (List.append equal_to by_case)).

(* The first [most] values, small ones first, none of more than [size] constructors. *)
Ltac2 small_values (m : memory) (most : int) (size : int) (t : constr) : constr list :=
  gather most (fun n => values m most n t) (from_to 1 (Int.add size 1)).
`;
