import { expect, it } from 'vitest';
import { withBlankedComments } from './blanked-comments.ts';

it.each([
  ['Check 1 (* one. *).', 'Check 1           .'],
  ['Check 1 +(* 1. Axiom f : False. *)\n2.', `Check 1 +${' '.repeat(25)}\n2.`],
  ['Check é (* é. é *) é.', `Check é ${' '.repeat(12)} é.`],
  ['idtac (* a.\nb (* c. *) *) "(* d. *)".', `idtac      \n${' '.repeat(14)}"(* d. *)".`],
  ['Definition a := .(* 1. *)\n.', 'Definition a := .(       \n.'],
  // Nothing ends in these.
  ['Check 1 (* one, two *).', 'Check 1 (* one, two *).'],
  ['Check 1 (* Nat.add *).', 'Check 1 (* Nat.add *).'],
  ['Check "(* a. *)"%string.', 'Check "(* a. *)"%string.'],
])('%j is given as %j', (text, given) => {
  expect(withBlankedComments(text)).toBe(given);
  expect(Buffer.byteLength(given)).toBe(Buffer.byteLength(text));
});
