import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { headOf, sameTerm, splitArrows, subterms, withoutParentheses, type Term } from './term.ts';
import { readTerm } from './term-reader.ts';

function show(term: Term): string {
  return term.children.length === 0 ? term.symbol : `${term.symbol}(${term.children.map(show).join(' ')})`;
}

describe('readTerm', () => {
  it.each([
    ['n + m = S n', '=(+(n m) S(n))'],
    ['length (map f (x :: l)) = 2 * length l', '=(length(map(f ::(x l))) *(2 length(l)))'],
    ['A -> B -> C', '->(A ->(B C))'],
    ['A /\\ B \\/ C', '\\/(/\\(A B) C)'],
    ['~ a < b', '~(<(a b))'],
    ['(r ;; s) x y', '@(;;(r s) x y)'],
    ['⦗d⦘ ⨾ r', '⨾(⦗(d) r)'],
    ['if a =? b then x else y', 'if(=?(a b) x y)'],
    ['∃ x, x.1 = y ∧ ¬ P x', '∃(x ∧(=(.1(x) y) ¬(P(x))))'],
    ['f x.1 (g y)', 'f(.1(x) g(y))'],
    ['l !! i = Some x', '=(!!(l i) Some(x))'],
    ['x \\in A :&: B', '\\in(x :&:(A B))'],
    ['fun x => x + 1', 'fun(x +(x 1))'],
    ['forall (n : nat) l, P n l', 'forall(:(n nat) l P(n l))'],
  ])('reads %s', (text, expected) => {
    expect(show(readTerm(text))).toBe(expected);
  });

  it('puts the scrutinee of a match first', () => {
    const term = readTerm('match l !! i with | Some x => x | None => 0 end = 3');
    const match = [...subterms(term)].find(({ symbol }) => symbol === 'match');
    expect(match?.children[0] && show(match.children[0])).toBe('!!(l i)');
  });

  it('reads any text without throwing, and every part lies inside it', () => {
    const piece = fc.constantFrom(
      'forall',
      'x',
      '(',
      ')',
      '[',
      '->',
      ',',
      ':',
      'match',
      'with',
      '|',
      '=>',
      'end',
      ' ',
      '"',
      '∃',
      '.1',
      '%nat',
      '\\in',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.array(piece).map((pieces) => pieces.join(' ')),
        ),
        (text) => {
          for (const { start, end } of subterms(readTerm(text)))
            if (start < 0 || start > end || end > text.length) return false;
          return true;
        },
      ),
    );
  });

  it('reads application and infix the same through any number of brackets', () => {
    const atom = fc.constantFrom('a', 'b', 'f', 'S');
    const { term } = fc.letrec<{ term: string }>((tie) => ({
      term: fc.oneof(
        { maxDepth: 4 },
        atom,
        fc.tuple(atom, tie('term')).map(([head, operand]) => `${head} (${operand})`),
        fc
          .tuple(tie('term'), fc.constantFrom('+', '=', '::'), tie('term'))
          .map(([left, operator, right]) => `(${left}) ${operator} (${right})`),
      ),
    }));
    fc.assert(fc.property(term, (text) => sameTerm(readTerm(text), readTerm(`((${text}))`))));
  });
});

describe('splitArrows', () => {
  it('finds what is bound, assumed and concluded', () => {
    const { bound, premises, conclusion } = splitArrows(
      readTerm('forall (n m : nat) l, n < m -> P l -> Q n'),
    );
    expect(bound).toEqual(['n', 'm', 'l']);
    expect(premises.map(show)).toEqual(['<(n m)', 'P(l)']);
    expect(show(conclusion)).toBe('Q(n)');
  });
});

it.each([
  ['(a + b)', 'a + b'],
  ['(a) + (b)', '(a) + (b)'],
  ['((a))', '(a)'],
  ['a', 'a'],
])('without the parentheses around it, %s is %s', (text, expected) => {
  expect(withoutParentheses(text)).toBe(expected);
});

it.each([
  ['(r ;; s) x y', ';;'],
  ['r x y', 'r'],
  ['((f x) y) z', 'f'],
])('in front of %s stands %s', (text, head) => {
  expect(headOf(readTerm(text))).toBe(head);
});
