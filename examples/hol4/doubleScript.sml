(* Doubling: `quod prove` lists the cheat, `quod check` runs the script, `quod agent` proves it with a model. *)
Theory double
Ancestors arithmetic

Definition double_def:
  double 0 = 0 /\
  double (SUC n) = SUC (SUC (double n))
End

Theorem double_add:
  !n. double n = n + n
Proof
  Induct >> simp[double_def]
QED

Theorem double_mono:
  !m n. m <= n ==> double m <= double n
Proof
  cheat
QED
