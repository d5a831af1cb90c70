import fc from 'fast-check';
import { expect, test } from 'vitest';
import { outlineOf } from '../../provers/rocq/syntax/outline.ts';
import { notationSymbols, unitsOf } from './rocq-declarations.ts';

test.each([
  ['Definition f (x : nat) := x.', 'definition', ['f']],
  ['#[global] Instance eq_f : Proper eq f := _.', 'definition', ['eq_f']],
  ['Inductive tree (A : Type) : Type := leaf | node (l r : tree A).', 'definition', ['tree', 'leaf', 'node']],
  [
    'Inductive even : nat -> Prop := E0 : even 0 with odd : nat -> Prop := O1 : odd 1.',
    'definition',
    ['even', 'E0', 'odd', 'O1'],
  ],
  ['Record point := Point { px : nat; py : nat }.', 'definition', ['point', 'Point', 'px', 'py']],
  ['Fixpoint ev n := true with od n := false.', 'definition', ['ev', 'od']],
  ['Variables (A B : Type) (f : A -> B).', 'variable', ['A', 'B', 'f']],
  ['Context {T : Type} `{Eq T}.', 'variable', ['T']],
  ['Axiom a b : False.', 'definition', ['a', 'b']],
  ['Notation "x +++ y" := (plus x y) (at level 50).', 'notation', []],
  ['Local Open Scope nat_scope.', 'command', []],
  ['Export Set.', 'command', []],
])('%s', (text, kind, names) => {
  expect(unitsOf(outlineOf(text))).toMatchObject([{ kind, names, lines: { first: 1, last: 1 } }]);
});

test('a statement has its comment before it and its proof, and nothing of the proof is a unit', () => {
  const text =
    '(* About it. *)\nLemma a : True.\nProof.\n  pose (Definition := 1).\n  exact I.\nQed.\n\nLemma b : True. Admitted.';
  expect(unitsOf(outlineOf(text))).toMatchObject([
    {
      names: ['a'],
      head: 'Lemma a : True.',
      text: text.slice(0, text.indexOf('\n\nLemma b')),
      lines: { first: 2, last: 6 },
    },
    { names: ['b'] },
  ]);
});

test('a notation is known by its symbols', () => {
  const symbols = (head: string) => notationSymbols({ head });
  expect(symbols('Notation "x +++ y" := (f x y).')).toEqual(['+++']);
  expect(symbols(`Notation "'sum' [ x | y ]" := (f x y).`)).toEqual(['[', '|', ']']);
  expect(symbols('Infix "<+>" := f.')).toEqual(['<+>']);
});

test('any text has units, in order', () => {
  const parts = fc.constantFrom(
    'Definition f := 1. ',
    'Lemma a : b. ',
    'Proof. ',
    'Qed. ',
    '(* c *)',
    '{',
    '}',
    '"',
    '|',
    ':= ',
    '. ',
    'x ',
  );
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 40 }), (some) => {
      const lines = unitsOf(outlineOf(some.join(''))).map(({ sentence }) => sentence);
      expect(lines).toEqual(lines.toSorted((one, other) => one - other));
    }),
  );
});
