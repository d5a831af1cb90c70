import { expect, test } from 'vitest';
import { Script } from '../../gate/rocq/text/script.ts';
import { chosenStatements } from './rocq-choice.ts';

const chosen = (text: string, theorems?: readonly string[]) =>
  chosenStatements(new Script({ path: 'a.v', text }), { file: 'a.v', ...(theorems && { theorems }) });
const leftOut = (text: string): readonly string[] => chosen(text).leftOut;

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

test.each([
  ['Admit Obligations.', 'obligations'],
  ['Admit Obligations of f.', 'obligations of f'],
])('what %s may admit is told', (command, what) => {
  expect(leftOut(`Program Definition f : {n | n = 1} := 2.\n${command}\n`)).toEqual([
    `The ${what} that line 2 admits, if any is open there, are left out: no text states them. Give each a proof of its own.`,
  ]);
});

const NESTED = 'Theorem t : 1 = 1.\nProof.\n  Ltac mine := idtac.\nAdmitted.\nTheorem u : 1 = 1. Admitted.\n';

test('a proof with more than tactics in it is left out, and refused where it is asked for', () => {
  const { statements, leftOut: told } = chosen(NESTED);
  expect(statements.map(({ theorem }) => theorem)).toEqual(['u']);
  expect(told).toEqual([
    't at line 1 is left out. The proof of t in the file has more than tactics in it, from 3:2 on: Ltac mine := idtac. That would be lost with another proof in its place. Move it out of the proof first.',
  ]);
  expect(() => chosen(NESTED, ['t'])).toThrow('has more than tactics in it, from 3:2 on');
  expect(chosen(NESTED, ['u']).statements).toHaveLength(1);
});

test('what is stated again is told as that, whatever stands in its proof', () => {
  const text =
    'Lemma t : 1 = 2.\nProof.\n  Ltac mine := idtac.\nAbort.\nLemma t : 1 = 1.\nProof. reflexivity. Qed.\n';
  expect(leftOut(text)).toEqual([
    expect.stringMatching(/^t at line 1 is left out: it is given up, and line 5/u),
  ]);
});

test('what a section declares by Let is left out, and refused where it is asked for', () => {
  const text = 'Section S.\nLet l : 1 = 1.\nProof.\nAdmitted.\nLemma u : 1 = 1. Admitted.\nEnd S.\n';
  const { statements, leftOut: told } = chosen(text);
  expect(statements.map(({ theorem }) => theorem)).toEqual(['u']);
  expect(told).toEqual([
    'l at line 2 is left out: what `Let` declares becomes part of what follows, so that the gate cannot judge it by itself. State it as a Lemma.',
  ]);
  expect(() => chosen(text, ['l'])).toThrow('l is declared by Let: what `Let` declares becomes part');
});
