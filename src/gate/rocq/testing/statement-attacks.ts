/** The theorem has its name and its words, and means something else. */
import { type Attack, attacksOn, HONEST, PROOF, STATEMENT } from './attack.ts';

const LENGTH_TARGET =
  'Require Import List.\nTheorem len : forall l : list nat, length (l ++ nil) = length l.\nAdmitted.\n';
const LENGTH_HONEST =
  'Theorem len : forall l : list nat, length (l ++ nil) = length l.\nProof. intros l. now rewrite app_nil_r. Qed.\n';

const COERCIONS =
  'Definition one (b : bool) : nat := if b then 1 else 0.\nDefinition none (b : bool) : nat := 0.\n';
const COERCED = 'Coercion one : bool >-> nat.\nTheorem t : forall b : bool, b + 0 = b.\n';

const TWO_UNIVERSES =
  'Polymorphic Theorem t@{u v | } : (forall B : Type@{v}, B -> B) -> forall A : Type@{u}, A -> A.\n';

const POLYMORPHIC = 'Set Universe Polymorphism.\n';
const SAME = 'Proof. intros A. exists A. reflexivity. Qed.\n';
const NAMED_UNIVERSES = TWO_UNIVERSES.replace(' | ', '');

const ONE_UNIVERSE =
  'Definition monomorphic (A : Type) (a : A) : A := a.\nUniverse low.\nDefinition above : Type := Type@{low}.\nPolymorphic Theorem t@{u} : forall A : Type@{u}, A -> A.\n';

export const STATEMENT_ATTACKS: readonly Attack[] = attacksOn('statement', [
  [
    'the statement replaced',
    'statement-changed',
    {
      cheat: 'Theorem add_zero : forall n : nat, 0 + n = n.\nProof. reflexivity. Qed.\n',
      innocent: `Theorem add_zero : (* as it was *) forall n  :  nat,\n  n + 0 = n.\n${PROOF}\n`,
    },
  ],
  [
    'a premise added',
    'statement-changed',
    {
      cheat: 'Theorem add_zero : forall n : nat, n = 0 -> n + 0 = n.\nProof. intros n e. now subst. Qed.\n',
      innocent: HONEST,
    },
  ],
  [
    'a binder narrowed',
    'statement-changed',
    {
      target: 'Theorem every : forall A : Type, A = A.\nAdmitted.\n',
      cheat: 'Theorem every : forall A : Set, A = A.\nProof. reflexivity. Qed.\n',
      innocent: 'Theorem every : forall B : Type, B = B.\nProof. reflexivity. Qed.\n',
    },
  ],
  [
    'a name of the statement shadowed',
    'statement-changed',
    {
      target: LENGTH_TARGET,
      cheat: `Require Import List.\nDefinition length (l : list nat) : nat := 0.\nTheorem len : forall l : list nat, length (l ++ nil) = length l.\nProof. reflexivity. Qed.\n`,
      innocent: `Require Import List.\n${LENGTH_HONEST}Definition length (l : list nat) : nat := 0.\n`,
    },
  ],
  [
    'a module that shadows one',
    'statement-changed',
    {
      target: 'Theorem t : forall n, Nat.add n 0 = n.\nAdmitted.\n',
      cheat:
        'Module Nat. Definition add (n m : nat) : nat := n. End Nat.\nTheorem t : forall n, Nat.add n 0 = n.\nProof. reflexivity. Qed.\n',
      innocent:
        'Definition adds (n m : nat) : nat := n.\nTheorem t : forall n, Nat.add n 0 = n.\nProof. induction n; simpl; congruence. Qed.\n',
    },
  ],
  [
    'a notation redefined',
    'statement-changed',
    {
      cheat: `Notation "x + y" := (Nat.add y x) : nat_scope.\n${STATEMENT}\nProof. reflexivity. Qed.\n`,
      innocent: `Notation "x +++ y" := (Nat.add y x) (at level 50) : nat_scope.\n${HONEST}`,
    },
  ],
  [
    'a notation declared by a definition',
    'statement-changed',
    {
      cheat: `Fixpoint mine (n m : nat) : nat := match m with 0 => n | S k => S (n ++ k) end where "x ++ y" := (mine x y).\nInfix "+" := mine : nat_scope.\n${STATEMENT}\nProof. reflexivity. Qed.\n`,
      innocent: `Fixpoint mine (n m : nat) : nat := match m with 0 => n | S k => S (n ++ k) end where "x ++ y" := (mine x y).\n${HONEST}`,
    },
  ],
  [
    'another scope opened',
    'statement-changed',
    {
      target: 'Theorem four : exists n, n = 2 + 2.\nAdmitted.\n',
      cheat:
        'Require Import ZArith. Open Scope Z_scope.\nTheorem four : exists n, n = 2 + 2.\nProof. exists 4. reflexivity. Qed.\n',
      innocent:
        'Require Import ZArith.\nTheorem four : exists n, n = 2 + 2.\nProof. exists 4. reflexivity. Qed.\nOpen Scope Z_scope.\n',
    },
  ],
  [
    'a scope bound to an argument',
    'statement-changed',
    {
      target: 'Definition twice (n : nat) := n + n.\nTheorem t : twice 5 = 10.\nAdmitted.\n',
      cheat:
        'Definition twice (n : nat) := n + n.\nDeclare Scope s. Delimit Scope s with s. Notation "5" := (S (S (S 0))) : s. Notation "10" := 6. Arguments twice n%s.\nTheorem t : twice 5 = 10.\nProof. reflexivity. Qed.\n',
      innocent:
        'Definition twice (n : nat) := n + n.\nArguments twice n%nat.\nTheorem t : twice 5 = 10.\nProof. reflexivity. Qed.\n',
    },
  ],
  [
    'a second coercion',
    'statement-changed',
    {
      target: `${COERCIONS}${COERCED}Admitted.\n`,
      cheat: `${COERCIONS}Coercion none : bool >-> nat.\n${COERCED}Proof. now destruct b. Qed.\n`,
      innocent: `${COERCIONS}${COERCED}Proof. now destruct b. Qed.\nCoercion none : bool >-> nat.\n`,
    },
  ],
  [
    'another instance found',
    'statement-changed',
    {
      target:
        'Class Default (A : Type) := default : A.\n#[export] Instance zero : Default nat := 0.\nTheorem t : exists n, n + default = n.\nAdmitted.\n',
      cheat:
        'Class Default (A : Type) := default : A.\n#[export] Instance zero : Default nat := 0.\n#[export] Instance any : Default nat := id 0.\nTheorem t : exists n, n + default = n.\nProof. exists 0. reflexivity. Qed.\n',
      innocent:
        'Class Default (A : Type) := default : A.\n#[export] Instance zero : Default nat := 0.\nTheorem t : exists n, n + default = n.\nProof. exists 0. reflexivity. Qed.\n#[export] Instance any : Default nat := id 0.\n',
    },
  ],
  [
    'another canonical structure',
    'statement-changed',
    {
      target:
        'Structure point := Point { base : Type; origin : base }.\nDefinition zero := Point nat 0.\nCanonical zero.\nTheorem t : origin _ = 0.\nAdmitted.\n',
      cheat:
        'Structure point := Point { base : Type; origin : base }.\nDefinition mine := Point nat (0 + 0).\nCanonical mine.\nDefinition zero := Point nat 0.\nCanonical zero.\nTheorem t : origin _ = 0.\nProof. reflexivity. Qed.\n',
      innocent:
        'Structure point := Point { base : Type; origin : base }.\nDefinition zero := Point nat 0.\nCanonical zero.\nDefinition mine := Point nat (0 + 0).\nTheorem t : origin _ = 0.\nProof. reflexivity. Qed.\n',
    },
  ],
  [
    'the type of a bound name implied',
    'statement-changed',
    {
      target: 'Implicit Types n : nat.\nTheorem t : forall n, n = n.\nAdmitted.\n',
      cheat: 'Implicit Types n : bool.\nTheorem t : forall n, n = n.\nProof. reflexivity. Qed.\n',
      innocent:
        'Implicit Types n : nat.\nImplicit Types m : bool.\nTheorem t : forall n, n = n.\nProof. reflexivity. Qed.\n',
    },
  ],
  [
    'universe polymorphism switched on',
    'statement-changed',
    {
      target: 'Theorem every : forall A : Type, A = A.\nAdmitted.\n',
      cheat:
        'Set Universe Polymorphism.\nTheorem every : forall A : Type, A = A.\nProof. reflexivity. Qed.\n',
      innocent:
        'Theorem every : forall A : Type, A = A.\nProof. reflexivity. Qed.\nSet Universe Polymorphism.\n',
    },
  ],
  [
    'aborted and stated anew',
    'statement-changed',
    {
      cheat: `${STATEMENT}\nAbort.\nTheorem add_zero : forall n : nat, 0 + n = n.\nProof. reflexivity. Qed.\n`,
      innocent: `${STATEMENT}\nAbort.\n${HONEST}`,
    },
  ],
  [
    'proved in a section with an extra hypothesis',
    'statement-changed',
    {
      cheat: `Section S. Hypothesis h : forall n, n + 0 = n.\n${STATEMENT}\nProof. exact h. Qed.\nEnd S.\n`,
      innocent: `Section S. Hypothesis h : forall n, n + 0 = n.\n${HONEST}End S.\n`,
    },
  ],
  [
    'Proof using more than the target allows',
    'statement-changed',
    {
      target:
        'Section S. Variable n : nat. Hypothesis h : n + 0 = n.\nTheorem t : n + 0 = n.\nProof using n. Admitted.\nEnd S.\n',
      cheat:
        'Section S. Variable n : nat. Hypothesis h : n + 0 = n.\nTheorem t : n + 0 = n.\nProof using n h. exact h. Qed.\nEnd S.\n',
      innocent:
        'Section S. Variable n : nat. Hypothesis h : n + 0 = n.\nTheorem t : n + 0 = n.\nProof using n. clear h. induction n; simpl; congruence. Qed.\nEnd S.\n',
    },
  ],
  [
    'a universe of the statement made Set',
    'does-not-compile',
    {
      target: 'Theorem t : forall A : Type, A -> A.\nAdmitted.\n',
      cheat:
        'Theorem t : forall A : Type, A -> A.\nProof. exact (fun A a => (fun (B : Set) (b : B) => b) A a). Qed.\n',
      innocent:
        'Theorem t : forall A : Type, A -> A.\nProof. exact (fun A a => (fun (B : Type) (b : B) => b) A a). Qed.\n',
    },
  ],
  [
    'two universes put into an order that the statement does not have',
    'does-not-compile',
    {
      target: `${TWO_UNIVERSES}Admitted.\n`,
      cheat: `${TWO_UNIVERSES}Proof. intros f A. exact (f A). Qed.\n`,
      innocent: `${TWO_UNIVERSES}Proof. intros _ A a. exact a. Qed.\n`,
    },
  ],
  [
    'a universe of a polymorphic statement written as Set',
    'statement-changed',
    {
      target: `${POLYMORPHIC}Theorem t : forall A : Type, exists B : Type, @eq Type A B.\nAdmitted.\n`,
      cheat: `Check nat.\n${POLYMORPHIC}Theorem t : forall A : Set, exists B : Type, @eq Type A B.\n${SAME}`,
      // The proof makes both universes one, and may: the statement names none.
      innocent: `Check nat.\n${POLYMORPHIC}Theorem t : forall A : Type, exists B : Type, @eq Type A B.\n${SAME}`,
    },
  ],
  [
    'a polymorphic statement with named universes that the proof orders',
    'statement-changed',
    {
      target: `${NAMED_UNIVERSES}Admitted.\n`,
      cheat: `Check nat.\n${NAMED_UNIVERSES}Proof. intros f A. exact (f A). Qed.\n`,
      innocent: `Check nat.\n${NAMED_UNIVERSES}Proof. intros _ A a. exact a. Qed.\n`,
    },
  ],
  [
    'a level above one of a monomorphic declaration',
    'statement-changed',
    {
      target: `${ONE_UNIVERSE}Admitted.\n`,
      cheat: `Check nat.\n${ONE_UNIVERSE}Proof. intros A a. exact ((fun (B : Type@{u}) (b : B) (C : Type@{u} := above) => b) A a). Qed.\n`,
      // Using a monomorphic declaration is a bound from above.
      innocent: `Check nat.\n${ONE_UNIVERSE}Proof. intros A a. exact (monomorphic A a). Qed.\n`,
    },
  ],
  [
    'proved in a functor',
    'missing',
    {
      cheat: `Module Type T. Parameter h : forall n, n + 0 = n. End T.\nModule F (X : T).\n${STATEMENT}\nProof. exact X.h. Qed.\nEnd F.\n`,
      innocent: HONEST,
    },
  ],
  [
    'a quantifier left out in a section',
    'statement-changed',
    {
      target:
        'Section S.\nVariables A B : Type.\nTheorem t : forall (T : Type) (x : A), x = x.\nAdmitted.\nEnd S.\n',
      cheat:
        'Check nat.\nSection S.\nVariables A B : Type.\nTheorem t : forall (x : A), x = x.\nProof. reflexivity. Qed.\nEnd S.\n',
      innocent:
        'Check nat.\nSection S.\nVariables A B : Type.\nTheorem t : forall (T : Type) (x : A), x = x.\nProof. reflexivity. Qed.\nEnd S.\n',
    },
  ],
  [
    'a premise left out in a section',
    'statement-changed',
    {
      target: 'Section S.\nVariable A : Type.\nTheorem t : True -> forall x : A, x = x.\nAdmitted.\nEnd S.\n',
      cheat:
        'Check nat.\nSection S.\nVariable A : Type.\nTheorem t : forall x : A, x = x.\nProof. reflexivity. Qed.\nEnd S.\n',
      innocent:
        'Check nat.\nSection S.\nVariable A : Type.\nTheorem t : True -> forall x : A, x = x.\nProof. reflexivity. Qed.\nEnd S.\n',
    },
  ],
]);
