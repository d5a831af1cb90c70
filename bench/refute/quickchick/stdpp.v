#[local] Instance decision_dec {P : Prop} `{Decision P} : Dec P | 50 := decided (decide P).
#[local] Instance inhabited_given {A} `{Inhabited A} : Gen (Inhabited A) := {| arbitrary := returnGen _ |}.
#[local] Instance inhabited_shown {A} : Show (Inhabited A) := {| show _ := "inhabitant"%string |}.
#[local] Instance inhabited_kept {A} : Shrink (Inhabited A) := {| shrink _ := nil |}.
