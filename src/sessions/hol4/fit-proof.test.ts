import { expect, test } from 'vitest';
import { requireFitProof } from './fit-proof.ts';

test.each([
  ['cheat', 'The proof uses cheat'],
  ['simp[] (* \u001b[2K *)', 'A control character (U+001B) stands in the proof'],
  ['simp[] (* \u202e *)', 'A character that changes the order'],
])('%j may not be put into a script', (text, said) => {
  expect(() => requireFitProof(text)).toThrow(said);
});

test('what lays a proof out may', () => {
  expect(() => requireFitProof('Induct >>\r\n\tsimp[∀x]')).not.toThrow();
});
