/** What is written in the notation of attacks is the term that is meant. */
import { expect, it } from 'vitest';
import { parseTerm, parseType } from './term-notation.ts';
import {
  and,
  apply,
  bool,
  bound,
  constant,
  equal,
  exists,
  F,
  forall,
  free,
  fun,
  implies,
  ind,
  lambda,
  not,
  operator,
  or,
  T,
  tyvar,
} from './trace-writer.ts';

const a = tyvar("'a");
const [p, q, x] = [free('p'), free('q'), free('x', a)];

it.each([
  ['p /\\ q ==> ~p \\/ T', implies(and(p, q), or(not(p), T))],
  ["!x:'a. x = x", forall(x, equal(x, x, a))],
  ["!x:'a. x = x:bool", forall(x, equal(x, free('x'), a))],
  ['?p. \\q. p', exists(p, lambda(q, p))],
  ['~(p = F) q', not(apply(equal(p, F), q))],
  ['(min$=:(bool -> ind -> bool)) p', apply(constant('min$=', fun(bool, ind, bool)), p)],
  ["mine$c:(mine$t('a, ind)) #3", apply(constant('mine$c', operator('mine$t', a, ind)), bound(3))],
  ['"a name" = p', equal(free('a name'), p)],
  ['bool$/\\:bool', constant('bool$/\\', bool)],
])('%s', (text, term) => {
  expect(parseTerm(text)).toEqual(term);
});

it("functions associate to the right: 'a -> bool -> ind", () => {
  expect(parseType("'a -> bool -> ind")).toEqual(fun(a, bool, ind));
  expect(parseType("('a -> bool) -> ind")).toEqual(fun(fun(a, bool), ind));
});

it.each(['', 'p =', '(p', '!x p', 'p )', '!x:. p'])('%s is no term', (text) => {
  expect(() => parseTerm(text)).toThrow(/cannot be read|no term/);
});
