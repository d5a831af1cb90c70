import { expect, it } from 'vitest';
import { readTerm } from '../../provers/rocq/goals/term-reader.ts';
import { accumulatingArguments } from './accumulating-arguments.ts';

it.each([
  [
    'fix onto (A : Type) (l acc : list A) {struct l} : list A :=\n  match l with\n  | [] => acc\n  | x :: r => onto A r (x :: acc)\n  end',
    [0],
  ],
  [
    'fix count (n : nat) (t : tree) {struct t} : nat := match t with leaf => n | node l r => count (S (count n l)) r end',
    [1],
  ],
  ['fix add (n m : nat) {struct n} : nat := match n with 0 => m | S p => S (add p m) end', []],
  ['fix half (n : nat) : nat := match n with S (S p) => S (half p) | _ => 0 end', []],
  ['fun l : list nat => onto l 0', []],
])('%s', (body, places) => {
  expect(accumulatingArguments(readTerm(body))).toEqual(places);
});
