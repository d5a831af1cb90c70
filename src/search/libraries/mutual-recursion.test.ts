import { expect, it } from 'vitest';
import { definedTogether, predicatesTogether } from './mutual-recursion.ts';

it('reads functions that are defined together, with the types that they go by', () => {
  const body = `fix size (t : tree A) : nat :=
  match t with
  | node _ f => S (fsize f)
  end
with fsize (f : forest
                  A) : nat :=
  match f with
  | fcons t r => size t + fsize r
  end
for
fsize`;
  expect(definedTogether(body)).toEqual([
    { name: 'size', argument: 't', type: 'tree A' },
    { name: 'fsize', argument: 'f', type: 'forest A' },
  ]);
});

it('reads none where a function stands alone', () => {
  expect(definedTogether('fix size (t : tree) : nat := match t with | leaf => 0 end')).toEqual([]);
  expect(definedTogether('S (fsize f)')).toEqual([]);
});

it('reads predicates that are defined together', () => {
  const printed = `Inductive even : nat -> Prop :=
    even_O : even 0 | even_S : forall n : nat, odd n -> even (S n)
  with odd : nat -> Prop :=  odd_S : forall n : nat, even n -> odd (S n).
Arguments even _%nat_scope`;
  expect(predicatesTogether(printed)).toEqual(['even', 'odd']);
});

it.each([
  ['a predicate that stands alone', 'Inductive ev : nat -> Prop :=  ev_0 : ev 0 .'],
  ['types', 'Inductive tree : Set :=  node : forest -> tree with forest : Set :=  fnil : forest.'],
])('reads none of %s', (_, printed) => {
  expect(predicatesTogether(printed)).toEqual([]);
});
