import fc from 'fast-check';
import { expect, it } from 'vitest';
import { recursionDepth, ruleDepth } from './recursion-depth.ts';

it.each([
  [1, 'fix double (n : nat) : nat := match n with | 0 => 0 | S m => S (S (double m)) end'],
  [2, 'fix half (n : nat) : nat := match n with\n | S (S m) => S (half m)\n | _ => 0\n end'],
  [3, 'fix third (n : nat) : nat := match n with | S (S (S m)) => S (third m) | _ => 0 end'],
  [2, 'fix fib (n : nat) : nat := match n with | 0 => 0 | 1 => 1 | S (S k as m) => fib m + fib k end'],
  [
    2,
    'fix pairs (A : Type) (l : list A) {struct l} : list (A * A) := match l with | [] => [] | [a] => [] | a :: b :: t => (a, b) :: pairs A t end',
  ],
  [
    2,
    'fix g (n : nat) : nat := match n with | 0 => 0 | S m => if b then match m with | 0 => 1 | S k => g k end else 0 end',
  ],
  [
    1,
    'fix g (n : nat) : nat := match n with | 0 => 0 | S m => match m with | 0 => 1 | S k => k end + g m end',
  ],
  [2, 'fix add2 (n m : nat) : nat := match n, m with | S (S a), S b => add2 a b | _, _ => 0 end'],
  [
    2,
    'fix even (n : nat) : bool := match n with | 0 => true | S m => odd m end with odd (n : nat) : bool := match n with | 0 => false | S m => even m end for even',
  ],
  [
    1,
    'fix add (x y : positive) {struct x} : positive := match x with | (p~1)%positive => match y with | (q~1)%positive => (add_carry p q)~0 | 1%positive => p~0 end | (p~0)%positive => add p p end with add_carry (x y : positive) {struct x} : positive := match x with | (p~1)%positive => (add_carry p p)~1 | 1%positive => x end for add',
  ],
  [1, 'fix any (b : bool) (n : nat) : bool := match n with | 0 => b || b | S m => b || any b m end'],
  [0, 'match n with | S (S m) => half m | _ => 0 end'],
  [0, 'fix f (n : nat) : nat := g n'],
])('is %i for %s', (depth, body) => {
  expect(recursionDepth(body)).toBe(depth);
});

it('takes any text', () => {
  const piece = fc.constantFrom(
    'fix f ',
    ':=',
    'match ',
    'n',
    ' with ',
    '|',
    '=>',
    ' S ',
    '(',
    ')',
    ' end',
    ',',
    ' f ',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      expect(recursionDepth(`fix f${pieces.join('')}`)).toBeGreaterThanOrEqual(0);
    }),
  );
});

it.each([
  [
    2,
    'ev',
    'Inductive ev : nat -> Prop :=\n    ev_0 : ev 0 | ev_SS : forall n : nat, ev n -> ev (S (S n)).\n\nArguments ev _%nat_scope',
  ],
  [
    1,
    'sorted',
    'Inductive sorted : list nat -> Prop :=\n    sorted_nil : sorted []\n  | sorted_cons : forall (x : nat) (l : list nat), sorted l -> sorted (x :: l).',
  ],
  [
    0,
    'star',
    'Inductive star (A : Type) (R : A -> A -> Prop) : A -> A -> Prop :=\n    star_refl : forall x : A, star R x x\n  | star_step : forall x y z : A, R x y -> star R y z -> star R x z.',
  ],
  [0, 'any', 'Inductive any : Prop :='],
])('a rule adds %i constructors: %s', (depth, predicate, printed) => {
  expect(ruleDepth(printed, predicate)).toBe(depth);
});
