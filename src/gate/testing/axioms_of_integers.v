(* Every axiom of Rocq's own library about numbers of the machine, as a function that decides it, at boundary values:
   lists of values at which it is false of what the prover computes. axiom-values.test.ts runs this file. *)
From Coq Require Import ZArith List Bool Uint63 Sint63.
Import ListNotations. Local Open Scope Z_scope.
Module U := Coq.Numbers.Cyclic.Int63.Uint63.
Module S := Coq.Numbers.Cyclic.Int63.Sint63.
Definition u := U.of_Z.
Definition xs := map u [0; 1; 2; 3; 5; 31; 62; 63; 64; 65; 127; 2^31; 2^32-1; 2^61; 2^62-1; 2^62; 2^62+1; 2^63-2; 2^63-1; 6148914691236517205].
Definition ps := map u [0; 1; 2; 31; 61; 62; 63; 64; 65; 100; 126; 127; 128].
Definition ss := ps ++ map u [2^63-1; 2^63-2; 2^62; 2^62+1].
Definition pairs {A B} (l : list A) (m : list B) := list_prod l m.
Definition bad2 {A B} (l : list A) (m : list B) (f : A -> B -> bool) := filter (fun '(x,y) => negb (f x y)) (list_prod l m).
Definition bad3 {A B C} (l : list A) (m : list B) (n : list C) (f : A -> B -> C -> bool) := filter (fun '(x,y,z) => negb (f x y z)) (list_prod (list_prod l m) n).
Definition bad1 {A} (l : list A) (f : A -> bool) := filter (fun x => negb (f x)) l.
Notation phi := U.to_Z.
Definition ceq (c d : carry int) := match c, d with C0 a, C0 b | C1 a, C1 b => U.eqb a b | _, _ => false end.
Definition cmp (c d : comparison) := match c, d with Eq,Eq | Lt,Lt | Gt,Gt => true | _,_ => false end.
Definition peq (p q : int*int) := U.eqb (fst p) (fst q) && U.eqb (snd p) (snd q).
Definition bits := map u [0;1;2;31;61;62;63;64;65;127].
Definition ints := (
 bad1 xs (fun x => U.eqb (U.of_Z (phi x)) x),
 bad2 xs ps (fun x p => phi (U.lsl x p) =? (phi x * 2 ^ phi p) mod wB),
 bad2 xs ps (fun x p => phi (U.lsr x p) =? phi x / 2 ^ phi p),
 bad3 xs xs bits (fun x y i => Bool.eqb (U.bit (U.land x y) i) (U.bit x i && U.bit y i) && Bool.eqb (U.bit (U.lor x y) i) (U.bit x i || U.bit y i) && Bool.eqb (U.bit (U.lxor x y) i) (xorb (U.bit x i) (U.bit y i))),
 bad2 xs xs (fun x y => (phi (U.add x y) =? (phi x + phi y) mod wB) && (phi (U.sub x y) =? (phi x - phi y) mod wB) && (phi (U.mul x y) =? (phi x * phi y) mod wB)),
 bad2 xs xs (fun x y => phi x * phi y =? phi (fst (U.mulc x y)) * wB + phi (snd (U.mulc x y))),
 bad2 xs xs (fun x y => (phi (U.div x y) =? phi x / phi y) && (phi (U.mod x y) =? phi x mod phi y)),
 bad2 xs xs (fun x y => Bool.eqb (U.eqb x y) (phi x =? phi y) && Bool.eqb (U.ltb x y) (phi x <? phi y) && Bool.eqb (U.leb x y) (phi x <=? phi y)),
 bad2 xs xs (fun x y => cmp (U.compare x y) (U.compare_def x y)),
 bad1 xs (fun x => negb (0 <? phi x) || ((wB/2 <=? 2 ^ phi (U.head0 x) * phi x) && (2 ^ phi (U.head0 x) * phi x <? wB))),
 bad1 xs (fun x => negb (0 <? phi x) || ((phi x mod 2 ^ phi (U.tail0 x) =? 0) && Z.odd (phi x / 2 ^ phi (U.tail0 x)))),
 bad2 xs xs (fun x y => ceq (U.addc x y) (U.addc_def x y) && ceq (U.addcarryc x y) (U.addcarryc_def x y) && ceq (U.subc x y) (U.subc_def x y) && ceq (U.subcarryc x y) (U.subcarryc_def x y)),
 bad2 xs xs (fun x y => peq (U.diveucl x y) (U.diveucl_def x y)),
 bad3 xs xs xs (fun a b c => let (q,r) := U.diveucl_21 a b c in let (q',r') := Z.div_eucl (phi a * wB + phi b) (phi c) in negb (phi a <? phi c) || (phi q =? q') && (phi r =? r')),
 bad3 ps xs xs (fun p x y => U.eqb (U.addmuldiv p x y) (U.addmuldiv_def p x y))).
Definition signed := (
 bad2 xs ss (fun x p => S.to_Z (S.asr x p) =? S.to_Z x / 2 ^ S.to_Z p),
 bad2 xs xs (fun x y => ((S.to_Z x =? S.to_Z S.min_int) && (S.to_Z y =? -1)) || (S.to_Z (S.div x y) =? Z.quot (S.to_Z x) (S.to_Z y))),
 bad2 xs xs (fun x y => S.to_Z (S.rem x y) =? Z.rem (S.to_Z x) (S.to_Z y)),
 bad2 xs xs (fun x y => Bool.eqb (S.ltb x y) (S.to_Z x <? S.to_Z y) && Bool.eqb (S.leb x y) (S.to_Z x <=? S.to_Z y) && cmp (S.compare x y) (S.to_Z x ?= S.to_Z y))).
Definition count {A} (l : list A) : nat := List.length l.
Definition counts := let '(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o) := ints in
  [count a; count b; count c; count d; count e; count f; count g; count h; count i; count j; count k; count l; count m; count n].
Definition double_shifts := let '(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o) := ints in o.
Definition signed_counts := let '(a, b, c, d) := signed in [count b; count c; count d].
Definition signed_shifts := let '(a, b, c, d) := signed in a.
Eval vm_compute in counts.
Eval vm_compute in signed_counts.
(* The axiom is false: of negative numbers, shifted by 63 or more. *)
Eval vm_compute in existsb (fun '(x, p) => U.eqb x (u (2^63 - 1)) && U.eqb p (u 63)) signed_shifts.
Eval vm_compute in forallb (fun '(x, p) => (S.to_Z x <? 0) && (63 <=? phi p)) signed_shifts.
(* The virtual machine of 8.16 alone computes it otherwise. *)
Eval vm_compute in forallb (fun '(p, x, y) => 64 <=? phi p) double_shifts.
Eval lazy in bad3 (map u [0; 1; 62; 63; 64; 65; 127]) (map u [0; 1; 2^62; 2^63 - 1]) (map u [0; 1; 2^63 - 1]) (fun p x y => U.eqb (U.addmuldiv p x y) (U.addmuldiv_def p x y)).
