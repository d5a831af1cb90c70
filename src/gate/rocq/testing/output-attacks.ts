/** What the prover prints is made to say what nobody checked. */
import { type Attack, attacksOn, HONEST, STATEMENT } from './attack.ts';

export const OUTPUT_ATTACKS: readonly Attack[] = attacksOn('output', [
  [
    'an axiom hidden behind printed words',
    'new-axiom',
    {
      cheat: `Require Import Classical.\nNotation "'Closed' 'under' 'the' 'global' 'context'" := True.\nLtac done_honestly := idtac "Closed under the global context".\n${STATEMENT}\nProof. done_honestly. intros n. destruct (classic (n + 0 = n)) as [e|e]; [exact e|]. exfalso. apply e. clear e. induction n; [reflexivity|simpl; congruence]. Qed.\n`,
      innocent: `Ltac done_honestly := idtac "Axioms:"; idtac "ax : False".\n${STATEMENT}\nProof. done_honestly. induction n; simpl; congruence. Qed.\n`,
    },
  ],
  [
    'an axiom under a forged answer',
    'new-axiom',
    {
      cheat: `Axiom ax : forall n, n + 0 = n.\nLtac lie := idtac "Closed under the global context".\n${STATEMENT}\nProof. lie. exact ax. Qed.\n`,
      innocent: `${STATEMENT}\nProof. idtac "Closed under the global context". induction n; simpl; congruence. Qed.\n`,
    },
  ],
  [
    'a forged answer instead of a proof',
    'admitted',
    {
      cheat: `${STATEMENT}\nProof. idtac "Closed under the global context". Admitted.\n`,
      innocent: `${STATEMENT}\nProof. idtac "Axioms: add_zero : False". induction n; simpl; congruence. Qed.\n`,
    },
  ],
  [
    'a name that an answer could hold',
    'new-axiom',
    {
      cheat: `Require Import Classical.\nDefinition Closed := classic.\n${STATEMENT}\nProof. intros n. destruct (Closed (n + 0 = n)) as [e|e]; [exact e|]. exfalso. apply e. clear e. induction n; simpl; congruence. Qed.\n`,
      innocent: `Definition Axioms := 0.\nDefinition Closed := 0.\n${HONEST}`,
    },
  ],
  [
    'printing narrowed and shortened',
    'new-axiom',
    {
      cheat: `#[global] Set Printing Width 2.\n#[global] Set Printing Depth 1.\nRequire Import Classical.\n${STATEMENT}\nProof. intros n. destruct (classic (n + 0 = n)) as [e|e]; [exact e|]. exfalso. apply e. clear e. induction n; simpl; congruence. Qed.\n`,
      innocent: `#[global] Set Printing Width 2.\n#[global] Set Printing Depth 1.\n${HONEST}`,
    },
  ],
  [
    'printing without end',
    'limit-exceeded',
    {
      limits: { output: 65_536 },
      cheat: `${STATEMENT}\nProof. do 20000 idtac "spam spam spam spam". induction n; simpl; congruence. Qed.\n`,
      innocent: `${STATEMENT}\nProof. do 20 idtac "spam". induction n; simpl; congruence. Qed.\n`,
    },
  ],
]);
