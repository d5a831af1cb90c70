/** What statements say whose notations or properties hide it. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readStatement } from './hidden-equations.ts';
import { readTerm } from './term-reader.ts';
import type { Term } from './term.ts';

function shown({ symbol, children }: Term): string {
  return children.length === 0 ? symbol : `(${[symbol, ...children.map(shown)].join(' ')})`;
}

function shownOf(statement: string): string {
  return shown(readTerm(statement));
}

it.each([
  ['rev s =i s', '(forall x (= (\\in x (rev s)) (\\in x s)))'],
  ['forall x, mem x =1 mem t', '(forall x (forall x0 (= (mem x x0) (mem t x0))))'],
  ['f =2 g', '(forall x y (= (f x y) (g x y)))'],
  ['{in D, f =1 g}', '(forall x (= (f x) (g x)))'],
  ['{in s, forall x, P x}', '(forall x (-> (\\in x s) (P x)))'],
  ['{in D & E, forall x y, x = y}', '(forall x y (-> (\\in x D) (= x y)))'],
  ['{in D &, injective f}', '(forall x y (-> (= (f x) (f y)) (= x y)))'],
  ['{morph rev : x y / x ++ y >-> y ++ x}', '(forall x y (= (rev (++ x y)) (++ (rev y) (rev x))))'],
  ['{morph f : x / - x}', '(forall x (= (f (- x)) (- (f x))))'],
  ['{homo f : x y / x <= y}', '(forall x y (-> (<= x y) (<= (f x) (f y))))'],
  ['{mono f : x y / x <= y >-> y <= x}', '(forall x y (= (<= (f y) (f x)) (<= x y)))'],
  [
    '{homo (fun x : R => x ^+ n) : x y / x <= y}',
    shownOf('forall x y, x <= y -> (fun x : R => x ^+ n) x <= (fun x : R => x ^+ n) y'),
  ],
  ["{morph f$& : x'\n y / x' + y}", shownOf("forall x' y, f$& (x' + y) = (f$& x') + (f$& y)")],
  ['involutive (rev (T:=T))', '(forall x (= (rev (rev x)) x))'],
  ['forall n, cancel (addn n) (subn n)', '(forall n (forall x (= (subn n (addn n x)) x)))'],
  ['commutative addn', '(forall x y (= (+ x y) (+ y x)))'],
  ['left_id 0 addn', '(forall x (= (+ 0 x) x))'],
])('%s', (statement, said) => {
  expect(shown(readStatement(statement))).toBe(said);
});

it('what hides nothing stays as it is written', () => {
  expect(shown(readStatement('forall n, n = 1'))).toBe('(forall n (= n 1))');
  expect(shown(readStatement('commutative'))).toBe('commutative');
});

it('whatever stands in braces is read', () => {
  const parts = [
    '{mono ',
    '{morph ',
    '{in ',
    'fun x',
    ' : ',
    ' / ',
    ' >-> ',
    'f',
    'x',
    ' y',
    '(',
    ')',
    '*',
    '[',
    '$&',
    ',',
    '}',
    '=i',
  ];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 20 }), (words) => {
      readStatement(words.join(''));
    }),
  );
});
