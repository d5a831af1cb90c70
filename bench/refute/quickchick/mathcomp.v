#[local] Instance boolean_dec (b : bool) : Dec (is_true b).
Proof. apply decided. destruct b; [left; reflexivity | right; discriminate]. Defined.
#[local] Instance of_eqtype {P : eqType -> Prop} `{Checkable (P nat_eqType)} : Checkable (forall T, P T) :=
  {| checker f := checker (f nat_eqType) |}.
#[local] Instance nat_sort_given : Gen (Equality.sort nat_eqType) := {| arbitrary := @arbitrary nat _ |}.
#[local] Instance nat_sort_shown : Show (Equality.sort nat_eqType) := {| show := @show nat _ |}.
#[local] Instance nat_sort_shrunk : Shrink (Equality.sort nat_eqType) := {| shrink := @shrink nat _ |}.
#[local] Instance nat_sort_read : CoArbitrary.CoArbitrary (Equality.sort nat_eqType) := CoArbitrary.coqArbNat.
#[local] Instance nat_sort_eq : Dec_Eq (Equality.sort nat_eqType) := {| dec_eq := @Decidability.dec_eq nat _ |}.
