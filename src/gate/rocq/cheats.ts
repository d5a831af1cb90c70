/**
 * Submissions that try to get the word "accepted" without proving the target, each with an innocent twin that uses the
 * same means honestly. Test data: `verify-rocq.test.ts` runs all of them against a real prover.
 */
import type { FindingKind } from '../verdict.ts';

export interface Cheat {
  readonly name: string;
  readonly target: string;
  readonly cheat: string;
  readonly finding: FindingKind;
  readonly innocent: string;
}

const STATEMENT = 'Theorem add_zero : forall n : nat, n + 0 = n.';
const PROOF = 'Proof. induction n as [|n IH]; simpl; [reflexivity | rewrite IH; reflexivity]. Qed.';
const TARGET = `${STATEMENT}\nProof. Admitted.\n`;
const HONEST = `${STATEMENT}\n${PROOF}\n`;

function around(
  name: string,
  finding: FindingKind,
  texts: { readonly target?: string; readonly cheat: string; readonly innocent: string },
): Cheat {
  return { name, finding, target: TARGET, ...texts };
}

const LENGTH_TARGET =
  'Require Import List.\nTheorem len : forall l : list nat, length (l ++ nil) = length l.\nAdmitted.\n';
const LENGTH_HONEST =
  'Theorem len : forall l : list nat, length (l ++ nil) = length l.\nProof. intros l. now rewrite app_nil_r. Qed.\n';

const COERCIONS =
  'Definition one (b : bool) : nat := if b then 1 else 0.\nDefinition none (b : bool) : nat := 0.\n';
const COERCED = 'Coercion one : bool >-> nat.\nTheorem t : forall b : bool, b + 0 = b.\n';

export const CHEATS: readonly Cheat[] = [
  around('Admitted', 'admitted', { cheat: TARGET, innocent: HONEST }),
  around('admit closed by Qed', 'admitted', {
    cheat: `${STATEMENT}\nProof. admit. Qed.\n`,
    innocent: `${STATEMENT}\n(* no admit. here *) ${PROOF}\n`,
  }),
  around('give_up in one branch', 'admitted', {
    cheat: `${STATEMENT}\nProof. induction n. reflexivity. give_up. Qed.\n`,
    innocent: `${STATEMENT}\nProof. induction n. reflexivity. simpl. rewrite IHn. reflexivity. Qed.\n`,
  }),
  around('a helper that is admitted', 'admitted', {
    cheat: `Lemma mine : forall n, n + 0 = n. Admitted.\n${STATEMENT}\nProof. exact mine. Qed.\n`,
    innocent: `Lemma mine : forall n, n + 0 = n.\n${PROOF}\n${STATEMENT}\nProof. exact mine. Qed.\n`,
  }),
  around('Admit Obligations of Program', 'admitted', {
    cheat: `Require Import Program.Tactics.\nProgram Definition mine (n : nat) : { m : nat | m + 0 = n } := n.\nAdmit Obligations.\n${STATEMENT}\nProof. intros n. destruct (mine n) as [m e]. induction n; [reflexivity|simpl; congruence]. Qed.\n`,
    innocent: `Require Import Program.Tactics.\nProgram Definition mine (n : nat) : { m : nat | m = n } := n.\n${HONEST}`,
  }),
  around('a complete lemma of the target admitted', 'admitted', {
    target: `Lemma first : 1 + 1 = 2.\nProof. reflexivity. Qed.\n${TARGET}`,
    cheat: `Lemma first : 1 + 1 = 2.\nProof. Admitted.\n${HONEST}`,
    innocent: `Lemma first : 1 + 1 = 2.\nProof. now simpl. Qed.\n${HONEST}`,
  }),
  around('a proof that is not finished', 'unfinished-proof', {
    cheat: `${STATEMENT}\nProof. induction n. reflexivity. Qed.\n`,
    innocent: HONEST,
  }),
  around('a proof without an end', 'unfinished-proof', {
    cheat: `${STATEMENT}\nProof. induction n. reflexivity. simpl. rewrite IHn. reflexivity.\n`,
    innocent: HONEST,
  }),

  around('Axiom', 'new-axiom', {
    cheat: `Axiom ax : forall n, n + 0 = n.\n${STATEMENT}\nProof. exact ax. Qed.\n`,
    innocent: `Definition ax := forall n, n + 0 = n.\n${HONEST}`,
  }),
  around('Parameter behind an attribute', 'new-axiom', {
    cheat: `#[local] Parameter ax : forall n, n + 0 = n.\n${STATEMENT}\nProof. exact ax. Qed.\n`,
    innocent: `#[local] Definition ax := 0.\n${HONEST}`,
  }),
  around('Hypothesis outside a section', 'new-axiom', {
    cheat: `Hypothesis h : forall n, n + 0 = n.\n${STATEMENT}\nProof. exact h. Qed.\n`,
    innocent: `Section S. Hypothesis h : forall n, n + 0 = n. Lemma mine : 5 + 0 = 5. Proof. apply h. Qed. End S.\n${HONEST}`,
  }),
  around('Context outside a section', 'new-axiom', {
    cheat: `Context (h : forall n, n + 0 = n).\n${STATEMENT}\nProof. exact h. Qed.\n`,
    innocent: `Section S. Context (h : nat). Definition mine := h. End S.\n${HONEST}`,
  }),
  around('an axiom of a library that the target does not use', 'new-axiom', {
    cheat: `Require Import Classical.\n${STATEMENT}\nProof. intros n. destruct (classic (n + 0 = n)) as [e|e]; [exact e|]. exfalso. apply e. clear e. induction n; [reflexivity|simpl; congruence]. Qed.\n`,
    innocent: `Require Import Classical.\n${HONEST}`,
  }),
  around('an axiom hidden behind printed words', 'new-axiom', {
    cheat: `Require Import Classical.\nNotation "'Closed' 'under' 'the' 'global' 'context'" := True.\nLtac done_honestly := idtac "Closed under the global context".\n${STATEMENT}\nProof. done_honestly. intros n. destruct (classic (n + 0 = n)) as [e|e]; [exact e|]. exfalso. apply e. clear e. induction n; [reflexivity|simpl; congruence]. Qed.\n`,
    innocent: `Ltac done_honestly := idtac "Axioms:"; idtac "ax : False".\n${STATEMENT}\nProof. done_honestly. induction n; simpl; congruence. Qed.\n`,
  }),

  around('the statement replaced', 'statement-changed', {
    cheat: 'Theorem add_zero : forall n : nat, 0 + n = n.\nProof. reflexivity. Qed.\n',
    innocent: `Theorem add_zero : (* as it was *) forall n  :  nat,\n  n + 0 = n.\n${PROOF}\n`,
  }),
  around('a premise added', 'statement-changed', {
    cheat: 'Theorem add_zero : forall n : nat, n = 0 -> n + 0 = n.\nProof. intros n e. now subst. Qed.\n',
    innocent: HONEST,
  }),
  around('a binder narrowed', 'statement-changed', {
    target: 'Theorem every : forall A : Type, A = A.\nAdmitted.\n',
    cheat: 'Theorem every : forall A : Set, A = A.\nProof. reflexivity. Qed.\n',
    innocent: 'Theorem every : forall B : Type, B = B.\nProof. reflexivity. Qed.\n',
  }),
  around('a name of the statement shadowed', 'statement-changed', {
    target: LENGTH_TARGET,
    cheat: `Require Import List.\nDefinition length (l : list nat) : nat := 0.\nTheorem len : forall l : list nat, length (l ++ nil) = length l.\nProof. reflexivity. Qed.\n`,
    innocent: `Require Import List.\n${LENGTH_HONEST}Definition length (l : list nat) : nat := 0.\n`,
  }),
  around('a module that shadows one', 'forbidden-command', {
    target: 'Theorem t : forall n, Nat.add n 0 = n.\nAdmitted.\n',
    cheat:
      'Module Nat. Definition add (n m : nat) : nat := n. End Nat.\nTheorem t : forall n, Nat.add n 0 = n.\nProof. reflexivity. Qed.\n',
    innocent:
      'Definition adds (n m : nat) : nat := n.\nTheorem t : forall n, Nat.add n 0 = n.\nProof. induction n; simpl; congruence. Qed.\n',
  }),
  around('a notation redefined', 'statement-changed', {
    cheat: `Notation "x + y" := (Nat.add y x) : nat_scope.\n${STATEMENT}\nProof. reflexivity. Qed.\n`,
    innocent: `Notation "x +++ y" := (Nat.add y x) (at level 50) : nat_scope.\n${HONEST}`,
  }),
  around('a notation declared by a definition', 'statement-changed', {
    cheat: `Fixpoint mine (n m : nat) : nat := match m with 0 => n | S k => S (n ++ k) end where "x ++ y" := (mine x y).\nInfix "+" := mine : nat_scope.\n${STATEMENT}\nProof. reflexivity. Qed.\n`,
    innocent: `Fixpoint mine (n m : nat) : nat := match m with 0 => n | S k => S (n ++ k) end where "x ++ y" := (mine x y).\n${HONEST}`,
  }),
  around('another scope opened', 'statement-changed', {
    target: 'Theorem four : exists n, n = 2 + 2.\nAdmitted.\n',
    cheat:
      'Require Import ZArith. Open Scope Z_scope.\nTheorem four : exists n, n = 2 + 2.\nProof. exists 4. reflexivity. Qed.\n',
    innocent:
      'Require Import ZArith.\nTheorem four : exists n, n = 2 + 2.\nProof. exists 4. reflexivity. Qed.\nOpen Scope Z_scope.\n',
  }),
  around('a scope bound to an argument', 'statement-changed', {
    target: 'Definition twice (n : nat) := n + n.\nTheorem t : twice 5 = 10.\nAdmitted.\n',
    cheat:
      'Definition twice (n : nat) := n + n.\nDeclare Scope s. Delimit Scope s with s. Notation "5" := (S (S (S 0))) : s. Notation "10" := 6. Arguments twice n%s.\nTheorem t : twice 5 = 10.\nProof. reflexivity. Qed.\n',
    innocent:
      'Definition twice (n : nat) := n + n.\nArguments twice n%nat.\nTheorem t : twice 5 = 10.\nProof. reflexivity. Qed.\n',
  }),
  around('a second coercion', 'statement-changed', {
    target: `${COERCIONS}${COERCED}Admitted.\n`,
    cheat: `${COERCIONS}Coercion none : bool >-> nat.\n${COERCED}Proof. now destruct b. Qed.\n`,
    innocent: `${COERCIONS}${COERCED}Proof. now destruct b. Qed.\nCoercion none : bool >-> nat.\n`,
  }),
  around('another instance found', 'statement-changed', {
    target:
      'Class Default (A : Type) := default : A.\n#[export] Instance zero : Default nat := 0.\nTheorem t : exists n, n + default = n.\nAdmitted.\n',
    cheat:
      'Class Default (A : Type) := default : A.\n#[export] Instance zero : Default nat := 0.\n#[export] Instance any : Default nat := id 0.\nTheorem t : exists n, n + default = n.\nProof. exists 0. reflexivity. Qed.\n',
    innocent:
      'Class Default (A : Type) := default : A.\n#[export] Instance zero : Default nat := 0.\nTheorem t : exists n, n + default = n.\nProof. exists 0. reflexivity. Qed.\n#[export] Instance any : Default nat := id 0.\n',
  }),
  around('another canonical structure', 'statement-changed', {
    target:
      'Structure point := Point { base : Type; origin : base }.\nDefinition zero := Point nat 0.\nCanonical zero.\nTheorem t : origin _ = 0.\nAdmitted.\n',
    cheat:
      'Structure point := Point { base : Type; origin : base }.\nDefinition mine := Point nat (0 + 0).\nCanonical mine.\nDefinition zero := Point nat 0.\nCanonical zero.\nTheorem t : origin _ = 0.\nProof. reflexivity. Qed.\n',
    innocent:
      'Structure point := Point { base : Type; origin : base }.\nDefinition zero := Point nat 0.\nCanonical zero.\nDefinition mine := Point nat (0 + 0).\nTheorem t : origin _ = 0.\nProof. reflexivity. Qed.\n',
  }),
  around('the type of a bound name implied', 'statement-changed', {
    target: 'Implicit Types n : nat.\nTheorem t : forall n, n = n.\nAdmitted.\n',
    cheat: 'Implicit Types n : bool.\nTheorem t : forall n, n = n.\nProof. reflexivity. Qed.\n',
    innocent:
      'Implicit Types n : nat.\nImplicit Types m : bool.\nTheorem t : forall n, n = n.\nProof. reflexivity. Qed.\n',
  }),
  around('universe polymorphism switched on', 'statement-changed', {
    target: 'Theorem every : forall A : Type, A = A.\nAdmitted.\n',
    cheat: 'Set Universe Polymorphism.\nTheorem every : forall A : Type, A = A.\nProof. reflexivity. Qed.\n',
    innocent:
      'Theorem every : forall A : Type, A = A.\nProof. reflexivity. Qed.\nSet Universe Polymorphism.\n',
  }),
  around('aborted and stated anew', 'statement-changed', {
    cheat: `${STATEMENT}\nAbort.\nTheorem add_zero : forall n : nat, 0 + n = n.\nProof. reflexivity. Qed.\n`,
    innocent: `${STATEMENT}\nAbort.\n${HONEST}`,
  }),
  around('proved in a section with an extra hypothesis', 'statement-changed', {
    cheat: `Section S. Hypothesis h : forall n, n + 0 = n.\n${STATEMENT}\nProof. exact h. Qed.\nEnd S.\n`,
    innocent: `Section S. Hypothesis h : forall n, n + 0 = n.\n${HONEST}End S.\n`,
  }),
  around('Proof using more than the target allows', 'statement-changed', {
    target:
      'Section S. Variable n : nat. Hypothesis h : n + 0 = n.\nTheorem t : n + 0 = n.\nProof using n. Admitted.\nEnd S.\n',
    cheat:
      'Section S. Variable n : nat. Hypothesis h : n + 0 = n.\nTheorem t : n + 0 = n.\nProof using n h. exact h. Qed.\nEnd S.\n',
    innocent:
      'Section S. Variable n : nat. Hypothesis h : n + 0 = n.\nTheorem t : n + 0 = n.\nProof using n. clear h. induction n; simpl; congruence. Qed.\nEnd S.\n',
  }),
  around('proved in a functor', 'forbidden-command', {
    cheat: `Module Type T. Parameter h : forall n, n + 0 = n. End T.\nModule F (X : T).\n${STATEMENT}\nProof. exact X.h. Qed.\nEnd F.\n`,
    innocent: HONEST,
  }),

  around('a definition changed', 'definition-changed', {
    target: 'Definition double (n : nat) := n + n.\nTheorem t : double 3 = 6.\nAdmitted.\n',
    cheat: 'Definition double (n : nat) := 2 * n.\nTheorem t : double 3 = 6.\nProof. reflexivity. Qed.\n',
    innocent: 'Definition double (m : nat) := m + m.\nTheorem t : double 3 = 6.\nProof. reflexivity. Qed.\n',
  }),
  around('an inductive type with another constructor', 'definition-changed', {
    target: 'Inductive color := red | green.\nTheorem t : forall c : color, c = c.\nAdmitted.\n',
    cheat:
      'Inductive color := red | green | blue.\nTheorem t : forall c : color, c = c.\nProof. reflexivity. Qed.\n',
    innocent:
      'Inductive color := red | green.\nInductive other := blue.\nTheorem t : forall c : color, c = c.\nProof. reflexivity. Qed.\n',
  }),
  around('an axiom of the target given a value', 'definition-changed', {
    target: 'Parameter secret : nat.\nTheorem t : secret = 3 \\/ True.\nAdmitted.\n',
    cheat:
      'Definition secret : nat := 3.\nTheorem t : secret = 3 \\/ True.\nProof. left. reflexivity. Qed.\n',
    innocent: 'Parameter secret : nat.\nTheorem t : secret = 3 \\/ True.\nProof. right. exact I. Qed.\n',
  }),
  around('a primitive replaced', 'forbidden-command', {
    cheat: `Register nat as kernel.ind_bool.\n${HONEST}`,
    innocent: `Locate nat.\n${HONEST}`,
  }),

  around('the theorem renamed', 'missing', {
    cheat: `Theorem add_zero_too : forall n : nat, n + 0 = n.\n${PROOF}\n`,
    innocent: `${HONEST}Theorem add_zero_too : forall n : nat, n + 0 = n.\nProof. exact add_zero. Qed.\n`,
  }),
  around('the theorem inside a comment with a string', 'missing', {
    cheat: `(* " *) " ${HONEST} *)\nDefinition nothing := 0.\n`,
    innocent: `(* " *) " *)\n${HONEST}`,
  }),
  around('the theorem under Fail', 'missing', {
    cheat: `Fail Definition add_zero : forall n : nat, n + 0 = n := 0.\n`,
    innocent: `Fail Definition add_zero : forall n : nat, n + 0 = n := 0.\n${HONEST}`,
  }),

  around('the guard check off', 'checks-disabled', {
    cheat: `Unset Guard Checking.\nFixpoint loop (n : nat) : False := loop n.\n${STATEMENT}\nProof. destruct (loop 0). Qed.\n`,
    innocent: `Unset Printing Notations.\n${HONEST}`,
  }),
  around('the positivity check off', 'checks-disabled', {
    cheat: `Unset Positivity Checking.\nInductive bad := mk (f : bad -> False).\n${STATEMENT}\nProof. assert (k : bad -> False) by (intros [f]; exact (f (mk f))). destruct (k (mk k)). Qed.\n`,
    innocent: `Inductive good := mk (f : False -> good).\n${HONEST}`,
  }),
  around('the universe check off', 'checks-disabled', {
    cheat: `Unset Universe Checking.\n${HONEST}`,
    innocent: `Set Printing Universes.\n${HONEST}`,
  }),
  around('a bypassing attribute', 'checks-disabled', {
    cheat: `#[bypass_check(guard)] Fixpoint loop (n : nat) : False := loop n.\n${STATEMENT}\nProof. destruct (loop 0). Qed.\n`,
    innocent: `#[local] Fixpoint loop (n : nat) : nat := match n with 0 => 0 | S k => loop k end.\n${HONEST}`,
  }),
  around('a check that the target turns off, used elsewhere', 'checks-disabled', {
    target: `Unset Guard Checking.\nFixpoint odd_one (n : nat) : nat := odd_one n.\nSet Guard Checking.\n${TARGET}`,
    cheat: `Unset Guard Checking.\nFixpoint odd_one (n : nat) : nat := odd_one n.\nFixpoint loop (n : nat) : False := loop n.\nSet Guard Checking.\n${STATEMENT}\nProof. destruct (loop 0). Qed.\n`,
    innocent: `Unset Guard Checking.\nFixpoint odd_one (n : nat) : nat := odd_one n.\nSet Guard Checking.\n${HONEST}`,
  }),

  ...(
    [
      ['Redirect', 'Redirect "stolen" Print nat.', 'Print nat.'],
      ['Redirect behind Time', 'Time Redirect "stolen" Print nat.', 'Time Print nat.'],
      ['Extraction to a file', 'Require Extraction. Extraction "stolen.ml" nat.', 'Compute 1 + 1.'],
      ['Cd', 'Cd "/".', 'Check nat.'],
      ['Load', 'Load "other".', 'Search nat.'],
      ['Declare ML Module', 'Declare ML Module "extraction_plugin".', 'Declare Scope mine_scope.'],
      ['Drop', 'Drop.', 'About nat.'],
      ['a file written by Print', 'Print Universes "stolen".', 'Print Universes.'],
      [
        'an option that is not known',
        'Set NativeCompute Profile Filename "stolen".',
        'Set Asymmetric Patterns.',
      ],
    ] as const
  ).map(([name, cheat, innocent]) =>
    around(name, 'forbidden-command', { cheat: `${cheat}\n${HONEST}`, innocent: `${innocent}\n${HONEST}` }),
  ),
  around('a command in the middle of a proof', 'forbidden-command', {
    cheat: `${STATEMENT}\nProof. Redirect "stolen" Show. induction n; simpl; congruence. Qed.\n`,
    innocent: `${STATEMENT}\nProof. Show. induction n; simpl; congruence. Qed.\n`,
  }),
  around('an axiom between statement and proof', 'new-axiom', {
    cheat: `${STATEMENT}\nAxiom ax : forall n, n + 0 = n.\nProof. exact ax. Qed.\n`,
    innocent: `${STATEMENT}\nShow.\n${PROOF}\n`,
  }),
  around('a command around the closing word', 'forbidden-command', {
    cheat: HONEST.replace('Qed.', 'Redirect "stolen" Qed.'),
    innocent: HONEST.replace('Qed.', 'Time Qed.'),
  }),
  around('an axiom in the middle of a proof', 'new-axiom', {
    cheat: `${STATEMENT}\nProof. Axiom ax : forall n, n + 0 = n. exact ax. Qed.\n`,
    innocent: `${STATEMENT}\nProof. Definition ax := 0. induction n; simpl; congruence. Qed.\n`,
  }),
];
