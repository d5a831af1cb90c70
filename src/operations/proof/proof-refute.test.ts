import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findExecutable } from '../../process/executable.ts';
import { operationNamed } from '../catalogue.ts';
import { openCaller, type Caller } from '../testing/caller.ts';
import type { RefutationResult } from './refutation-result.ts';

/** Every refutation of it is judged by compiling it up to the theorem: what needs a large library stands elsewhere. */
const FILE = `Require Import List Arith Bool Lia.
Import ListNotations.
Theorem missing_hypothesis (n : nat) (l : list nat) : n < length l -> nth n l 0 = n. Admitted.
Theorem wrong_order {A} (l k : list A) : rev (l ++ k) = rev l ++ rev k. Admitted.
Theorem one_way (f : nat -> nat) l x : In x (map f l) -> In x l. Admitted.
Inductive ev : nat -> Prop := ev0 : ev 0 | evSS : forall n, ev n -> ev (S (S n)).
Theorem by_rules n : ev n -> n <= 4. Admitted.
Theorem no_witness : forall n, exists m, n = m + m. Admitted.
Theorem types P Q : (P -> Q) -> Q -> P. Admitted.
Theorem all_but_nil (P : list nat -> Prop) : (forall x l, P l -> P (l ++ [x])) -> forall l, P l -> P []. Admitted.
Theorem subset n (p : {m | m < n}) : proj1_sig p <> 1. Admitted.
Inductive permuted : list nat -> list nat -> Prop :=
  | permuted_nil : permuted [] []
  | permuted_skip x l k : permuted l k -> permuted (x :: l) (x :: k)
  | permuted_swap x y l : permuted (y :: x :: l) (x :: y :: l)
  | permuted_trans l k m : permuted l k -> permuted k m -> permuted l m.
Theorem longer l k : permuted l l -> permuted l (k ++ l). Admitted.
Theorem same_length l k : length l = length k -> permuted l k. Admitted.
Module M.
Section S.
Variable A : Type.
Variable eqb : A -> A -> bool.
Hypothesis eqb_true : forall x y, eqb x y = true -> x = y.
Let pick (x y : A) := if eqb x y then x else y.
Theorem in_section x y : eqb x y = true. Admitted.
Theorem true_for_the_hypothesis x y : pick x y = y. Admitted.
End S.
End M.
Theorem commutes n m : n + m = m + n. Admitted.
Module Type T. Parameter t : Set. Parameter a : t. End T.
Module F (X : T).
Theorem of_parameter (x : X.t) : x = X.a. Admitted.
End F.
`;
/** Seconds: whoever looks for what is there ends when it is found, on a slow machine too. */
const LONG = 3600;

const BOUND = `Require Import Arith.
Theorem bounded : forall n, n < 5. Admitted.
`;

/** No tactic of arithmetic and no library is there. */
const GROUND = `Theorem below n : n < 40. Admitted.
Theorem either n : Nat.even n = true \\/ n < 7. Admitted.
Theorem itself : 7 < 7. Admitted.
Theorem gap n : n < 5 \\/ n > 9. Admitted.
Theorem three n m : n + m < 6 \\/ n = m \\/ m < n. Admitted.
Theorem fixed : exists n, n + 1 = n. Admitted.
Theorem halved : forall m, exists n, n + n = m + 21. Admitted.
Theorem half : exists n, n + n = 21. Admitted.
Theorem unknown : Nowhere.known. Admitted.
`;

/** What refutes these is taken for granted: by an axiom, by a recursion that nobody checked; the last one needs neither. */
const GROUNDS = `Definition P (n : nat) : Prop. Proof. exact (n = n). Qed.
Axiom taken : forall n, P n.
#[export] Hint Resolve taken : core.
Theorem by_axiom : forall n, P n -> n = 0. Admitted.
Module Type PT. Parameter Q : nat -> Prop. End PT.
Module M : PT. Definition Q n := n = S n. End M.
Unset Guard Checking.
Fixpoint loop (n : nat) : M.Q n := loop n.
Set Guard Checking.
#[export] Hint Resolve loop : core.
Theorem by_loop : forall n, M.Q n -> n = 0. Admitted.
Theorem plain : forall n, n = 0. Admitted.
`;

const REALS = `Require Import Reals.
Theorem of_reals (x y : R) : x = y. Admitted.
`;

describe.skipIf(findExecutable(['coqc']) === undefined)('proof_refute', () => {
  let caller: Caller;
  beforeAll(async () => {
    caller = await openCaller({ 'a.v': FILE, 'bound.v': BOUND, 'reals.v': REALS });
  });
  afterAll(() => caller.close());

  const refute = async (input: Record<string, unknown>): Promise<readonly RefutationResult[]> => {
    const { results } = await caller.call('proof_refute', { file: 'a.v', budget: LONG, ...input });
    return results as readonly RefutationResult[];
  };

  it('compares numbers by computing, where the file has no tactic of arithmetic', async () => {
    const [result] = await refute({ file: 'bound.v' });
    expect(result).toMatchObject({ outcome: 'refuted' });
    expect(result?.negation).toMatch(/apply PeanoNat\.Nat\.\w+ in H; discriminate H\.\s+Qed\./u);
  });

  it('disproves numbers that are written out, whatever the file requires, by plain tactics', async () => {
    await caller.write('ground.v', GROUND);
    const theorems = ['below', 'either', 'itself', 'gap', 'three', 'fixed'];
    const results = await refute({ file: 'ground.v', theorems });
    expect(results.map(({ theorem, outcome }) => [theorem, outcome])).toEqual(
      theorems.map((name) => [name, 'refuted']),
    );
    expect(results.slice(0, 4).map(({ counterexample }) => counterexample)).toEqual([
      'n = 40',
      'n = 7',
      '',
      'n = 5',
    ]);
    const [, either, , gap] = results;
    expect(either?.negation).toContain('destruct H as [H | H]; [discriminate H | ');
    expect(gap?.negation).not.toContain('match goal');
    await caller.write('lia.v', `Require Import Lia.\n${GROUND}`);
    const [withLia] = await refute({ file: 'lia.v', theorems: ['either'] });
    expect(withLia?.negation).toContain('destruct H as [H | H]; [discriminate H | lia].');
  }, 600_000);

  it('does not say that there is no counterexample where it suspects one', async () => {
    await caller.write('ground.v', GROUND);
    const asked = { file: 'ground.v', theorems: ['halved', 'half', 'unknown'], budget: 5 };
    const { results } = await caller.call('proof_refute', asked);
    const [halved, half, unknown] = results as readonly RefutationResult[];
    expect(halved).toMatchObject({
      outcome: 'not-refuted',
      suspects: expect.arrayContaining(['m = 0']) as unknown,
    });
    expect(halved?.message).toMatch(
      /^It seems to fail for m = 0; or .*, but proving that it fails there did not succeed\.$/u,
    );
    // It has no variables whose values could be suspected.
    expect(half?.message).not.toMatch(/seems/u);
    expect(unknown?.message).toMatch(/environment\.$/u);
    expect(unknown?.message).not.toMatch(/\.\.$/u);
  }, 600_000);

  it('tells what was tried and not settled apart from what cannot be tried', async () => {
    const stated = (name: string, statement: string) => `Theorem ${name} : ${statement}. Admitted.\n`;
    await caller.write(
      'exists.v',
      stated('square', 'exists n, n * n = 50') +
        stated('holds', 'True') +
        stated('unmet', '1 = 2 -> exists n, n * n = 50') +
        stated('both', '(forall n : nat, n = n) /\\ exists n, n * n = 50'),
    );
    const { results, ...asked } = await caller.call('proof_refute', { file: 'exists.v', budget: LONG });
    const [square, holds, unmet, both] = results as readonly RefutationResult[];
    expect(square).toMatchObject({ outcome: 'not-refuted', reason: 'search-exhausted', tried: 0 });
    expect(square?.message).toMatch(/^It was tried and not settled\. It has no variables/u);
    expect(holds).toMatchObject({ outcome: 'not-refuted', reason: 'search-exhausted' });
    expect(holds?.message).toContain('gives no sign that it is false');
    expect(unmet).toMatchObject({ outcome: 'not-tried', reason: 'unsupported' });
    expect(unmet?.message).toContain('nothing that I can build satisfies its variables and hypotheses');
    expect(both).toMatchObject({ outcome: 'not-refuted', reason: 'search-exhausted' });
    expect(asked).toMatchObject({ refuted: 0, partial: false });
  }, 600_000);

  it('tells together what cannot be tried for one cause, such as an error in what they speak of', async () => {
    const wrong = 'Definition d := nonsense.\n';
    await caller.write('open.v', `${wrong}Lemma b : d = 1.\nAdmitted.\nLemma c : d = 2.\nAdmitted.\n`);
    const answer = await caller.call('proof_refute', { file: 'open.v', theorems: ['b', 'c'] });
    const told = operationNamed('proof_refute')?.readAnswer(answer).body();
    expect(told).toMatch(/^b, c: not tried\. .*nonsense/u);
    expect(told?.match(/nonsense/gu)).toHaveLength(1);
  }, 600_000);

  it('finds a counterexample to what is false, and the gate accepts the negation', async () => {
    const theorems = [
      ...['missing_hypothesis', 'wrong_order', 'one_way', 'by_rules', 'no_witness', 'types'],
      ...['all_but_nil', 'subset', 'longer', 'same_length', 'in_section'],
    ];
    const results = await refute({ theorems });
    expect(results.map(({ theorem, outcome }) => [theorem, outcome])).toEqual(
      theorems.map((name) => [name, 'refuted']),
    );
    expect(results[0]?.counterexample).toBe('n = 0, l = [1]');
    expect(results[0]?.negation).toContain('Theorem missing_hypothesis_false : ~ (');
    expect(results.at(-1)).toMatchObject({ ends_sections: true });
  }, 600_000);

  it('does not refute what is true, and says what it cannot try', async () => {
    const results = await refute({ theorems: ['true_for_the_hypothesis', 'commutes'], budget: 1 });
    expect(results.map(({ outcome }) => outcome)).toEqual(['not-refuted', 'not-refuted']);
    const [ofParameter] = await refute({ theorems: ['of_parameter'] });
    expect(ofParameter).toMatchObject({ outcome: 'not-tried' });
    const [ofReals] = await refute({ file: 'reals.v', theorems: ['of_reals'] });
    expect(ofReals).toMatchObject({ outcome: 'not-tried' });
    expect(ofReals?.message).toContain('no closed values for x : R');
  }, 600_000);

  it('takes a statement that is not in the file, where it would stand', async () => {
    const [result] = await refute({ statement: 'forall n, ev n -> ev (S n)', before: 'no_witness' });
    expect(result).toMatchObject({ outcome: 'refuted', values: [{ name: 'n', value: '0' }] });
    // Where it stands there is no `ev` yet.
    const [early] = await refute({ statement: 'forall n, ev n -> ev (S n)', before: 'one_way' });
    expect(early).toMatchObject({ outcome: 'not-tried' });
  }, 600_000);

  it('says what the proof of a negation rests on', async () => {
    await caller.write('grounds.v', GROUNDS);
    const [taken, unchecked, plain] = await refute({ file: 'grounds.v' });
    expect(taken).toMatchObject({ outcome: 'refuted', axioms: ['taken'], warnings: [] });
    expect(unchecked).toMatchObject({ outcome: 'refuted' });
    expect(unchecked?.warnings.join()).toContain('loop is assumed to be guarded');
    expect(plain).toMatchObject({ outcome: 'refuted', axioms: [], warnings: [] });
    const searched = { file: 'grounds.v', theorems: ['by_axiom'], budget: LONG };
    expect((await caller.call('proof_search', searched)).results).toMatchObject([
      { outcome: 'refuted', axioms: ['taken'], message: 'It is false for n = 1; rests on taken.' },
    ]);
  }, 600_000);

  it('is asked by the search for proofs', async () => {
    const { results } = await caller.call('proof_search', {
      file: 'a.v',
      theorems: ['by_rules'],
      budget: LONG,
    });
    expect(results).toMatchObject([{ outcome: 'refuted', counterexample: 'n = 6', proof: null }]);
  }, 600_000);

  it('refuses a statement that is more than one', async () => {
    const { reason } = await caller.failure('proof_refute', {
      file: 'a.v',
      statement: 'True. Admitted. Axiom f : False. Theorem g : 1 = 2',
    });
    expect(reason).toBe('invalid-input');
  });

  it('refuses a statement with words that Rocq could take for a command, and takes comments out', async () => {
    const hidden = { file: 'bound.v', statement: '"a. Redirect left" = "b"' };
    expect(await caller.failure('proof_refute', hidden)).toMatchObject({ reason: 'invalid-input' });
    const [named] = await refute({ file: 'bound.v', statement: 'S 1 = 1' });
    expect(named).toMatchObject({ outcome: 'refuted' });
    const [result] = await refute({ file: 'bound.v', statement: 'forall n, (* Print nat. *) n < 4' });
    expect(result).toMatchObject({ outcome: 'refuted' });
    expect(result?.statement).not.toContain('Print');
  });
});
