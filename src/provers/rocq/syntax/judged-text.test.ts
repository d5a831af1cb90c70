/** A proof counts for the text in which it was judged: for which changes it does still, and for which it does not. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { JudgedText } from './judged-text.ts';
import type { Standing } from './judged-text.ts';

const SEARCHED = `Require Import Arith.
Definition double (n : nat) := n + n.
Lemma helper (n : nat) : n + 0 = n.
Proof.
Admitted.
Lemma known : True. Proof. exact I. Qed.
Lemma seen : nat. Proof. exact 1. Defined.
Lemma wanted (n : nat) :
  double n = n + n.
Proof.
Admitted.
Lemma behind : False.
Admitted.
`;

const result = { theorem: 'wanted', line: 8, statement: 'Lemma wanted (n : nat) :\n  double n = n + n.' };

function standing(text: string, searched = SEARCHED): Standing {
  return new JudgedText(text).standing(new JudgedText(searched).sentences, result);
}

test.each([
  ['nothing', '', ''],
  ['a comment above', 'Definition', '(* Lemma x. *)\n\nDefinition'],
  ['blanks', 'double (n : nat)', 'double  (n :\n  nat)'],
  ['a question', 'Lemma known', 'Check double.\nLemma known'],
  ['a proof of a hole above', 'Proof.\nAdmitted.\nLemma known', 'Proof.\n auto.\nQed.\nLemma known'],
  [
    'a proof to look into of a hole above',
    'Proof.\nAdmitted.\nLemma known',
    'Proof.\n auto.\nDefined.\nLemma known',
  ],
  ['another opaque proof above', 'exact I.', 'constructor.'],
  ['its own proof', 'n + n.\nProof.\nAdmitted.', 'n + n.\nProof.\n  reflexivity.\nQed.'],
  ['what is behind it', 'behind : False', 'behind : True'],
])('it counts still after a change of %s', (_, from, to) => {
  expect(SEARCHED).toContain(from);
  expect(standing(SEARCHED.replace(from, () => to))).toBe('same');
});

test.each([
  ['a definition', 'n + n.\nLemma', 'n + n + 0.\nLemma'],
  ['an import', 'Require Import Arith.', 'Require Import List.'],
  ['another statement', 'n + 0 = n', 'n * 1 = n'],
  ['a statement more', 'Lemma known', 'Lemma new : True. Proof. exact I. Qed.\nLemma known'],
  ['a statement less', 'Lemma known : True. Proof. exact I. Qed.\n', ''],
  ['what was proved and is open', 'exact I. Qed.', 'exact I. Admitted.'],
  ['what was open and is given up', 'Proof.\nAdmitted.\nLemma known', 'Proof.\nAbort.\nLemma known'],
  ['a proof that others look into', 'exact 1.', 'exact 2.'],
])('it does not count after a change above: %s', (_, from, to) => {
  expect(SEARCHED).toContain(from);
  expect(standing(SEARCHED.replace(from, () => to))).toBe('above');
});

test.each([
  ['another statement', 'double n = n + n', 'double n = n + n + 1'],
  ['other variables', 'wanted (n : nat)', 'wanted (n m : nat)'],
  ['another name', 'Lemma wanted', 'Lemma unwanted'],
])('of %s nothing is proved', (_, from, to) => {
  expect(standing(SEARCHED.replace(from, () => to))).toBe('statement');
});

test('where it is not known which text was searched, only another statement is told', () => {
  expect(new JudgedText(SEARCHED).standing(undefined, result)).toBe('unknown');
  expect(new JudgedText(SEARCHED.replace('double n =', '0 =')).standing(undefined, result)).toBe('statement');
  // What was noted is not what the server read.
  expect(standing(SEARCHED, `\n${SEARCHED}`)).toBe('unknown');
  // While it is searched, its place is not told.
  const searched = new JudgedText(SEARCHED);
  expect(searched.standing(searched.sentences, { theorem: 'wanted' })).toBe('same');
});

test('what was given up above may be proved by what the same search accepted with it, and by nothing else', () => {
  const hole = 'Proof.\nAdmitted.\nLemma known';
  const searched = SEARCHED.replace(hole, 'Proof.\nAbort.\nLemma known');
  const { sentences } = new JudgedText(searched);
  const standingOf = (proof: string, ...together: { theorem: string; line: number }[]): Standing =>
    new JudgedText(SEARCHED.replace(hole, `Proof.\n${proof}\nLemma known`)).standing(
      sentences,
      result,
      together,
    );
  const helper = { theorem: 'helper', line: 3 };
  expect(standingOf('auto.\nQed.', result, helper)).toBe('same');
  expect(standingOf('auto.\nQed.', result)).toBe('above');
  expect(standingOf('auto.\nQed.', result, { ...helper, line: 4 })).toBe('above');
  expect(standingOf('Abort.', result, helper)).toBe('same');
  expect(standingOf('Admitted.', result, helper)).toBe('above');
});

test('any character typed above that is no blank, comment or proof is seen', () => {
  const end = SEARCHED.indexOf('\nLemma known');
  const isOfProof = (at: number): boolean => at > SEARCHED.indexOf('Proof.') - 2 && at < end;
  fc.assert(
    fc.property(fc.nat(end), fc.constantFrom('x', '1', '('), (at, typed) => {
      fc.pre(!isOfProof(at));
      expect(standing(SEARCHED.slice(0, at) + typed + SEARCHED.slice(at))).not.toBe('same');
    }),
  );
});
