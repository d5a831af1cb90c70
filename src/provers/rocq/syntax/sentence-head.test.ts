import fc from 'fast-check';
import { expect, it } from 'vitest';
import { withoutComments } from './lexer.ts';
import { sentenceHead } from './sentence-head.ts';
import { splitSentences } from './sentences.ts';

const COMMANDS = [
  'Admit Obligations .',
  'Admit Obligations of f .',
  'Next Obligation .',
  'Final Obligation .',
  'Obligation 1 of f .',
  'Abort All .',
  'Qed .',
  'Admitted .',
  'Proof using A .',
  'Proof with auto .',
  'Proof .',
  'Set Nested Proofs Allowed .',
  'Add Parametric Morphism A : f with signature eq ==> eq as f_morphism .',
  'Local Program Instance a : C .',
  '#[ local , using = "A" ] Lemma a : True .',
  'Canonical Structure s : S .',
  'Module Type T .',
  'Module Import M .',
  'Section S .',
  'End S .',
  'From A Require Import B .',
  'Time Timeout 5 Qed .',
  'Derive x SuchThat P As h .',
];

const between = fc.constantFrom(' ', '\n\t', '(* c *)', ' (* (* "*)" *) *)\n', '(**)');
const written = fc.constantFrom(...COMMANDS).chain((plain) => {
  const words = plain.slice(0, -2).split(' ');
  return fc.record({
    plain: fc.constant(plain),
    text: fc
      .array(between, { minLength: words.length, maxLength: words.length })
      .map((blanks) => `${words.map((word, index) => word + String(blanks[index])).join('')}.`),
  });
});

/** Texts and places of what is in the sentence move with its blanks; what the sentence is does not. */
function readAs(text: string): unknown {
  const [sentence, ...others] = splitSentences(text).sentences;
  if (sentence === undefined || others.length > 0) throw new Error(`not one sentence: ${text}`);
  const head = Object.entries(sentenceHead(sentence)).filter(([key]) => !key.endsWith('Span'));
  return Object.fromEntries(head);
}

it('reads the words of a command whatever blanks and comments stand between them', () => {
  for (const plain of COMMANDS.slice(0, 3)) expect(readAs(plain)).not.toEqual({ kind: 'other' });
  fc.assert(
    fc.property(written, ({ plain, text }) => {
      expect(readAs(text)).toEqual(readAs(plain));
      expect(withoutComments(text)).toBe(plain);
    }),
  );
});
