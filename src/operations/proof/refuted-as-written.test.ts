/** Files whose notations and names read otherwise what is written around a statement: what can be proved is not refuted. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findExecutable } from '../../process/executable.ts';
import { openCaller, type Caller } from '../testing/caller.ts';
import type { RefutationResult } from './refutation-result.ts';

const TILDE = 'Notation "~ x" := (x -> True) (at level 75, right associativity) : type_scope.\n';
const ARROW =
  'Notation "x -> y" := (forall _ : x, True) (at level 99, right associativity, y at level 200) : type_scope.\n';
/** What the session looks at before the gate does is taken for everything. */
const UNIFY = 'Tactic Notation "unify" constr(one) constr(other) := idtac.\n';
const FALSE = 'Theorem t : forall n : nat, n = 0. Admitted.\n';
/** By the axiom it can be proved, and computation sees nothing of it. */
const PROVABLE =
  'Parameter A : nat -> bool.\nAxiom a0 : forall n, andb (A n) true = true.\nTheorem t : forall n, A n = true. Admitted.\n';
const inSection = (value: number): string =>
  `Section S.\nVariable k : nat.\nHypothesis H : k = 5.\nLet j := S k.\nTheorem t : j = ${value}. Admitted.\nEnd S.\n`;

const FILES = {
  'provable.v': TILDE + PROVABLE,
  'provable-unify.v': UNIFY + TILDE + PROVABLE,
  'false.v': TILDE + FALSE,
  'false-unify.v': UNIFY + TILDE + FALSE,
  'false-arrow.v': TILDE + ARROW + FALSE,
  'absurdity.v': `${TILDE}Notation False := True.\n${FALSE}`,
  'section.v': `${TILDE}Module M.\n${inSection(4)}End M.\n`,
  'holds.v': UNIFY + TILDE + inSection(6),
};

describe.skipIf(findExecutable(['coqc']) === undefined)('what is written around a statement', () => {
  let caller: Caller;
  beforeAll(async () => {
    caller = await openCaller(FILES);
  });
  afterAll(() => caller.close());

  const refute = async (
    file: keyof typeof FILES,
    more: Record<string, unknown> = {},
  ): Promise<RefutationResult | undefined> => {
    const { results } = await caller.call('proof_refute', { file, budget: 2, ...more });
    return (results as readonly RefutationResult[])[0];
  };

  it('is no evidence that a statement is false', async () => {
    expect((await refute('provable.v'))?.outcome).toBe('not-refuted');
    const told = await refute('provable-unify.v');
    expect(told).toMatchObject({ outcome: 'not-refuted', reason: 'not-verified' });
    expect(told?.message).toContain('is not the negation of the statement to the kernel');
    const asked = await refute('provable-unify.v', { statement: 'forall n, A n = true' });
    expect(asked).toMatchObject({ outcome: 'not-refuted', reason: 'not-verified' });
    expect((await refute('holds.v'))?.outcome).toBe('not-refuted');
    // What would be told of a statement that is false is something else, too.
    expect((await refute('false-unify.v'))?.outcome).toBe('not-refuted');
  }, 600_000);

  it('is written so that it means what it says', async () => {
    const plain = await refute('false.v');
    expect(plain).toMatchObject({ outcome: 'refuted' });
    expect(plain?.negation).toContain('Theorem t_false : (forall n : nat, n = 0) -> False.');
    for (const file of ['false-arrow.v', 'absurdity.v'] as const) {
      const { outcome, negation } = (await refute(file)) ?? {};
      expect(outcome).toBe('refuted');
      expect(negation).toContain('Theorem t_false : forall _ : (forall n : nat, n = 0), ');
    }
    expect(await refute('section.v')).toMatchObject({ outcome: 'refuted', ends_sections: true });
  }, 600_000);
});
