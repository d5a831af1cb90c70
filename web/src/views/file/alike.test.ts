import { expect, it } from 'vitest';
import { orderText, piecesOf, sharesAny, symbolsOf, whyAlike } from './alike.ts';

const GOAL = 'count x (rev l ++ [y]) <= count x l + 1';
const SYMBOLS = symbolsOf(GOAL, new Set(['x', 'l', 'y']));

it('symbols of a goal are its names and operators, without its variables and what every statement has', () => {
  expect(SYMBOLS).toEqual(['count', 'rev', '++', '<=', '+']);
  expect(symbolsOf('forall (a b : nat), a = b -> exists k, List.rev k = k', new Set())).toEqual([
    'nat',
    'List.rev',
  ]);
  expect(symbolsOf('x = y', new Set(['x', 'y']))).toEqual([]);
});

it('what is shared is marked, operators too, and no part of a longer one', () => {
  const marked = piecesOf('count_rev : count x (rev l) +++ 1 + 2', new Set(SYMBOLS));
  expect(marked.filter(({ isShared }) => isShared).map(({ text }) => text)).toEqual(['count', 'rev', '+']);
  expect(marked.map(({ text }) => text).join('')).toBe('count_rev : count x (rev l) +++ 1 + 2');
});

it('says in a sentence what a statement and its proof share', () => {
  const all = 'Lemma a x l : count x (rev l ++ l) <= count x l + 0.';
  expect(whyAlike({ statement: all, proof: '' }, SYMBOLS)).toBe(
    'Its statement has every symbol of the goal: count, rev, ++, <=, +.',
  );
  expect(whyAlike({ statement: 'Lemma b : count 0 l + 0 = 0.', proof: 'rewrite rev.' }, SYMBOLS)).toBe(
    'Its statement shares count, + with the goal (2 of 5 symbols); its proof uses rev.',
  );
  expect(whyAlike({ statement: 'Lemma c : True.', proof: 'exact I.' }, SYMBOLS)).toBe(
    'Its statement shares no symbol with the goal.',
  );
  expect(whyAlike({ statement: 'Lemma c : True.', proof: '' }, [])).toContain('no symbol of its own');
});

it('a proof that uses a symbol of the goal shares it', () => {
  expect(sharesAny({ statement: 'Lemma b : True.', proof: 'rewrite rev.' }, SYMBOLS)).toBe(true);
  expect(sharesAny({ statement: 'Lemma b : True.', proof: 'exact I.' }, SYMBOLS)).toBe(false);
});

it('the order is told in words, for each ranker and for one that is not known', () => {
  expect(orderText('tf-idf: TF-IDF over the symbols of goals; from 0 to 1')).toBe(
    'A proof stands higher the more symbols its statement shares with the goal, rare symbols counting more.',
  );
  expect(orderText('jaccard-feedback: nearness; about 1')).toContain('most like the goal');
  expect(orderText('new: something')).toBe('Ordered by new: something.');
});
