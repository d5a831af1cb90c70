import { expect, it } from 'vitest';
import { attemptsIn, supersededIn } from './attempts.ts';
import { outlineOf } from './outline.ts';

it.each([
  ['Lemma x : 1 = 1. Abort. Lemma x : 1 = 1. reflexivity. Qed.', ['x 0']],
  [
    'Lemma x : 1 = 1. Abort. Theorem x : (* again *) 1\n= 1. Proof. Abort All. Lemma x : 1 = 1. Admitted.',
    ['x 0', 'x 2'],
  ],
  ['Lemma x : 1 = 1. Abort. Lemma x : 1 = 1. Abort.', ['x 0']],
  ['Goal True. Abort. Goal True. exact I. Qed.', ['Goal 0']],
  ['Lemma x : 1 = 1. Abort. Lemma y : 1 = 1. reflexivity. Qed.', []],
  ['Lemma x : 1 = 2. Abort. Lemma x : 1 = 1. reflexivity. Qed.', []],
  ['Lemma x : 1 = 1. reflexivity. Qed. Module M. Lemma x : 1 = 1. Abort. End M.', []],
  ['Section s. Lemma x : 1 = 1. Abort. End s. Section s. Lemma x : 1 = 1. reflexivity. Qed. End s.', []],
  ['Goal True. Abort. Goal 1 = 1. reflexivity. Qed.', []],
  ['Program Definition f := (_, _) : nat * nat. Obligation 1. Abort. Obligation 2. exact 1. Qed.', []],
  ['Obligation 1 of f. Abort. Obligation 2 of f. exact 1. Qed.', []],
  ['Obligation 1 of f. Abort. Obligation 1 of f. exact 1. Qed.', ['f 0']],
  ['Lemma x : 1 = 1. Admitted. Lemma x : 1 = 1. reflexivity. Qed.', []],
])('%s', (text, wanted) => {
  const found = [...attemptsIn(outlineOf(text))].map(
    ({ name, keyword, sentence }) => `${name ?? keyword} ${sentence}`,
  );
  expect(found.toSorted()).toEqual(wanted);
});

it.each([
  ['Lemma x : 1 = 2. Abort. Lemma x : 1 = 1. reflexivity. Qed.', ['x 0 by 2']],
  ['Module M. Lemma x : 1 = 2. Abort. Lemma x : 1 = 1. Admitted. End M.', ['x 1 by 3']],
  ['Lemma x : 1 = 2. Abort. Lemma x : 1 = 1. Abort.', ['x 0 by 2']],
  ['Lemma x : 1 = 2. Abort. Definition y := 1. Definition x := 1.', ['x 0 by 3']],
  ['Lemma x : 1 = 2. Abort. Axiom x : 1 = 1.', ['x 0 by 2']],
  ['Lemma x : 1 = 1. Abort. Lemma x : 1 = 1. reflexivity. Qed.', []],
  [
    'Module M. Lemma x : 1 = 2. Abort. End M. Lemma x : 1 = 1. Admitted. Module N. Definition x := 1. End N.',
    [],
  ],
  ['Definition x := 1. Module M. Lemma x : 1 = 2. Abort. End M.', []],
  ['Lemma x : 1 = 2. Admitted. Lemma y : 1 = 1. Admitted.', []],
])('superseded: %s', (text, wanted) => {
  const found = [...supersededIn(outlineOf(text))].map(
    ([{ name, keyword, sentence }, by]) => `${name ?? keyword} ${sentence} by ${by}`,
  );
  expect(found).toEqual(wanted);
});
