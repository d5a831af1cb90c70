import { expect, it } from 'vitest';
import { constructorsIn } from './constructors.ts';

it.each([
  ['Inductive day : Set :=  mon : day | tue : day.', ['mon', 'tue']],
  [
    'Inductive chain : Set :=\n    stop : chain | link : nat -> chain -> chain.\n\nArguments link n%nat_scope c',
    ['stop', 'link nat chain'],
  ],
  ['Inductive ev : nat -> Prop :=  ev_0 : ev 0.', []],
  ['Inductive box : Type :=  pack : forall A : Type, A -> box.', []],
  ['Inductive list (A : Type) : Type :=  nil : list A.', []],
])('%s', (printed, constructors) => {
  const shown = constructorsIn(printed).map(({ name, arguments: given }) =>
    [name, ...given.map(({ symbol }) => symbol)].join(' '),
  );
  expect(shown).toEqual(constructors);
});
