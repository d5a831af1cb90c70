/**
 * The third part: the search for values that make all hypotheses of a goal true and its conclusion false, in Ltac2.
 * `enumerate` gives the variables values in their order and looks at each hypothesis as soon as it is closed.
 * `narrow` derives the hypotheses that are inductive relations by their rules first, so that only related values
 * are looked at. What is found is printed in lines that `candidates.ts` reads.
 */
export const SEARCH = String.raw`
Ltac2 say (s : string) : unit := Message.print (Message.of_string s).


Ltac2 rec value_of (id : ident) (env : (ident * constr) list) : constr option :=
  match env with
  | [] => None
  | e :: r => let (i, v) := e in if Ident.equal i id then Some v else value_of id r
  end.

(* One counterexample: the steps from the statement to what is false, each value as the file prints it. *)
Ltac2 report (certain : bool) (path : step list) (env : (ident * constr) list) : unit :=
  say (if certain then "quod: candidate certain" else "quod: candidate perhaps");
  List.iter (fun s =>
    match s with
    | Value id =>
      match value_of id env with
      | Some v => Message.print (Message.concat (Message.of_string "quod: value ") (Message.concat (Message.of_ident id) (Message.concat (Message.of_string " := ") (Message.of_constr v))))
      | None => say "quod: missing"
      end
    | Premise _ => say "quod: premise"
    | Left => say "quod: left"
    | Right => say "quod: right"
    end) path;
  say "quod: end".

Ltac2 ground (env : (ident * constr) list) (t : constr) : constr :=
  match env with
  | [] => t
  | _ :: _ => substnl (List.map (fun e => let (_, v) := e in v) env) 0 (closenl (List.map (fun e => let (i, _) := e in i) env) 1 t)
  end.


(* What is looked at, and what is reported. *)
Ltac2 Type bounds := { strict : bool; most : int; sorts_tried : int; size : int; depth : int; tried : counter; certain : counter; doubtful : counter }.

Ltac2 finished (b : bounds) : bool :=
  if Int.le (b.(tried).(left)) 0 then true
  else if Int.le (b.(certain).(left)) 0 then true
  else Int.le (b.(doubtful).(left)) 0.

Ltac2 judge (m : memory) (b : bounds) (path : step list) (env : (ident * constr) list) (sure : bool) (conclusion : constr) : unit :=
  let found certain := if spend (if certain then b.(certain) else b.(doubtful)) then report certain path env else () in
  match decide m (b.(depth)) conclusion with
  | No => found sure
  | Hardly => found false
  | _ => ()
  end.

(* Whether every hypothesis holds: [Some true] for certain, [None] when one seems not to. [strict]: one that computation
   leaves open must be proved at once. *)
Ltac2 rec all_hold (m : memory) (strict : bool) (depth : int) (l : constr list) : bool option :=
  match l with
  | [] => Some true
  | p :: r =>
    let a := decide m depth p in
    match a with
    | No => None
    | Hardly => None
    | _ =>
      let holds := match a with Yes => true | _ => if strict then m.(provable) depth p else false end in
      if holds then all_hold m strict depth r
      else if strict then None
      else match all_hold m strict depth r with None => None | Some _ => Some false end
    end
  end.

Ltac2 rec chunks (n : int) (l : 'a list) : 'a list list :=
  match l with
  | [] => []
  | _ :: _ => take n l :: chunks n (drop n l)
  end.

(* [checks]: what can be computed once the variable has a value. *)
Ltac2 Type variable := { name : ident; of_type : constr; checks : constr list; needed : bool }.

Ltac2 conj_of (l : constr list) : constr :=
  let rec go l := match l with [] => 'Init.Logic.True | x :: r => make (App 'Init.Logic.and (Array.of_list [x; go r])) end in go l.
Ltac2 rec unconj (c : constr) (l : 'a list) : constr list :=
  match l with
  | [] => []
  | _ :: r =>
    let (_, a) := parts c in
    match a with x :: b => (match b with y :: _ => x :: unconj y r | [] => [] end) | [] => [] end
  end.

Ltac2 Type problem := { path : step list; variables : variable list; conclusion : constr }.

Ltac2 no_values (id : ident) (t : constr) : unit :=
  Message.print (Message.concat (Message.of_string "quod: empty ") (Message.concat (Message.of_ident id) (Message.concat (Message.of_string " : ") (Message.of_constr t)))).

(* Values for the variables in order; a hypothesis is looked at as soon as it is closed. *)
Ltac2 rec assign (m : memory) (b : bounds) (p : problem) (vs : variable list) (env : (ident * constr) list) (sure : bool) : unit :=
  match vs with
  | [] => ()
  | v :: rest =>
    let last := match rest with [] => true | _ :: _ => false end in
    let t := ground env (v.(of_type)) in
    let candidates :=
      if v.(needed) then match m.(proof_of) t with Some q => [q] | None => [] end
      else
        let sort := match kind (head_normal t) with Sort _ => true | _ => false end in
        let some := small_values m (if sort then b.(sorts_tried) else b.(most)) (b.(size)) t in
        match some with [] => no_values (v.(name)) t; [] | _ :: _ => some end in
    let wanted := if last then List.append (v.(checks)) [p.(conclusion)] else v.(checks) in
    let look env computed :=
      let hypotheses := if last then take (List.length (v.(checks))) computed else computed in
      match all_hold m (b.(strict)) (b.(depth)) hypotheses with
      | None => ()
      | Some s =>
        let sure := if s then sure else false in
        if last then
          match List.rev computed with c :: _ => judge m b (p.(path)) env sure c | [] => () end
        else assign m b p rest env sure
      end in
    match wanted with
    | [] => List.iter (fun x => if finished b then () else look ((v.(name), x) :: env) []) candidates
    | _ :: _ =>
      List.iter (fun chunk =>
        if finished b then () else
        let envs := List.map (fun x => (v.(name), x) :: env) chunk in
        let results := compute_all (List.map (fun e => conj_of (List.map (ground e) wanted)) envs) in
        List.iter2 (fun e r => if spend (b.(tried)) then (if finished b then () else look e (unconj r wanted)) else ()) envs results)
        (chunks 40 candidates)
    end
  end.

Ltac2 rec filter_out (f : 'a -> bool) (l : 'a list) : 'a list * 'a list :=
  match l with
  | [] => ([], [])
  | x :: r => let (y, n) := filter_out f r in if f x then (x :: y, n) else (y, x :: n)
  end.

(* The problem of a goal: the names on the path are in its context, with their types. *)
Ltac2 problem_of (path : step list) : problem :=
  let hyps := Control.hyps () in
  let rec type_among l id := match l with [] => 'Init.Logic.True | h :: r => let (i, _, t) := h in if Ident.equal i id then t else type_among r id end in
  let type_of := type_among hyps in
  let conclusion := Control.goal () in
  let ids := gather 1000 (fun s => match s with Value i => [i] | Premise i => [i] | _ => [] end) path in
  let premises := gather 1000 (fun s => match s with Premise i => [i] | _ => [] end) path in
  let used id := any (fun t => occurs id t) (conclusion :: List.map type_of ids) in
  let rec go l pending :=
    match l with
    | [] => []
    | s :: r =>
      let add id needed :=
        let later := gather 1000 (fun s => match s with Value i => [i] | Premise i => if used i then [i] else [] | _ => [] end) r in
        let (wait, ready) := filter_out (fun t => any (fun i => occurs i t) later) pending in
        { name := id; of_type := type_of id; checks := ready; needed := needed } :: go r wait in
      match s with
      | Value id => add id false
      | Premise id => if used id then add id true else go r pending
      | _ => go r pending
      end
    end in
  { path := path; variables := go path (List.map type_of premises); conclusion := conclusion }.

(* The largest number whose [n]th power is at most [total]. *)
Ltac2 root (n : int) (total : int) : int :=
  let rec power k n := if Int.le n 0 then 1 else let p := power k (Int.sub n 1) in if Int.gt p total then p else Int.mul k p in
  let rec grow k := if Int.gt (power (Int.add k 1) n) total then k else grow (Int.add k 1) in
  if Int.le n 1 then total else if Int.ge n 12 then 2 else grow 2.

(* As many values for each of [n] variables as can all be combined. *)
Ltac2 fair (b : bounds) (n : int) : bounds :=
  let share := root n (Int.mul 4 (b.(tried).(left))) in
  { strict := b.(strict); most := (if Int.lt share (b.(most)) then share else b.(most)); sorts_tried := b.(sorts_tried); size := b.(size);
    depth := b.(depth); tried := b.(tried); certain := b.(certain); doubtful := b.(doubtful) }.

Ltac2 enumerate (b : bounds) (path : step list) : unit :=
  let m := new_memory () in
  let p := problem_of path in
  let b := fair b (List.length (p.(variables))) in
  match p.(variables) with
  | [] =>
    let premises := gather 1000 (fun s => match s with Premise i => [Constr.type (Control.hyp i)] | _ => [] end) path in
    match all_hold m (b.(strict)) (b.(depth)) (List.map compute premises) with
    | Some sure => say "quod: closed"; judge m b path [] sure (compute (p.(conclusion)))
    | None => ()
    end
  | _ :: _ => assign m b p (p.(variables)) [] true
  end.

(* Derivations of the hypotheses first: what they are about follows by unification; what is left open is filled. *)
Ltac2 narrow (b : bounds) (path : step list) : unit :=
  let m := new_memory () in
  let p := problem_of path in
  let premises := gather 1000 (fun s => match s with Premise i => [Constr.type (Control.hyp i)] | _ => [] end) path in
  let is_rule t :=
    let (h, _) := parts t in
    match kind h with Ind _ _ => if Constr.equal h '@Init.Logic.eq then false else if Constr.equal h 'Init.Peano.le then false else true | _ => false end in
  let (rules, others) := filter_out is_rule premises in
  match rules with
  | [] => ()
  | _ :: _ =>
    let rec opened vs env :=
      match vs with
      | [] => derive env rules
      | v :: r =>
        let t := ground env (v.(of_type)) in
        let with_value x := opened r ((v.(name), x) :: env) in
        match kind (head_normal t) with
        | Sort _ => first_of (List.map (fun x => fun () => with_value x) (take 2 (values m 4 1 t)))
        | _ => if v.(needed) then Control.zero Not_found else with_value (open_constr:(_ : $t))
        end
      end
    with derive env l :=
      match l with
      | t :: r =>
        let t := ground env t in
        let c := { left := 400 } in
        Std.assert (Std.AssertType None t (Some (fun () => build m c (b.(depth)))));
        derive env r
      | [] =>
        holes_filled m (List.map (fun e => let (_, v) := e in v) env);
        if spend (b.(tried)) then
          let all := List.map (fun e => let (i, v) := e in (i, match kind v with Cast c _ _ => c | _ => v end)) env in
          match all_hold m (b.(strict)) (b.(depth)) (List.map (fun t => compute (ground all t)) others) with
          | None => ()
          | Some sure => judge m b path all sure (compute (ground all (p.(conclusion))))
          end;
          if finished b then () else Control.zero Not_found
        else ()
      end in
    Control.plus (fun () => opened (p.(variables)) []; Control.zero Not_found) (fun _ => ())
  end.

(* Goes through a statement to what it claims under which names, and looks there. *)
Ltac2 rec explore (look : step list -> unit) (path : step list) : unit :=
  Control.enter (fun () =>
    let g := Control.goal () in
    let leaf () := look (List.rev path) in
    let introduce b :=
      let wish := match Constr.Binder.name b with Some i => i | None => @h end in
      let id := Fresh.fresh (Fresh.Free.union (Fresh.Free.of_ids (List.map (fun h => let (i, _, _) := h in i) (Control.hyps ()))) (Fresh.Free.of_constr g)) wish in
      let is_premise := is_proposition (Constr.Binder.type b) in
      Std.intro (Some id) None;
      explore look ((if is_premise then Premise id else Value id) :: path) in
    let (h, _) := parts g in
    let branch () :=
      Std.split false Std.NoBindings;
      Control.dispatch [(fun () => explore look (Left :: path)); (fun () => explore look (Right :: path))] in
    match kind g with
    | Prod b _ => introduce b
    | LetIn _ v body =>
      Std.change None (fun _ => substitute v body) { Std.on_hyps := Some []; Std.on_concl := Std.AllOccurrences };
      explore look path
    | _ =>
      if Constr.equal h 'Init.Logic.and then branch ()
      else if Constr.equal h 'Init.Logic.iff then branch ()
      else if Constr.equal h 'Init.Logic.not then
        (match kind (head_normal g) with Prod b _ => introduce b | _ => leaf () end)
      else
        let n := head_normal g in
        match kind n with
        | Prod b _ => if is_proposition (Constr.Binder.type b) then leaf () else introduce b
        | _ => let (h, _) := parts n in if Constr.equal h 'Init.Logic.and then branch () else leaf ()
        end
    end).

(* Leaves the goal as it was. *)
Ltac2 run (look : bounds -> step list -> unit) (strictness : int) (most : int) (size : int) (depth : int) (tried : int) (wanted : int) : unit :=
  let strict := Int.equal strictness 1 in
  let b := { strict := strict; most := most; sorts_tried := (if strict then 3 else 4); size := size; depth := depth; tried := { left := tried }; certain := { left := wanted }; doubtful := { left := Int.mul 2 wanted } } in
  Control.plus (fun () => explore (look b) []; Control.zero Not_found) (fun e => match e with Not_found => () | _ => Message.print (Message.concat (Message.of_string "quod: error ") (Message.of_exn e)) end);
  Message.print (Message.concat (Message.of_string "quod: tried ") (Message.of_int (Int.sub tried (b.(tried).(left))))).
`;
