/** Whose a proof in a HOL4 script is. */
import { expect, it } from 'vitest';
import { OwnProofs } from '../own-proofs.ts';
import { scriptProofs, withScriptProof } from './hol4-proofs.ts';

const theorem = (proof: string): string => `Theory a\n\nTheorem one:\n  p ==> p\nProof\n  ${proof}\nQED\n`;
const places = { proofsIn: scriptProofs, withProof: withScriptProof };
const notOwn = (begun: string, now: string): readonly string[] =>
  new OwnProofs(theorem(begun), places).notOwn(theorem(now), ['one']);

it.each([
  ['a comment beside the cheat', 'cheat', '(* with simp? *) cheat'],
  ['a comment that is gone', 'simp[] (* later *) >> cheat', 'simp[] >> cheat'],
  ['the other name of a cheat', 'cheat', 'CHEAT_TAC'],
  ['tactics that were taken out', 'simp[] >> cheat', 'cheat'],
])('%s is no proof of somebody else', (_, begun, now) => {
  expect(notOwn(begun, now)).toEqual([]);
});

it.each([
  ['a finished proof', 'cheat', 'simp[]'],
  ['a comment in a finished proof', 'simp[]', '(* why *) simp[]'],
  ['tactics before the cheat', 'cheat', 'Induct >> cheat'],
])('%s is one', (_, begun, now) => {
  expect(notOwn(begun, now)).toEqual(['one']);
});
