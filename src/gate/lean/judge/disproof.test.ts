import { describe, expect, it } from 'vitest';
import { TermStore } from '../term-store.ts';
import { refutes } from './disproof.ts';
import { parseTerm } from './testing/term-syntax.ts';

const store = new TermStore();
const says = (denial: string, claim: string): boolean =>
  refutes(parseTerm(denial, store).plain, parseTerm(claim, store).plain);

describe('a denial', () => {
  it.each([
    ['Not P', 'P'],
    ['P → False', 'P'],
    ['P', 'Not P'],
    ['Exists.{1} N (fun (n : N) => Not (P n))', '∀ (k : N), P k'],
    ['Exists.{1} N (fun (n : N) => Exists.{1} N (fun (m : N) => Not (R n m)))', '∀ (a b : N), R a b'],
    ['∀ (n : N), Not (P n)', 'Exists.{1} N (fun (k : N) => P k)'],
    ['And (Not P) (Not Q)', 'Or P Q'],
    ['Or (Not P) (Not Q)', 'And P Q'],
    ['P → Not Q', 'And P Q'],
    ['Eq.{1} N a b', 'Ne.{1} N a b'],
    ['Exists.{0} P (fun (h : P) => Not Q)', 'P → Q'],
  ])('%s denies %s', (denial, claim) => {
    expect(says(denial, claim)).toBe(true);
  });

  it.each([
    ['P', 'P'],
    ['Not Q', 'P'],
    ['Not (Not P)', 'P'],
    ['Exists.{1} N (fun (n : N) => P n)', '∀ (n : N), P n'],
    ['Exists.{1} M (fun (n : M) => Not (P n))', '∀ (n : N), P n'],
    ['∀ (n : N), Not (P n)', '∀ (n : N), P n'],
    ['Or (Not P) (Not Q)', 'Or P Q'],
    ['And (Not P) Q', 'Or P Q'],
    ['Q → Not P', 'And P Q'],
    ['Eq.{1} N a c', 'Ne.{1} N a b'],
    ['True', 'False'],
  ])('%s does not deny %s', (denial, claim) => {
    expect(says(denial, claim)).toBe(false);
  });
});
