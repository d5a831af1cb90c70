/** Which commands a submission may use. What the releases of Rocq have of them is tried with `testing/innocents/commands`. */
import { expect, it } from 'vitest';
import { significantTokens } from '../../../provers/rocq/syntax/lexer.ts';
import { classify } from './commands.ts';

function kindOf(sentence: string): string {
  const tokens = significantTokens(sentence).map(({ text }) => text);
  return classify(tokens, { inProof: false, inSection: false }, new Set()).kind;
}

function expectKind(kind: string, sentences: readonly string[]): void {
  for (const sentence of sentences) expect([sentence, kindOf(sentence)]).toEqual([sentence, kind]);
}

it('what an attribute names in place of something deprecated is no attribute', () => {
  expect(kindOf('#[deprecated(use=bypass_check)] Definition q := 1.')).toBe('command');
  expect(kindOf('#[deprecated(since="1", use=Other.n)] Definition q := 1.')).toBe('command');
  expect(kindOf('#[deprecated(use=n), bypass_check(guard)] Fixpoint f (n : nat) : nat := f n.')).toBe(
    'checks-disabled',
  );
  expect(kindOf('#[use, bypass_check(guard)] Fixpoint f (n : nat) : nat := f n.')).toBe('checks-disabled');
  expect(kindOf('#[deprecated(use=n), strange] Definition q := 1.')).toBe('forbidden');
});

it('tactics may be told of names, and the kernel of nothing', () => {
  expectKind('command', [
    'Register Scheme c as ind_dep for d.',
    'Register x as y.z.',
    'Register x as kernels.y.',
  ]);
  expectKind('forbidden', [
    'Register bool as kernel.ind_bool.',
    'Register bool as (* here *) kernel.ind_bool.',
    'Register Inline f.',
    'Register x.',
  ]);
});

it('what is extracted may be printed, and told how, and no file is written and no program started for it', () => {
  expectKind('command', [
    'Extraction f.',
    'Recursive Extraction f M.g.',
    'Extraction Language Haskell.',
    'Extraction Implicit f [ n ].',
    'Extract Inlined Constant f => "g".',
    'Set Extraction Optimize.',
    'Reset Extraction Inline.',
  ]);
  expectKind('forbidden', [
    'Extraction "f.ml" f.',
    'Extraction (* here *) "f.ml" f.',
    'Extraction Library f.',
    'Recursive Extraction Library f.',
    'Extraction TestCompile f.',
    'Separate Extraction f.',
    'Set Extraction Output Directory "/".',
    'Extraction.',
  ]);
});
