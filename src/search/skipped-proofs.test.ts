import { expect, it } from 'vitest';
import { outlineOf } from '../provers/rocq/syntax/outline.ts';
import { skippedBefore } from './skipped-proofs.ts';

const TEXT = `Section Closed.
Variable A : Type.
Lemma generalised (x : A) : x = x.
Proof. reflexivity. Qed.
Lemma declared (x : A) : x = x.
Proof using A. reflexivity. Qed.
End Closed.
Section Open.
Variable B : Type.
Lemma plain (x : B) : x = x.
Proof. reflexivity. Qed.
Lemma value : nat.
Proof. exact 0. Defined.
Lemma open_one : True.
Proof. Admitted.
Lemma with_command : True.
Proof. Hint Resolve plain : core. exact I. Qed.
#[local] Lemma attributed : True.
Proof. exact I. Qed.
Let kept : True.
Proof. exact I. Qed.
Lemma hole : True.
Admitted.
End Open.
`;

it('leaves out proofs that nothing behind them looks into', () => {
  const outline = outlineOf(TEXT);
  const hole = outline.statements.find(({ name }) => name === 'hole');
  if (hole === undefined) throw new Error('There is no hole.');
  const mayBeSkipped = skippedBefore(outline, hole);
  expect(outline.statements.filter(mayBeSkipped).map(({ name }) => name)).toEqual(['declared', 'plain']);
});
