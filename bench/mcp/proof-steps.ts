/** A proof that an agent feels its way through: what it sends, some of which Rocq refuses. */
export const STATEMENT = 'Lemma l : forall n m k : nat, n <= m -> n + k <= m + k.';
export const PROOF_STEPS: readonly string[] = [
  'intros n m k H.',
  'foo.',
  'induction n as [| n IH].',
  'simpl.',
  'exact I.',
  'assumption.',
  'simpl in *.',
  'reflexivity.',
  'destruct m as [| m].',
  'exact (le_n 0).',
  'simpl.',
  'auto with arith.',
  'apply le_n_S.',
  'lia.',
  'apply IH.',
  'auto.',
  'constructor.',
  'easy.',
  'tauto.',
  'trivial.',
];
