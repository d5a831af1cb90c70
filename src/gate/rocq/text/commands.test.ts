/** Which commands a submission may use. What the releases of Rocq have of them is tried with `testing/innocents/commands`. */
import { expect, it } from 'vitest';
import { significantTokens } from '../../../provers/rocq/syntax/lexer.ts';
import { classify } from './commands.ts';

function kindOf(sentence: string): string {
  const tokens = significantTokens(sentence).map(({ text }) => text);
  return classify(tokens, { inProof: false, inSection: false }, new Set()).kind;
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

it('tactics may be told of schemes, and the kernel of nothing', () => {
  expect(kindOf('Register Scheme c as ind_dep for d.')).toBe('command');
  for (const sentence of ['Register bool as kernel.ind_bool.', 'Register Inline f.', 'Register x as y.z.'])
    expect(kindOf(sentence)).toBe('forbidden');
});
