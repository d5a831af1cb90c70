import { expect, test } from 'vitest';
import { entryAt } from '../../../core/entry.ts';
import { lostWithProof } from './lost-with-proof.ts';
import { Script } from './script.ts';

const lost = (proof: string) => {
  const script = new Script({ path: 'a.v', text: `Theorem t : 1 = 1.\nProof.\n${proof}\nAdmitted.\n` });
  return lostWithProof(script, entryAt(script.outline.statements, 0, 'statement'));
};

test.each([
  'intros. Undo. auto.',
  'Restart.',
  'Set Printing All. Unset Printing Implicit.',
  'Time Search "add" (_ + _). Check t. Timeout 5 Show.',
  'Fail Definition x := y. Succeed exact I.',
  '{ all: auto. } - admit. + give_up.',
  '(* Notation "x" := 1. *) idtac "Ltac t := idtac.".',
])('nothing is lost with steps and with what leaves no trace: %s', (proof) => {
  expect(lost(proof)).toBeUndefined();
});

test.each([
  'Set Implicit Arguments.',
  'Unset Printing Notations. Set Default Proof Using "Type".',
  'Time Notation one := 1.',
  'Timeout 5 Ltac mine := idtac.',
  '#[local] Hint Resolve eq_refl : core.',
  'Definition x := 5.',
  'Opaque plus.',
  'Require Import Lia.',
])('what acts on what follows would be lost: %s', (proof) => {
  expect(lost(proof)?.message).toMatch(
    /^The proof of t in the file has more than tactics in it, from 3:\d+ on: /u,
  );
});

test('a long sentence is told by its beginning, at its place', () => {
  const told = lost(`  auto. Ltac long := ${'idtac; '.repeat(30)}idtac.`);
  expect(told?.position).toEqual({ line: 3, column: 8 });
  expect(told?.message).toContain(' … That would be lost with another proof in its place.');
});
