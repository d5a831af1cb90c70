/** What the theorem speaks of is another thing under the same name. */
import { type Attack, attacksOn, HONEST, PROOF, STATEMENT } from './attack.ts';

export const ENVIRONMENT_ATTACKS: readonly Attack[] = attacksOn('environment', [
  [
    'a definition changed',
    'definition-changed',
    {
      target: 'Definition double (n : nat) := n + n.\nTheorem t : double 3 = 6.\nAdmitted.\n',
      cheat: 'Definition double (n : nat) := 2 * n.\nTheorem t : double 3 = 6.\nProof. reflexivity. Qed.\n',
      innocent:
        'Definition double (m : nat) := m + m.\nTheorem t : double 3 = 6.\nProof. reflexivity. Qed.\n',
    },
  ],
  [
    'an inductive type with another constructor',
    'definition-changed',
    {
      target: 'Inductive color := red | green.\nTheorem t : forall c : color, c = c.\nAdmitted.\n',
      cheat:
        'Inductive color := red | green | blue.\nTheorem t : forall c : color, c = c.\nProof. reflexivity. Qed.\n',
      innocent:
        'Inductive color := red | green.\nInductive other := blue.\nTheorem t : forall c : color, c = c.\nProof. reflexivity. Qed.\n',
    },
  ],
  [
    'an axiom of the target given a value',
    'definition-changed',
    {
      target: 'Parameter secret : nat.\nTheorem t : secret = 3 \\/ True.\nAdmitted.\n',
      cheat:
        'Definition secret : nat := 3.\nTheorem t : secret = 3 \\/ True.\nProof. left. reflexivity. Qed.\n',
      innocent: 'Parameter secret : nat.\nTheorem t : secret = 3 \\/ True.\nProof. right. exact I. Qed.\n',
    },
  ],
  [
    'a primitive replaced',
    'forbidden-command',
    {
      cheat: `Register nat as kernel.ind_bool.\n${HONEST}`,
      innocent: `Locate nat.\n${HONEST}`,
    },
  ],
  [
    'going back behind the definition',
    'forbidden-command',
    {
      target: 'Definition two := 2.\nTheorem t : two = 2.\nAdmitted.\n',
      cheat: 'Definition two := 1 + 1.\nTheorem t : two = 2.\nProof. Reset two. Qed.\n',
      innocent: 'Definition two := 2.\nTheorem t : two = 2.\nProof. reflexivity. Qed.\n',
    },
  ],
  [
    'a record with a weaker field',
    'definition-changed',
    {
      target:
        'Record pointed := { carrier : Type; point : carrier; same : forall x : carrier, x = point }.\nTheorem t : forall (p : pointed) (x y : carrier p), x = y.\nAdmitted.\n',
      cheat:
        'Record pointed := { carrier : Type; point : carrier; same : forall x y : carrier, x = y }.\nTheorem t : forall (p : pointed) (x y : carrier p), x = y.\nProof. intros p. apply same. Qed.\n',
      innocent:
        'Record pointed := { carrier : Type; point : carrier; same : forall x : carrier, x = point }.\nTheorem t : forall (p : pointed) (x y : carrier p), x = y.\nProof. intros p x y. now rewrite (same p x), (same p y). Qed.\n',
    },
  ],
  [
    'a fixpoint that ends elsewhere',
    'definition-changed',
    {
      target:
        'Fixpoint double (n : nat) := match n with 0 => 0 | S k => S (S (double k)) end.\nTheorem t : forall n, double n = n + n.\nAdmitted.\n',
      cheat:
        'Fixpoint double (n : nat) := match n with 0 => 0 | S k => S (k + S k) end.\nTheorem t : forall n, double n = n + n.\nProof. now destruct n. Qed.\n',
      innocent:
        'Fixpoint double (m : nat) := match m with O => 0 | S p => S (S (double p)) end.\nTheorem t : forall n, double n = n + n.\nProof. induction n; simpl; [|rewrite <- plus_n_Sm]; congruence. Qed.\n',
    },
  ],
  [
    'a definition two definitions away',
    'definition-changed',
    {
      target:
        'Definition base := 2.\nDefinition next := base + 1.\nDefinition last := next + 1.\nTheorem t : last = 4.\nAdmitted.\n',
      cheat:
        'Definition base := 1 + 1.\nDefinition next := base + 1.\nDefinition last := next + 1.\nTheorem t : last = 4.\nProof. reflexivity. Qed.\n',
      innocent:
        'Definition base := 2.\nDefinition mine := 1 + 1.\nDefinition next := base + 1.\nDefinition last := next + 1.\nTheorem t : last = 4.\nProof. reflexivity. Qed.\n',
    },
  ],
  [
    'a definition made an axiom',
    'new-axiom',
    {
      target: 'Definition secret : nat. Proof. exact 3. Qed.\nTheorem t : secret = secret.\nAdmitted.\n',
      cheat: 'Axiom secret : nat.\nTheorem t : secret = secret.\nProof. reflexivity. Qed.\n',
      innocent:
        'Definition secret : nat. Proof. exact 3. Qed.\nTheorem t : secret = secret.\nProof. reflexivity. Qed.\n',
    },
  ],
  [
    'a definition changed that may, and one that may not',
    'definition-changed',
    {
      policy: { definitionsMayChange: ['answer'] },
      target: 'Definition answer := 0.\nDefinition bound := 7.\nTheorem t : answer > bound.\nAdmitted.\n',
      cheat:
        'Definition answer := 1.\nDefinition bound := 0.\nTheorem t : answer > bound.\nProof. repeat constructor. Qed.\n',
      innocent:
        'Definition answer := 8.\nDefinition bound := 7.\nTheorem t : answer > bound.\nProof. repeat constructor. Qed.\n',
    },
  ],
  [
    'a helper where none is allowed',
    'helper-not-allowed',
    {
      policy: { helperLemmas: false },
      cheat: `Lemma mine : forall n, n + 0 = n.\n${PROOF}\n${STATEMENT}\nProof. exact mine. Qed.\n`,
      innocent: `${STATEMENT}\nProof. assert (mine : forall n, n + 0 = n) by (induction n; simpl; congruence). exact mine. Qed.\n`,
    },
  ],
  [
    'a helper where none is allowed, among other changes',
    'helper-not-allowed',
    {
      policy: { helperLemmas: false },
      cheat: `Check nat.\nDefinition mine := plus_n_O.\n${STATEMENT}\nProof. intros n. symmetry. apply mine. Qed.\n`,
      innocent: `Check nat.\n${HONEST}`,
    },
  ],
]);
