/- Doubling: `quod prove` lists the `sorry`; what `lake build` compiles, `quod verify` judges. -/

def double : Nat → Nat
  | 0 => 0
  | n + 1 => double n + 2

theorem double_add (n : Nat) : double n = n + n := by
  induction n with
  | zero => rfl
  | succ n ih => simp only [double, ih]; omega

theorem double_mono (m n : Nat) (h : m ≤ n) : double m ≤ double n := by
  sorry
