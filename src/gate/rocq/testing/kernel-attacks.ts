/** The kernel is told to look less closely, or to trust more. */
import { type Attack, attacksOn, HONEST, STATEMENT, TARGET } from './attack.ts';

export const KERNEL_ATTACKS: readonly Attack[] = attacksOn('kernel flags', [
  [
    'the guard check off',
    'checks-disabled',
    {
      cheat: `Unset Guard Checking.\nFixpoint loop (n : nat) : False := loop n.\n${STATEMENT}\nProof. destruct (loop 0). Qed.\n`,
      innocent: `Unset Printing Notations.\n${HONEST}`,
    },
  ],
  [
    'the positivity check off',
    'checks-disabled',
    {
      cheat: `Unset Positivity Checking.\nInductive bad := mk (f : bad -> False).\n${STATEMENT}\nProof. assert (k : bad -> False) by (intros [f]; exact (f (mk f))). destruct (k (mk k)). Qed.\n`,
      innocent: `Inductive good := mk (f : False -> good).\n${HONEST}`,
    },
  ],
  [
    'the universe check off',
    'checks-disabled',
    {
      cheat: `Unset Universe Checking.\n${HONEST}`,
      innocent: `Set Printing Universes.\n${HONEST}`,
    },
  ],
  [
    'a bypassing attribute',
    'checks-disabled',
    {
      cheat: `#[bypass_check(guard)] Fixpoint loop (n : nat) : False := loop n.\n${STATEMENT}\nProof. destruct (loop 0). Qed.\n`,
      innocent: `#[local] Fixpoint loop (n : nat) : nat := match n with 0 => 0 | S k => loop k end.\n${HONEST}`,
    },
  ],
  [
    'a check that the target turns off, used elsewhere',
    'checks-disabled',
    {
      target: `Unset Guard Checking.\nFixpoint odd_one (n : nat) : nat := odd_one n.\nSet Guard Checking.\n${TARGET}`,
      cheat: `Unset Guard Checking.\nFixpoint odd_one (n : nat) : nat := odd_one n.\nFixpoint loop (n : nat) : False := loop n.\nSet Guard Checking.\n${STATEMENT}\nProof. destruct (loop 0). Qed.\n`,
      innocent: `Unset Guard Checking.\nFixpoint odd_one (n : nat) : nat := odd_one n.\nSet Guard Checking.\n${HONEST}`,
    },
  ],
  [
    'the guard check off behind other words',
    'checks-disabled',
    {
      cheat: `Time #[local] Unset Guard Checking.\nFixpoint loop (n : nat) : False := loop n.\n${STATEMENT}\nProof. destruct (loop 0). Qed.\n`,
      innocent: `Time #[local] Set Printing All.\n${HONEST}`,
    },
  ],
  [
    'a bypassing attribute among others',
    'checks-disabled',
    {
      cheat: `#[local, bypass_check(positivity=yes)] Inductive bad := mk (f : bad -> False).\n${HONEST}`,
      innocent: `#[universes(polymorphic)] Inductive good := mk (f : False -> good).\n${HONEST}`,
    },
  ],
  [
    'universes not checked for one definition',
    'checks-disabled',
    {
      cheat: `#[bypass_check(universes)] Definition mine : Type@{Set} := Type.\n${HONEST}`,
      innocent: `Definition mine : Type := Set.\n${HONEST}`,
    },
  ],
  [
    'definitional proof irrelevance of equality',
    'forbidden-command',
    {
      cheat: `Set Definitional UIP.\n${HONEST}`,
      innocent: `Set Printing Universes.\nSet Printing Implicit.\n${HONEST}`,
    },
  ],
  [
    'a rewrite rule',
    'forbidden-command',
    {
      cheat: `Symbol odd : nat.\nRewrite Rule r := odd => S odd.\n${HONEST}`,
      innocent: `Hint Rewrite <- plus_n_O : mine.\n${HONEST}`,
    },
  ],
  [
    'a primitive declared',
    'forbidden-command',
    {
      cheat: `Primitive int := #int63_type.\n${HONEST}`,
      innocent: `Require Import PrimInt63.\n${HONEST}`,
    },
  ],
  [
    'native computation',
    'native-code',
    {
      needs: ['native compiler'],
      target: 'Theorem t : 2 + 2 = 4.\nAdmitted.\n',
      cheat: 'Theorem t : 2 + 2 = 4.\nProof. native_compute. reflexivity. Qed.\n',
      innocent: 'Theorem t : 2 + 2 = 4.\nProof. vm_compute. reflexivity. Qed.\n',
    },
  ],
  [
    'native computation in the notation for casts',
    'native-code',
    {
      needs: ['native compiler'],
      target: 'Theorem t : 2 + 2 = 4.\nAdmitted.\n',
      cheat: 'Theorem t : 2 + 2 = 4.\nProof. native_cast_no_check (eq_refl 4). Qed.\n',
      innocent: 'Theorem t : 2 + 2 = 4.\nProof. exact (eq_refl 4 <: 2 + 2 = 4). Qed.\n',
    },
  ],
  [
    'the virtual machine where it is not allowed',
    'native-code',
    {
      policy: { flags: [] },
      target: 'Theorem t : 2 + 2 = 4.\nAdmitted.\n',
      cheat: 'Theorem t : 2 + 2 = 4.\nProof. vm_compute. reflexivity. Qed.\n',
      innocent: 'Theorem t : 2 + 2 = 4.\nProof. compute. reflexivity. Qed.\n',
    },
  ],
  [
    'an unguarded fixpoint where only positivity may be off',
    'checks-disabled',
    {
      policy: { flags: ['unchecked-positivity'] },
      cheat: `Unset Guard Checking.\nFixpoint loop (n : nat) : False := loop n.\n${STATEMENT}\nProof. destruct (loop 0). Qed.\n`,
      innocent: `#[bypass_check(positivity)] Inductive bad := mk (f : bad -> False).\n${HONEST}`,
    },
  ],
]);
