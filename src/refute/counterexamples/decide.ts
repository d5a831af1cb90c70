/**
 * The second part: what a closed proposition says, in Ltac2. It is evaluated by the virtual machine, many at a
 * time, and the normal form is read. `No` and `Yes` are what computation says, `Hardly` and `Perhaps` what it only
 * suggests. Nothing rests on an answer but what is tried next: a counterexample counts when Rocq accepts a proof of it.
 */
export const DECISIONS = String.raw`
Ltac2 negation (a : answer) : answer :=
  match a with Yes => No | No => Yes | Perhaps => Hardly | Hardly => Perhaps end.
Ltac2 conjunction (a : answer) (b : answer) : answer :=
  match a with
  | No => No
  | Yes => b
  | Hardly => match b with No => No | _ => Hardly end
  | Perhaps => match b with No => No | Hardly => Hardly | _ => Perhaps end
  end.
Ltac2 disjunction (a : answer) (b : answer) : answer := negation (conjunction (negation a) (negation b)).

(* Whether two normal forms are values that cannot be equal. *)
Ltac2 rec apart (a : constr) (b : constr) : bool :=
  let (h, x) := parts a in
  let (k, y) := parts b in
  match kind h with
  | Constructor _ _ =>
    match kind k with
    | Constructor _ _ =>
      if Constr.equal h k then
        let rec some_apart x y :=
          match x with
          | [] => false
          | c :: r => match y with [] => false | d :: s => if apart c d then true else some_apart r s end
          end in
        some_apart x y
      else true
    | _ => false
    end
  | Uint63 _ => match kind k with Uint63 _ => Bool.neg (Constr.equal h k) | _ => false end
  | _ => false
  end.

Ltac2 rec decide (m : memory) (depth : int) (t : constr) : answer :=
  interruptible ();
  match kind t with
  | Prod b body =>
    let a := Constr.Binder.type b in
    if is_proposition a then
      if is_dependent body then Perhaps else
      disjunction (negation (decide m depth a)) (decide m depth (substitute 'Init.Logic.I body))
    else sample m depth a body true
  | _ =>
    let (h, a) := parts t in
    if Constr.equal h 'Init.Logic.True then Yes
    else if Constr.equal h 'Init.Logic.False then No
    else match a with
    | [] => relation m depth t h
    | x :: r =>
      if Constr.equal h 'Init.Logic.and then match r with y :: _ => let d := decide m depth x in match d with No => No | _ => conjunction d (decide m depth y) end | [] => Perhaps end
      else if Constr.equal h 'Init.Logic.or then match r with y :: _ => let d := decide m depth x in match d with Yes => Yes | _ => disjunction d (decide m depth y) end | [] => Perhaps end
      else if Constr.equal h 'Init.Logic.not then negation (decide m depth x)
      else if Constr.equal h 'Init.Peano.le then
        match r with
        | y :: _ => let b := compute '(Init.Nat.leb $x $y) in
          if Constr.equal b 'Init.Datatypes.true then Yes else if Constr.equal b 'Init.Datatypes.false then No else Hardly
        | [] => Perhaps
        end
      else match kind h with
        | Ind _ _ =>
          lazy_match! t with
          | @Init.Logic.eq _ ?u ?v =>
            if Constr.equal u v then Yes else if apart u v then No else
            if m.(provable) 1 t then Yes else Hardly
          | @Init.Logic.ex ?s ?p => sample m depth s (match kind p with Lambda _ body => body | _ => make (App p (Array.of_list [make (Rel 1)])) end) false
          | _ => relation m depth t h
          end
        | _ => relation m depth t h
        end
    end
  end
with relation (m : memory) (depth : int) (t : constr) (h : constr) : answer :=
  match kind h with
  | Ind _ _ => if m.(provable) depth t then Yes else Hardly
  | _ => if m.(provable) 2 t then Yes else Hardly
  end
(* [all]: one false instance decides; else one that is true. *)
with sample (m : memory) (depth : int) (s : constr) (body : constr) (all : bool) : answer :=
  let rec look l :=
    match l with
    | [] => if all then Perhaps else Hardly
    | v :: r =>
      let d := decide m depth (compute (substitute v body)) in
      match d with
      | No => if all then No else look r
      | Yes => if all then look r else Yes
      | _ => look r
      end
    end in
  look (small_values m 12 6 s).

(* All normal forms at once: the virtual machine is started once. *)
Ltac2 compute_all (l : constr list) : constr list :=
  let rec chain l := match l with [] => 'Init.Logic.True | x :: r => make (App 'Init.Logic.and (Array.of_list [x; chain r])) end in
  let rec unchain c l :=
    match l with
    | [] => []
    | _ :: r =>
      let (_, a) := parts c in
      match a with x :: b => (match b with y :: _ => x :: unchain y r | [] => [] end) | [] => [] end
    end in
  match attempt (fun () => Std.eval_vm None (chain l)) with
  | Some c => unchain c l
  | None => List.map compute l
  end.

(* ---------- goals ---------- *)

Ltac2 holes_filled (m : memory) (l : constr list) : unit :=
  let rec first_hole c :=
    match kind c with
    | Evar _ _ => Some c
    | App h a => match first_hole h with Some e => Some e | None => among (Array.to_list a) end
    | Cast c _ _ => first_hole c
    | Lambda b c => first_hole c
    | Prod b c => match first_hole (Constr.Binder.type b) with Some e => Some e | None => first_hole c end
    | _ => None
    end
  with among l := match l with [] => None | c :: r => match first_hole c with Some e => Some e | None => among r end end in
  let rec fill n :=
    if Int.le n 0 then () else
    match among l with
    | None => ()
    | Some e =>
      let rec try_each v :=
        match v with
        | [] => Control.zero Not_found
        | x :: r => Control.plus (fun () => Std.unify e x) (fun _ => try_each r)
        end in
      try_each (small_values m 6 6 (Constr.type e));
      fill (Int.sub n 1)
    end in
  fill 8.

Ltac2 first_of (l : (unit -> unit) list) : unit :=
  let rec go l := match l with [] => Control.zero Not_found | f :: r => Control.plus f (fun _ => go r) end in go l.

Ltac2 closing () : unit := Control.once (fun () =>
  ltac1:(solve [ trivial | discriminate | intros; simpl in *; intuition (subst; simpl; auto; try discriminate; try congruence) ])).

Ltac2 rec build (m : memory) (c : counter) (depth : int) : unit :=
  Control.enter (fun () =>
    if Int.lt depth 0 then Control.zero Not_found else
    if spend c then
      let g := head_normal (Control.goal ()) in
      match kind g with
      | Prod _ _ => closing ()
      | _ =>
        let (h, a) := parts g in
        match kind h with
        | Ind _ _ =>
          lazy_match! g with
          | @Init.Logic.eq _ ?u ?v =>
            Control.plus (fun () => Std.reflexivity ())
              (fun e => if Constr.has_evar g
                then (holes_filled m [u; v]; Std.reflexivity ())
                else Control.zero e)
          | _ =>
            let n := List.length (constructors h) in
            first_of (List.map (fun k () => Std.constructor_n true k Std.NoBindings; build m c (Int.sub depth 1)) (from_to 1 (Int.add n 1)))
          end
        | _ =>
          if Constr.has_evar g then (holes_filled m [g]; build m c depth)
          else let g' := compute g in if Constr.equal g' g then closing () else (Std.change None (fun _ => g') { Std.on_hyps := Some []; Std.on_concl := Std.AllOccurrences }; build m c (Int.sub depth 1))
        end
      end
    else Control.zero Not_found).

(* Rules that one attempt at a proof may try. *)
Ltac2 effort () : int := 60.

Ltac2 proof (depth : int) (t : constr) : constr option :=
  let m := { known := []; provable := (fun _ _ => false); proof_of := (fun _ => None) } in
  let c := { left := effort () } in
  attempt (fun () => constr:(ltac2:(Control.once (fun () => build m c depth)) : $t)).

Ltac2 new_memory () : memory :=
  { known := [];
    provable := (fun depth t => match proof depth t with Some _ => true | None => false end);
    proof_of := (fun t =>
      match proof 4 t with
      | Some p => Some (match kind p with Cast p _ _ => p | _ => p end)
      | None => None
      end) }.
`;
