(* Every axiom of Rocq's own library about numbers of the machine, as a function that decides it, at boundary values:
   lists of values at which it is false of what the prover computes. axiom-values.test.ts runs this file. *)
From Coq Require Import ZArith List Bool Uint63 Floats. Import ListNotations.
Definition sfeq (a b : spec_float) : bool := match a, b with
 | S754_zero s, S754_zero t | S754_infinity s, S754_infinity t => Bool.eqb s t
 | S754_nan, S754_nan => true
 | S754_finite s m e, S754_finite t n f => Bool.eqb s t && Pos.eqb m n && Z.eqb e f | _, _ => false end.
Definition fs := map SF2Prim [S754_nan; S754_zero true; S754_zero false; S754_infinity true; S754_infinity false; S754_finite false 1 (-1074); S754_finite true 1 (-1074); S754_finite false 4503599627370495 (-1074); S754_finite false 4503599627370496 (-1074);S754_finite true 4503599627370496 (-1074); S754_finite false 9007199254740991 971; S754_finite true 9007199254740991 971; S754_finite false 4503599627370496 (-52); S754_finite true 4503599627370496 (-52); S754_finite false 4503599627370497 (-52); S754_finite false 9007199254740991 (-53); S754_finite false 7730941132799 (-1074); S754_finite false 6755399441055744 (-51); S754_finite false 4503599627370496 500; S754_finite false 9007199254740991 (-1074)].
Definition P := Prim2SF.
Definition bad2 (f : float -> float -> bool) := filter (fun '(x,y) => negb (f x y)) (list_prod fs fs).
Definition bad1 (f : float -> bool) := filter (fun x => negb (f x)) fs.
Definition es := map Uint63.of_Z [0;1;2;1000;1023;1024;2000;2100;2101;2102;3000;4202;5000;2^32;2^62;2^63-1]%Z.
Definition oc (a b : option comparison) := match a, b with None,None | Some Eq,Some Eq | Some Lt,Some Lt|Some Gt,Some Gt => true|_,_=>false end.
Definition fc (a b : float_comparison) := match a, b with FEq,FEq|FLt,FLt|FGt,FGt|FNotComparable,FNotComparable => true|_,_=>false end.
Definition cl (a b : float_class) := match a,b with PNormal,PNormal|NNormal,NNormal|PSubn,PSubn|NSubn,NSubn|PZero,PZero|NZero,NZero|PInf,PInf|NInf,NInf|NaN,NaN=>true|_,_=>false end.
Definition all := (
 bad1 (fun x => valid_binary (P x)), bad1 (fun x => sfeq (P (SF2Prim (P x))) (P x)),
 bad1 (fun x => sfeq (P (-x)%float) (SFopp (P x)) && sfeq (P (abs x)) (SFabs (P x))),
 bad2 (fun x y => Bool.eqb (x =? y)%float (SFeqb (P x) (P y)) && Bool.eqb (x <? y)%float (SFltb (P x) (P y)) && Bool.eqb (x <=? y)%float (SFleb (P x) (P y))),
 bad2 (fun x y => fc (x ?= y)%float (flatten_cmp_opt (SFcompare (P x) (P y)))),
 bad2 (fun x y => Bool.eqb (Leibniz.eqb x y) (sfeq (P x) (P y))),
 bad1 (fun x => cl (classify x) (SF64classify (P x))),
 bad2 (fun x y => sfeq (P (x * y)%float) (SF64mul (P x) (P y))), bad2 (fun x y => sfeq (P (x + y)%float) (SF64add (P x) (P y))),
 bad2 (fun x y => sfeq (P (x - y)%float) (SF64sub (P x) (P y))), bad2 (fun x y => sfeq (P (x / y)%float) (SF64div (P x) (P y))),
 bad1 (fun x => sfeq (P (sqrt x)) (SF64sqrt (P x))),
 bad1 (fun f => Z.eqb (to_Z (normfr_mantissa f)) (Z.of_N (SFnormfr_mantissa prec (P f)))),
 bad1 (fun f => let (m,e) := frshiftexp f in let (m',e') := SFfrexp prec emax (P f) in sfeq (P m) m' && Z.eqb (to_Z e - shift) e'),
 bad1 (fun x => sfeq (P (next_up x)) (SF64succ (P x))), bad1 (fun x => sfeq (P (next_down x)) (SF64pred (P x)))).
Definition ld := filter (fun '(f,e) => negb (sfeq (P (ldshiftexp f e)) (SFldexp prec emax (P f) (to_Z e - shift)))) (list_prod fs (firstn 13 es)).
Definition ou := filter (fun n => negb (sfeq (P (of_uint63 n)) (binary_normalize prec emax (to_Z n) 0 false))) (es ++ map Uint63.of_Z [2^53;2^53+1;2^53+3;2^54-1;2^54+2;2^54+3; 2^62+2^8; 2^62+2^9;2^62+2^9+1; 2^63-512; 2^63-513]%Z).
Eval vm_compute in all.
Eval vm_compute in (ld, ou).
