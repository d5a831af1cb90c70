(* Doubling: `quod prove` lists what is admitted, `quod check` checks each declaration. *)
module Double

let rec double (n: nat) : nat = if n = 0 then 0 else 2 + double (n - 1)

let rec double_add (n: nat) : Lemma (double n == n + n) = if n = 0 then () else double_add (n - 1)

let double_mono (m n: nat) : Lemma (requires m <= n) (ensures double m <= double n) = admit ()
