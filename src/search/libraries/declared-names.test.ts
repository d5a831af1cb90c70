import { describe, expect, it } from 'vitest';
import { declaredNames } from './declared-names.ts';

describe('declaredNames', () => {
  it.each([
    ['Axiom excluded : forall P, P \\/ ~ P.', ['excluded']],
    ['Parameters (f g : nat -> nat) (c : nat).', ['f', 'g', 'c']],
    ['Hypothesis Hf : forall x, f x = x.', []],
    [
      'Inductive even : nat -> Prop :=\n  | even_0 : even 0\n  | even_SS n (H : even n) : even (S (S n)).',
      ['even_0', 'even_SS'],
    ],
    [
      'Inductive le (n : nat) : nat -> Prop := le_n : le n n | le_S : forall m, le n m -> le n (S m).',
      ['le_n', 'le_S'],
    ],
    [
      'CoInductive same : stream -> stream -> Prop := same_cons n s t : same s t -> same (c n s) (c n t).',
      ['same_cons'],
    ],
    [
      'Record well_formed : Prop := {\n  irr : forall x, ~ r x x; (* a; b *)\n  seq : r ;; s <<= t;\n  fst : { x | r x x } }.',
      ['irr', 'seq', 'fst'],
    ],
    [
      '#[global] Class Monoid (A : Type) := Build { op : A -> A -> A; assoc : forall x y z, op x (op y z) = op (op x y) z }.',
      ['op', 'assoc'],
    ],
    ['Inductive tree := leaf | node (l r : tree).', []],
    ['Definition d : nat := 0.', []],
    ['Lemma l : True.', []],
  ])('%s', (sentence, names) => {
    expect(declaredNames(sentence)).toEqual(names);
  });
});
