/** What is a negation to the kernel, whatever the file's notations and names make of it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findExecutable } from '../../../process/executable.ts';
import { negatesStatement } from '../../verify.ts';
import type { NegationNames } from './negation.ts';

const folder = mkdtempSync(join(tmpdir(), 'quod-negation-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

const T = 'Theorem t : forall n : nat, n = 0. Admitted.\n';
const TILDE = 'Notation "~ x" := (x -> True) (at level 75, right associativity) : type_scope.\n';
const claim = (statement: string): string => `Theorem t_false : ${statement}. Admitted.\n`;
const NEGATION = claim('~ (forall n : nat, n = 0)');
const inSection = (statement: string, says: string): string =>
  `Section S. Variable k : nat. Let j := S k. Hypothesis H : k = 5. Let l := S j.
#[using="All"] Definition t_statement : Prop := ${statement}.
Theorem t : let m := j in m = l. Admitted.
End S.
${claim(says)}`;

async function answer(text: string, names: Partial<NegationNames> = {}): Promise<string> {
  const asked = { claim: 't_false', statement: 't', ...names };
  const { kind } = await negatesStatement({ path: join(folder, 'a.v'), text }, asked);
  return kind;
}

describe.skipIf(findExecutable(['coqc']) === undefined)('the negation of a statement', () => {
  it.each([
    ['as it is written mostly', NEGATION + T],
    ['of the statement before', T + NEGATION],
    ['by a product', claim('forall _ : (forall m : nat, m = 0), False') + T],
    [
      'by a notation of the file',
      `Notation "! x" := (x -> False) (at level 75).\n${claim('! (forall n : nat, n = 0)')}${T}`,
    ],
    ['by an alias', `Module L := Coq.Init.Logic.\n${claim('(forall n : nat, n = 0) -> L.False')}${T}`],
    [
      'by the full name, which a module of the file cannot take',
      `Module Coq. Module Init. Module Logic. Inductive False := tt. End Logic. End Init. End Coq.\n${claim('(forall n : nat, n = 0) -> Coq.Init.Logic.False')}${T}`,
    ],
    [
      'in brackets, which a notation cannot take',
      `Notation "( x )" := (x -> True) : type_scope.\n${NEGATION}${T}`,
    ],
    [
      'of levels',
      `${claim('~ forall A : Type, forall x y : A, x = y')}Theorem t : forall A : Type, forall x y : A, x = y. Admitted.\n`,
    ],
    [
      'of levels that are bound',
      `Set Universe Polymorphism.\n${claim('~ forall A : Type, forall x y : A, x = y')}Theorem t : forall A : Type, forall x y : A, x = y. Admitted.\n`,
    ],
  ])('is one: %s', async (_what, text) => {
    expect(await answer(text)).toBe('is-negation');
  });

  it.each([
    ['a notation for `~`', TILDE + NEGATION + T],
    [
      'a notation for `->`',
      `Notation "x -> y" := (forall _ : x, True) (at level 99, right associativity, y at level 200) : type_scope.\n${claim('(forall n : nat, n = 0) -> False')}${T}`,
    ],
    [
      'a notation for `False`',
      `Notation False := True.\n${claim('forall _ : (forall n : nat, n = 0), False')}${T}`,
    ],
    ['another `False`', `Inductive False := tt.\n${claim('(forall n : nat, n = 0) -> False')}${T}`],
    [
      'a module with the end of the name of the library',
      `Module Init. Module Logic. Inductive False := tt. End Logic. End Init.\n${claim('(forall n : nat, n = 0) -> Init.Logic.False')}${T}`,
    ],
    ['another `not`', `Definition not (P : Prop) := P -> True.\n${claim('not (forall n : nat, n = 0)')}${T}`],
    [
      'a scope',
      `Definition z := 0. Notation "0" := (S z) : nat_scope.\n${claim('~ forall n : nat, n = z')}${T}`,
    ],
    ['more than it', `${claim('True -> ~ forall n : nat, n = 0')}${T}`],
    ['the negation of it', `${claim('~ ~ forall n : nat, n = 0')}${T}`],
    [
      'a level of another order',
      `Universes low high. Constraint low < high.\n${claim('~ (forall A : Type@{high}, forall x y : A, x = y)')}Theorem t : forall A : Type@{low}, forall x y : A, x = y. Admitted.\n`,
    ],
  ])('is none: %s', async (_what, text) => {
    expect(await answer(text)).toBe('is-none');
  });

  it('is one of a section when all of its variables are quantified', async () => {
    const names = { definition: 't_statement' };
    const says = '~ (forall k H, @t_statement k H)';
    expect(await answer(inSection('let m := j in m = l', says), names)).toBe('is-negation');
    expect(await answer(inSection('let m := l in m = l', says), names)).toBe('is-none');
    expect(await answer(inSection('let m := j in m = l', 'forall k H, ~ @t_statement k H'), names)).toBe(
      'is-none',
    );
    expect(
      await answer(inSection('let m := j in m = l', '~ (forall k H, k = 0 -> @t_statement k H)'), names),
    ).toBe('is-none');
  });

  it('is looked for in the modules of the file', async () => {
    const names = { claim: 'M.N.t_false', statement: 'M.N.t' };
    const text = `Module M.\nModule N.\n${NEGATION}${T}End N.\nEnd M.\n${claim('True')}`;
    expect(await answer(text, names)).toBe('is-negation');
    expect(await answer(text, { ...names, statement: 'M.t' })).toBe('is-none');
  });

  it('is not known in a file that does not compile', async () => {
    expect(await answer(`${claim('~ nothing')}${T}`)).toBe('unknown');
  });
});
