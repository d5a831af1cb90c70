import { expect, test } from 'vitest';
import { outlineOf } from '../../provers/rocq/syntax/outline.ts';
import { chosenStatements } from './rocq-choice.ts';

const leftOut = (text: string): readonly string[] =>
  chosenStatements(outlineOf(text), { file: 'a.v' }).leftOut;

test.each([
  ['given up at its end', 'Goal 1 = 2.\nProof.\nAdmitted.\n', 'Goal'],
  ['with a tactic that gives up, and Qed', 'Goal 1 = 2.\nProof.\n  admit.\nQed.\n', 'Goal'],
  ['with a tactic that gives up, and Defined', 'Goal nat.\nProof.\n  give_up.\nDefined.\n', 'Goal'],
  ['with nothing in it', 'Goal 1 = 2.\nProof.\nQed.\n', 'Goal'],
  ['of an instance', 'Instance : Small 1.\nProof.\n  admit.\nQed.\n', 'Instance'],
])('a hole without a name is told: %s', (_, text, keyword) => {
  expect(leftOut(text)).toEqual([`1 hole without a name is left out: ${keyword} at line 1.`]);
});

test('of an instance that may leave nothing to prove nothing is said', () => {
  expect(leftOut('Instance : Small 1.\nProof.\nQed.\n')).toEqual([]);
});
