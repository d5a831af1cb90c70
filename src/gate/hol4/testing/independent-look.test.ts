/** The look at a trace tells apart what a wrong acceptance would have to change. */
import { expect, it } from 'vitest';
import { faultOf, lookAtTrace } from './independent-look.ts';
import { traceOf } from './trace-notation.ts';

const look = (notation: string) => lookAtTrace(traceOf(notation).toString('utf8'));
const PROOF = '@1 = ASSUME {p}\n@2 = DISCH {p} @1\nnamed th T @2 [] [] {p ==> p}\n';
const DEFINED = '@d = DEF_CONST {F} mine$d\n@1 = REFL {mine$d}\nnamed th T @1 [] [] {mine$d = mine$d}\n';

it.each([
  ['another proof', PROOF, '@0 = REFL {p}\n@1 = EQ_IMP_RULE1 @0\nnamed th T @1 [] [] {p ==> p}\n'],
  ['further exports', PROOF, `${PROOF}named other T @1 [] [] {p} {p}\n`],
  ['an assertion that nothing rests on', PROOF, `@a = AXIOM {F}\n${PROOF}`],
  ['a declaration before a definition', DEFINED, `const d :(bool)\n${DEFINED}`],
  ['names of bound variables', 'named th T 0 [] [] {!p. p}\n', 'named th T 0 [] [] {!q. q}\n'].map((text) =>
    text.startsWith('named') ? `@1 = ASSUME {!p. p}\n${text}` : text,
  ) as [string, string, string],
])('%s is no fault', (_, original, changed) => {
  expect(faultOf(look(original), look(changed))).toBeUndefined();
});

it.each([
  ['another statement', PROOF, PROOF.replace('{p ==> p}', '{p ==> q}'), /states something else/],
  ['a hypothesis', PROOF, PROOF.replace('{p ==> p}', '{p ==> p} {p}'), /states something else/],
  ['another name', PROOF, PROOF.replace('named th', 'named ht'), /states something else/],
  ['an assertion below', PROOF, '@1 = AXIOM {p ==> p}\nnamed th T @1 [] [] {p ==> p}\n', /another assertion/],
  ['another definition', DEFINED, DEFINED.replace('{F}', '{T}'), /in another way/],
  ['a declaration alone', DEFINED, DEFINED.replace(/^.*\n/, 'const d :(bool)\n'), /in another way/],
])('%s is one', (_, original, changed, fault) => {
  expect(faultOf(look(original), look(changed))).toMatch(fault);
});
