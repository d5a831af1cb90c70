/** Files that call their own things as Rocq's first libraries call theirs: what Quod writes into them means what it says. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findExecutable } from '../../process/executable.ts';
import { openCaller, type Caller } from '../testing/caller.ts';
import type { RefutationResult } from './refutation-result.ts';

/** Types, constructors, functions and lemmas of `Init`, all of them constructors of one type. */
const NAMES =
  'bool nat True False and or not eq ex ex2 list option prod sum unit Empty_set le lt ge gt iff sig sigT sumbool comparison identity ' +
  'all Acc well_founded I tt O S Some None nil cons pair true false conj eq_refl fst snd app length negb andb orb xorb inl inr left ' +
  'right exist existT or_introl or_intror ex_intro Eq Lt Gt le_n le_S pred id f_equal eq_sym eq_trans eq_ind nat_ind bool_ind plus ' +
  'mult minus proj1 proj2 projT1 value error plus_n_O plus_O_n eq_rect nat_rect nat_rec True_ind False_ind';
const zeros = (...names: string[]): string => names.map((name) => `Definition ${name} := zero.`).join(' ');
const MODULES = [
  `Module Nat. ${zeros('add', 'leb', 'pred')} End Nat.`,
  `Module Datatypes. ${zeros('S', 'true')} End Datatypes.`,
  `Module Logic. ${zeros('I', 'eq')} End Logic.`,
  `Module List. ${zeros('In')} End List. Module PeanoNat. ${zeros('Nat')} End PeanoNat.`,
];
const OWN = `Lemma zero : 0 = 0. Proof. reflexivity. Qed.
Inductive own : Set := ${NAMES.replaceAll(' ', ' | ')}.
Ltac easy := fail. Ltac contradict := fail. Ltac f_equal := fail. Ltac case_eq := fail.
${MODULES.join('\n')}
`;
const DATATYPES = 'Coq.Init.Datatypes';
const FALSE = `${OWN}
Lemma numbers : forall n m : ${DATATYPES}.nat, n = m. Admitted.
Lemma theirs : forall x : own, x = S. Admitted.
Lemma functions : forall f : ${DATATYPES}.nat -> ${DATATYPES}.nat, exists n, f n = n. Admitted.
Lemma predicates : forall P : ${DATATYPES}.nat -> Prop, P 0 -> P 1. Admitted.
Lemma identity_is_constant : (fun b : ${DATATYPES}.bool => b) = (fun b => ${DATATYPES}.true). Admitted.
`;
const FILES = {
  'false.v': FALSE,
  'constructor.v': 'Inductive t := S : t.\nLemma f : forall n m : nat, n + m = n. Admitted.\n',
  'notations.v': `Notation O := tt.\nNotation True := nat.\nNotation "'S' x" := (Datatypes.S x) (at level 10).\nNotation "x -> y" := (x * y)%type.\n
Lemma f : forall n m : nat, n + m = n. Admitted.\n`,
  'words.v':
    'Notation "\'Some\' x" := (Datatypes.Some x) (at level 10).\nLemma f : forall n m : nat, n + m = n. Admitted.\n',
  'levels.v': `Polymorphic Lemma o@{u} : forall A B : Type@{u}, A -> B. Admitted.
Lemma s@{z} : forall (A : Type@{z}) (x y : A), x = y. Admitted.
Section s. Polymorphic Lemma inside@{u} : 1 = 2. Admitted. End s.
`,
  'true.v': `${OWN}
Lemma swapped : forall P Q : Prop, P /\\ Q -> Q /\\ P. Admitted.
Lemma added : forall n : ${DATATYPES}.nat, n + 0 = n. Admitted.
Lemma twice : forall b : ${DATATYPES}.bool, ${DATATYPES}.negb (${DATATYPES}.negb b) = b. Admitted.
`,
};

describe.skipIf(findExecutable(['coqc']) === undefined)('a file with names of its own', () => {
  let caller: Caller;
  beforeAll(async () => {
    caller = await openCaller(FILES);
  });
  afterAll(() => caller.close());

  const refute = async (file: keyof typeof FILES): Promise<readonly RefutationResult[]> => {
    const { results } = await caller.call('proof_refute', { file, budget: 20 });
    return results as readonly RefutationResult[];
  };
  const outcomes = async (file: keyof typeof FILES) =>
    (await refute(file)).map(({ theorem, outcome }) => `${theorem} ${outcome}`);

  it('has what is false in it refuted', async () => {
    expect(await outcomes('false.v')).toEqual(
      ['numbers', 'theirs', 'functions', 'predicates', 'identity_is_constant'].map(
        (name) => `${name} refuted`,
      ),
    );
    expect(await outcomes('constructor.v')).toEqual(['f refuted']);
    expect(await outcomes('notations.v')).toEqual(['f refuted']);
  }, 600_000);

  it('is told what keeps a statement from being tried', async () => {
    const [told] = await refute('words.v');
    expect(told).toMatchObject({ outcome: 'not-tried' });
    expect(told?.message).toContain('a notation of the file');
  }, 600_000);

  it('has statements with named universe levels refuted, as polymorphic as they are', async () => {
    const [first, second, inside] = await refute('levels.v');
    expect(first).toMatchObject({ outcome: 'refuted' });
    expect(first?.negation).toContain('Polymorphic Theorem o_false@{u} :');
    expect(second).toMatchObject({ outcome: 'refuted' });
    expect(inside).toMatchObject({ outcome: 'not-tried' });
    expect(inside?.message).toContain('names universe levels');
  }, 600_000);

  it('has what is true in it proved, its goals shown, and similar proofs found', async () => {
    const { results } = await caller.call('proof_search', { file: 'true.v', budget: 20 });
    expect((results as readonly { readonly outcome: string }[]).map(({ outcome }) => outcome)).toEqual([
      'proved',
      'proved',
      'proved',
    ]);
    const { goals } = await caller.call('rocq_goals', { file: 'true.v', theorem: 'added' });
    expect(JSON.stringify(goals)).toContain('n + 0 = n');
    const similar = await caller.call('rocq_similar_proofs', { file: 'true.v', theorem: 'twice' });
    expect(JSON.stringify(similar)).toContain('zero');
  }, 600_000);
});
