#[local] Instance permutation_dec {A : Set} `{Dec_Eq A} (l k : list A) : Dec (permutation l k) :=
  decided (permutation_dec (@Decidability.dec_eq A _) l k).
#[local] Instance ulist_dec {A : Set} `{Dec_Eq A} (l : list A) : Dec (ulist l) := decided (ulist_dec A (@Decidability.dec_eq A _) l).
