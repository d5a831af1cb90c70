(* What QuickChick is given beside its own instances, for statements of every library: lists of all lengths (its own
   are all as long as each other), functions, decision procedures that the standard library has, types for
   variables of types, and premises as what a test is discarded for. *)
From QuickChick Require Import QuickChick.
From QuickChick Require CoArbitrary.
Require Import List Arith Bool ZArith ListDec.

Definition decided {P : Prop} (D : {P} + {~ P}) : Dec P := {| dec := D |}.

#[global] Instance lists {A} `{Gen A} : Gen (list A) | 0 := {| arbitrary := listOf arbitrary |}.

#[global] Existing Instances CoArbitrary.genFun CoArbitrary.shrinkFunNil CoArbitrary.coqArbNat.
#[global] Instance bool_read : CoArbitrary.CoArbitrary bool.
Proof.
  refine {|
    CoArbitrary.coarbitrary (b : bool) := if b then 1%positive else 2%positive;
    CoArbitrary.coarbReverse p := match p with xH => Some true | _ => Some false end
  |}.
  intros []; reflexivity.
Defined.
#[global] Instance function_shown {A B} : Show (A -> B) | 99 := {| show _ := "function"%string |}.

#[global] Instance equality_given {A} `{forall x y : A, Dec (x = y)} :
  Gen (forall x y : A, {x = y} + {x <> y}) | 0 := {| arbitrary := returnGen (fun x y => @dec (x = y) _) |}.
#[global] Instance equality_shown {A} : Show (forall x y : A, {x = y} + {x <> y}) | 0 :=
  {| show _ := "equality"%string |}.
#[global] Instance equality_kept {A} : Shrink (forall x y : A, {x = y} + {x <> y}) | 0 := {| shrink _ := nil |}.

#[global] Instance false_dec : Dec False := decided (right (fun x => x)).
#[global] Instance true_dec : Dec True := decided (left I).
#[global] Instance iff_dec {P Q : Prop} `{Dec (P -> Q)} `{Dec (Q -> P)} : Dec (P <-> Q).
Proof. apply decided. destruct H as [[?|?]], H0 as [[?|?]]; unfold iff; tauto. Defined.
#[global] Instance is_true_dec (b : bool) : Dec (Is_true b).
Proof. apply decided. destruct b; simpl; auto. Defined.
#[global] Instance nat_le_dec (n m : nat) : Dec (n <= m) := decided (le_dec n m).
#[global] Instance nat_lt_dec (n m : nat) : Dec (n < m) := decided (lt_dec n m).
#[global] Instance z_le_dec (n m : Z) : Dec (n <= m)%Z := decided (Z_le_dec n m).
#[global] Instance z_lt_dec (n m : Z) : Dec (n < m)%Z := decided (Z_lt_dec n m).
#[global] Instance z_divide_dec (n m : Z) : Dec (n | m)%Z := decided (Znumtheory.Zdivide_dec n m).
#[global] Instance prime_dec (n : Z) : Dec (Znumtheory.prime n) := decided (Znumtheory.prime_dec n).
#[global] Instance forall_dec {A} (P : A -> Prop) `{forall x, Dec (P x)} (l : list A) : Dec (Forall P l) :=
  decided (Forall_dec P (fun x => @dec (P x) _) l).
#[global] Instance exists_dec {A} (P : A -> Prop) `{forall x, Dec (P x)} (l : list A) : Dec (Exists P l) :=
  decided (Exists_dec P l (fun x => @dec (P x) _)).
#[global] Instance no_dup_dec {A} `{Dec_Eq A} (l : list A) : Dec (NoDup l) := decided (NoDup_dec (@Decidability.dec_eq A _) l).
#[global] Instance incl_dec {A} `{Dec_Eq A} (l k : list A) : Dec (incl l k) := decided (incl_dec (@Decidability.dec_eq A _) l k).

#[global] Instance premise {P Q : Prop} `{Dec P} `{Checkable Q} : Checkable (P -> Q) | 2 :=
  {| checker f := match @dec P _ with left p => checker (f p) | right _ => checker tt end |}.

(* Names for statements: `symmetric r`, `l =i k`. *)
Ltac opened P :=
  lazymatch P with
  | forall _, _ => fail
  | _ =>
      let Q := eval hnf in P in
      lazymatch Q with
      | forall _, _ => Q
      | _ /\ _ => Q
      | _ <-> _ => Q
      end
  end.
#[global] Hint Extern 90 (Checkable ?P) => (let Q := opened P in progress change (Checkable Q)) : typeclass_instances.
#[global] Hint Extern 90 (Dec ?P) => (let Q := opened P in progress change (Dec Q)) : typeclass_instances.
