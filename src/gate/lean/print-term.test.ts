import { expect, it } from 'vitest';
import type { Expression } from './expression.ts';
import { parseTerm } from './judge/testing/term-syntax.ts';
import type { Level } from './level.ts';
import { printTerm } from './print-term.ts';
import { TermStore } from './term-store.ts';

const store = new TermStore();

it.each([
  '∀ (n : Nat), Eq.{1} Nat n n',
  'fun (A : Sort u) {a : A} [i : C.{u} A] => f a (g a)',
  '(A → B) → A → B',
  'let x : Nat := 1; Nat.add x 2',
  'Sort (max u v)',
  'Type (imax (u+1) v)',
  '"a\\nb"',
  '∀ (p : A → Prop), p (f a) → Prop',
])('%s is printed as it is written', (text) => {
  expect(printTerm(parseTerm(text, store))).toBe(text);
});

it('bound names that clash are told apart', () => {
  expect(printTerm(parseTerm('fun (x : A) => fun (x : B) => x', store))).toBe('fun (x : A) (x_1 : B) => x_1');
});

it('a term that would fill a disk, and one that is too deep, are cut', () => {
  let wide: Expression = parseTerm('a', store);
  for (let depth = 0; depth < 100; depth++) wide = store.applyAll(wide, wide, wide);
  expect(printTerm(wide).length).toBeLessThan(10_000);
  let deep: Expression = parseTerm('a', store);
  for (let depth = 0; depth < 100_000; depth++) deep = store.apply(parseTerm('f', store), deep);
  expect(printTerm(deep)).toContain('⋯');
  let level: Level = store.levels.parameter(store.names.of('u'));
  for (let depth = 0; depth < 100; depth++) level = store.levels.max(level, level);
  expect(printTerm(store.sort(level)).length).toBeLessThan(30_000);
  expect(printTerm(store.natural(1n << 100_000n)).length).toBeLessThan(100);
});

it.each([0x115f, 0x3164, 0x180b, 0x2800, 0xe0100])(
  'a name with U+%d is not printed as one without',
  (code) => {
    const name = store.names.of(`Fal${String.fromCodePoint(code)}se`);
    expect(name.toString()).toBe(`«Fal\\u{${code.toString(16)}}se»`);
    expect(store.names.parse(name.toString())).toBe(name);
  },
);
