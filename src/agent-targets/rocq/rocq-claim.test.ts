/** The normal form of a printed statement: variables by their depth, everything else as it is. */
import { expect, test } from 'vitest';
import { withNumberedBinders } from './rocq-claim.ts';

const formOf = (term: string): string => withNumberedBinders(term).text;

test.each([
  ['variables', 'forall n m : nat, @eq nat (Nat.add n m) n', 'forall a b : nat, @eq nat (Nat.add a b) a'],
  [
    'groups',
    'forall (n : nat) (P : forall _ : nat, Prop), P n',
    'forall (k : nat) (Q : forall _ : nat, Prop), Q k',
  ],
  [
    'a type with binders of its own before the comma',
    'forall _ : forall x : nat, @eq nat x x, True',
    'forall H : forall y : nat, @eq nat y y, True',
  ],
  [
    'functions in types, and the same name bound twice',
    'forall (n : nat) (_ : @ex nat (fun n : nat => @eq nat n n)), @eq nat n n',
    'forall (m : nat) (_ : @ex nat (fun k : nat => @eq nat k k)), @eq nat m m',
  ],
  [
    'arms of a match between a binder and its separator',
    'forall (n : nat) (_ : match n with | O => True | S _ => False end), @eq nat n O',
    'forall (q : nat) (_ : match q with | O => True | S _ => False end), @eq nat q O',
  ],
])('%s are the same under other names', (_, one, other) => {
  expect(formOf(one)).toBe(formOf(other));
  expect(withNumberedBinders(one).free).toEqual(withNumberedBinders(other).free);
});

test.each([
  ['which variable', 'forall n m : nat, P n m', 'forall n m : nat, P m n'],
  ['bound or not', 'forall n : nat, P n', 'forall m : nat, P n'],
  ['outside of a scope', '(forall n : nat, P n) n', '(forall m : nat, P m) m'],
  [
    'outside of an arm',
    'match k with | O => fun n : nat => n | S _ => fun _ : nat => n end',
    'match k with | O => fun m : nat => m | S _ => fun _ : nat => m end',
  ],
  ['a variable in its own type', 'forall n : T n, P n', 'forall m : T m, P m'],
  ['what is bound further out', 'forall (n : nat) (n : nat), P n', 'forall (m : nat) (n : nat), P m'],
])('%s makes a difference', (_, one, other) => {
  const [first, second] = [withNumberedBinders(one), withNumberedBinders(other)];
  expect([first.text, [...first.free]]).not.toEqual([second.text, [...second.free]]);
});
