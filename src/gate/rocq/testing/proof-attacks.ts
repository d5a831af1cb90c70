/** Proofs that are none: holes, axioms, statements that are not there. */
import { type Attack, attacksOn, HONEST, PROOF, STATEMENT, TARGET } from './attack.ts';

export const PROOF_ATTACKS: readonly Attack[] = attacksOn('proof', [
  ['Admitted', 'admitted', { cheat: TARGET, innocent: HONEST }],
  [
    'admit closed by Qed',
    'admitted',
    {
      cheat: `${STATEMENT}\nProof. admit. Qed.\n`,
      innocent: `${STATEMENT}\n(* no admit. here *) ${PROOF}\n`,
    },
  ],
  [
    'give_up in one branch',
    'admitted',
    {
      cheat: `${STATEMENT}\nProof. induction n. reflexivity. give_up. Qed.\n`,
      innocent: `${STATEMENT}\nProof. induction n. reflexivity. simpl. rewrite IHn. reflexivity. Qed.\n`,
    },
  ],
  [
    'a helper that is admitted',
    'admitted',
    {
      cheat: `Lemma mine : forall n, n + 0 = n. Admitted.\n${STATEMENT}\nProof. exact mine. Qed.\n`,
      innocent: `Lemma mine : forall n, n + 0 = n.\n${PROOF}\n${STATEMENT}\nProof. exact mine. Qed.\n`,
    },
  ],
  [
    'Admit Obligations of Program',
    'admitted',
    {
      cheat: `Require Import Program.Tactics.\nProgram Definition mine (n : nat) : { m : nat | m + 0 = n } := n.\nAdmit Obligations.\n${STATEMENT}\nProof. intros n. destruct (mine n) as [m e]. induction n; [reflexivity|simpl; congruence]. Qed.\n`,
      innocent: `Require Import Program.Tactics.\nProgram Definition mine (n : nat) : { m : nat | m = n } := n.\n${HONEST}`,
    },
  ],
  [
    'a complete lemma of the target admitted',
    'admitted',
    {
      target: `Lemma first : 1 + 1 = 2.\nProof. reflexivity. Qed.\n${TARGET}`,
      cheat: `Lemma first : 1 + 1 = 2.\nProof. Admitted.\n${HONEST}`,
      innocent: `Lemma first : 1 + 1 = 2.\nProof. now simpl. Qed.\n${HONEST}`,
    },
  ],
  [
    'a proof that is not finished',
    'unfinished-proof',
    {
      cheat: `${STATEMENT}\nProof. induction n. reflexivity. Qed.\n`,
      innocent: HONEST,
    },
  ],
  [
    'a proof without an end',
    'unfinished-proof',
    {
      cheat: `${STATEMENT}\nProof. induction n. reflexivity. simpl. rewrite IHn. reflexivity.\n`,
      innocent: HONEST,
    },
  ],
  [
    'a goal left on the shelf',
    'unfinished-proof',
    {
      cheat: `${STATEMENT}\nProof. refine (fun n => _). shelve. Qed.\n`,
      innocent: `${STATEMENT}\nProof. refine (fun n => _). shelve. Unshelve. induction n; simpl; congruence. Qed.\n`,
    },
  ],
  [
    'an obligation left with Admitted',
    'admitted',
    {
      cheat: `Require Import Program.Tactics.\nProgram Definition mine (n : nat) : { m : nat | m + 0 = n } := n.\nNext Obligation. Admitted.\n${HONEST}`,
      innocent: `Require Import Program.Tactics.\nProgram Definition mine (n : nat) : { m : nat | m = n } := n.\n${HONEST}`,
    },
  ],
  [
    'a term that was not checked',
    'does-not-compile',
    {
      cheat: `${STATEMENT}\nProof. exact_no_check (fun n : nat => I). Qed.\n`,
      innocent: `${STATEMENT}\nProof. exact_no_check (fun n : nat => eq_sym (plus_n_O n)). Qed.\n`,
    },
  ],
  [
    'a computation that was not checked',
    'does-not-compile',
    {
      target: 'Theorem t : 2 + 2 = 4.\nAdmitted.\n',
      cheat: 'Theorem t : 2 + 2 = 4.\nProof. vm_cast_no_check (eq_refl 5). Qed.\n',
      innocent: 'Theorem t : 2 + 2 = 4.\nProof. vm_cast_no_check (eq_refl 4). Qed.\n',
    },
  ],
  [
    'a proof by itself',
    'does-not-compile',
    {
      cheat: `${STATEMENT}\nProof. fix self 1. exact self. Qed.\n`,
      innocent: `${STATEMENT}\nProof. fix self 1. destruct n; simpl; [reflexivity | now rewrite (self n)]. Qed.\n`,
    },
  ],
  [
    'Axiom',
    'new-axiom',
    {
      cheat: `Axiom ax : forall n, n + 0 = n.\n${STATEMENT}\nProof. exact ax. Qed.\n`,
      innocent: `Definition ax := forall n, n + 0 = n.\n${HONEST}`,
    },
  ],
  [
    'Parameter behind an attribute',
    'new-axiom',
    {
      cheat: `#[local] Parameter ax : forall n, n + 0 = n.\n${STATEMENT}\nProof. exact ax. Qed.\n`,
      innocent: `#[local] Definition ax := 0.\n${HONEST}`,
    },
  ],
  [
    'Hypothesis outside a section',
    'new-axiom',
    {
      cheat: `Hypothesis h : forall n, n + 0 = n.\n${STATEMENT}\nProof. exact h. Qed.\n`,
      innocent: `Section S. Hypothesis h : forall n, n + 0 = n. Lemma mine : 5 + 0 = 5. Proof. apply h. Qed. End S.\n${HONEST}`,
    },
  ],
  [
    'Context outside a section',
    'new-axiom',
    {
      cheat: `Context (h : forall n, n + 0 = n).\n${STATEMENT}\nProof. exact h. Qed.\n`,
      innocent: `Section S. Context (h : nat). Definition mine := h. End S.\n${HONEST}`,
    },
  ],
  [
    'an axiom of a library that the target does not use',
    'new-axiom',
    {
      cheat: `Require Import Classical.\n${STATEMENT}\nProof. intros n. destruct (classic (n + 0 = n)) as [e|e]; [exact e|]. exfalso. apply e. clear e. induction n; [reflexivity|simpl; congruence]. Qed.\n`,
      innocent: `Require Import Classical.\n${HONEST}`,
    },
  ],

  [
    'the theorem renamed',
    'missing',
    {
      cheat: `Theorem add_zero_too : forall n : nat, n + 0 = n.\n${PROOF}\n`,
      innocent: `${HONEST}Theorem add_zero_too : forall n : nat, n + 0 = n.\nProof. exact add_zero. Qed.\n`,
    },
  ],
  [
    'the theorem inside a comment with a string',
    'missing',
    {
      cheat: `(* " *) " ${HONEST} *)\nDefinition nothing := 0.\n`,
      innocent: `(* " *) " *)\n${HONEST}`,
    },
  ],
  [
    'the theorem under Fail',
    'missing',
    {
      cheat: `Fail Definition add_zero : forall n : nat, n + 0 = n := 0.\n`,
      innocent: `Fail Definition add_zero : forall n : nat, n + 0 = n := 0.\n${HONEST}`,
    },
  ],
]);
