import { expect, it } from 'vitest';
import { assumptionHead } from './assumption-head.ts';

it.each([
  ['Axiom a : P.', ['a']],
  ['Axioms a b : P.', ['a', 'b']],
  ['#[local] Polymorphic Axioms a b@{u v} : Type@{u}.', ['a', 'b']],
  ["Parameters (a b' : nat) (c :> d).", ['a', "b'", 'c']],
  ['Parameter Inline(10) x y : nat.', ['x', 'y']],
  ['Parameter Inline : nat.', ['Inline']],
  ['Time (* Axiom no *) Conjecture c : forall x : nat, x = x.', ['c']],
  ['Profile Conjecture c : P.', ['c']],
  ['Profile "file" Local Conjecture c : P.', ['c']],
  ['Parameters (a@{u v | u <= v} : P) (b@{u} : Q).', ['a', 'b']],
  ['Declare Module Import M : T.', ['M']],
  [
    'Context {A : Type} `{Foo A} `{x : Bar A} (y := 1) (f : forall z : A, z = z) b.',
    ['A', 'x', 'y', 'f', 'b'],
  ],
  ['Hypotheses (h : P) (h1 h2 : Q).', ['h', 'h1', 'h2']],
])('%s', (sentence, names) => {
  expect(assumptionHead(sentence)?.names).toEqual(names);
});

it.each([
  'Definition a : P := p.',
  'Fail Axiom a : P.',
  'Profile Fail Axiom a : P.',
  'Declare Scope s.',
  'Lemma Axiom : P.',
  '.',
])('%s assumes nothing', (sentence) => {
  expect(assumptionHead(sentence)).toBeUndefined();
});
