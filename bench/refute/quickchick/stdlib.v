Require ListSet.
#[local] Instance set_in_dec {A} `{Dec_Eq A} (x : A) (l : ListSet.set A) : Dec (ListSet.set_In x l) :=
  decided (List.in_dec (@Decidability.dec_eq A _) x l).
#[local] Instance set_given {A} `{Gen A} : Gen (ListSet.set A) := {| arbitrary := listOf arbitrary |}.
#[local] Instance set_shown {A} `{Show A} : Show (ListSet.set A) := {| show s := @show (list A) _ s |}.
#[local] Instance set_shrunk {A} `{Shrink A} : Shrink (ListSet.set A) := {| shrink s := @shrink (list A) _ s |}.
