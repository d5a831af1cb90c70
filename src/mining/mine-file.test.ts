import { describe, expect, it, test } from 'vitest';
import { findExecutable } from '../process/executable.ts';
import type { Item } from './item.ts';
import { mineText, refusedItems } from './testing/mine-text.ts';

/** Mines a text without errors and runs every item again behind nothing at all. */
async function mined(text: string, prelude = ''): Promise<readonly Item[]> {
  const { items, errors, counts } = await mineText(text);
  expect(errors.map(String)).toEqual([]);
  expect(counts.replayed).toBe(counts.proofs);
  expect(await refusedItems(prelude, items)).toEqual([]);
  return items;
}

const statements = (items: readonly Item[]): string[] => items.map(({ statement }) => statement);
const withGoal = (items: readonly Item[], goal: string, tactic: string): Item | undefined =>
  items.find((item) => item.goal === goal && item.tactics[0] === tactic);

describe('goal selectors', () => {
  it('without one: bullets (appendix B, first form)', async () => {
    const items = await mined(`Theorem test2nat1 : forall n : nat, n = 0 \\/ n <> 0.
Proof.
  destruct n.
  - left; auto.
  - right; auto.
Qed.`);
    expect(statements(items)).toContain(': 0 = 0 \\/ 0 <> 0');
    expect(statements(items)).toContain('(n : nat) : S n = 0 \\/ S n <> 0');
    expect(items.filter(({ isOriginal }) => isOriginal)).toHaveLength(1);
  });

  // As the appendix prints it, `auto` leaves the second goal open; with `solve` it is the proof that it speaks of.
  it('all: each goal gets its own step (appendix B, second form)', async () => {
    const items = await mined(`Theorem test2nat1 : forall n : nat, n = 0 \\/ n <> 0.
Proof.
  intros n.
  destruct n.
  all: try (left; solve [auto]) || (right; auto).
Qed.`);
    expect(
      withGoal(items, 'S n = 0 \\/ S n <> 0', 'try (left; solve [auto]) || (right; auto)'),
    ).toBeDefined();
    expect(withGoal(items, '0 = 0 \\/ 0 <> 0', 'try (left; solve [auto]) || (right; auto)')).toBeDefined();
    const root = withGoal(items, 'n = 0 \\/ n <> 0', 'destruct n');
    expect(root?.proof).toContain('try (left; solve [auto])');
  });

  it('1,3: and ranges', async () => {
    const items = await mined(`Lemma four : (1 = 1 /\\ True) /\\ (2 = 2 /\\ True).
Proof.
  split; split.
  1, 3: reflexivity.
  1-2: exact I.
Qed.`);
    expect(withGoal(items, '1 = 1', 'reflexivity')).toBeDefined();
    expect(withGoal(items, '2 = 2', 'reflexivity')).toBeDefined();
    expect(withGoal(items, 'True', 'exact I')).toBeDefined();
    expect(withGoal(items, '1 = 1 /\\ True', 'split')?.proof).toBe('split.\n- reflexivity.\n- exact I.');
  });

  it('a number alone, also before a brace', async () => {
    const items = await mined(`Lemma two : forall n, n = n /\\ (n = 0 -> n <= 0).
Proof.
  intros n. split.
  2: { intros H. rewrite H. apply le_n. }
  1: reflexivity.
Qed.`);
    expect(withGoal(items, 'n <= 0', 'rewrite H')).toBeDefined();
    expect(withGoal(items, 'n = n /\\ (n = 0 -> n <= 0)', 'split')?.tactics).toEqual([
      'split',
      'reflexivity',
      'intros H',
      'rewrite H',
      'apply le_n',
    ]);
  });

  it('a name', async () => {
    const items = await mined(`Lemma named : exists n, n = 1 /\\ n <= 1.
Proof.
  refine (ex_intro _ 1 (conj ?[left] ?[right])).
  [right]: apply le_n.
  [left]: reflexivity.
Qed.`);
    expect(withGoal(items, '1 <= 1', 'apply le_n')).toBeDefined();
    expect(withGoal(items, '1 = 1', 'reflexivity')).toBeDefined();
  });

  it('par and !', async () => {
    const items = await mined(`Lemma both : 1 = 1 /\\ 2 = 2.
Proof.
  !: split.
  par: reflexivity.
Qed.`);
    expect(withGoal(items, '1 = 1', 'reflexivity')).toBeDefined();
    expect(withGoal(items, '2 = 2', 'reflexivity')).toBeDefined();
  });

  it('Focus and Unfocus', async () => {
    const items = await mined(`Lemma focused : 1 = 1 /\\ (2 = 2 -> 3 = 3).
Proof.
  split.
  Focus 2. intros H. Unfocus.
  reflexivity. reflexivity.
Qed.`);
    expect(withGoal(items, '3 = 3', 'reflexivity')).toBeDefined();
  });

  it('a tactic that needs all goals at once stands for them together', async () => {
    const { items, counts } = await mineText(`Lemma together : 1 = 1 /\\ 2 = 2.
Proof.
  split.
  all: let n := numgoals in guard n = 2; reflexivity.
Qed.`);
    expect(counts.joint).toBe(1);
    expect(items.map(({ isOriginal }) => isOriginal)).toEqual([true]);
    expect(counts.failures.joint).toBe(2);
  });
});

test('the state after two steps is the theorem of appendix A', async () => {
  const text = `Lemma eq_trans (A : Type) : forall (x y z : A), x = y -> y = z -> x = z.
Proof.
  intros x y z Hxy Hyz.
  rewrite Hxy.
  rewrite Hyz.
  reflexivity.
Qed.`;
  const { items } = await mineText(text, { after: 2 });
  expect(items).toHaveLength(1);
  expect(items[0]).toMatchObject({
    statement: '(A : Type) (x : A) (y : A) (z : A) (Hxy : x = y) (Hyz : y = z) : y = z',
    proof: 'rewrite Hyz.\nreflexivity.',
    tactics: ['rewrite Hyz', 'reflexivity'],
    theorem: 'eq_trans',
    step: 2,
    depth: 2,
    isOriginal: false,
    line: 5,
    column: 2,
  });
  expect(await refusedItems('', items)).toEqual([]);
});

describe('chains', () => {
  it('show the goals inside them, and keep their own text where they stand', async () => {
    const items = await mined(`Lemma chain : forall n m : nat, n = m -> S n = S m /\\ n = m.
Proof. intros n m H; split; [ rewrite H | exact H ]; reflexivity || idtac. Qed.`);
    const inner = items.find(({ goal, origin }) => origin === 'chain' && goal === 'S n = S m /\\ n = m');
    expect(inner?.tactics[0]).toBe('split');
    expect(items.find(({ isOriginal }) => isOriginal)?.first).toBe('intros n m H');
  });

  it('of rewrites show the goal between them', async () => {
    const items = await mined(`Lemma rewrites : forall a b c : nat, a = b -> b = c -> c = a.
Proof. intros a b c H K. rewrite H, K. reflexivity. Qed.`);
    expect(withGoal(items, 'c = b', 'rewrite K')).toMatchObject({
      origin: 'chain',
      proof: 'rewrite K.\nreflexivity.',
    });
    expect(withGoal(items, 'c = a', 'rewrite H, K')?.first).toBe('rewrite H');
  });

  it('of SSReflect’s rewrites likewise', async () => {
    const prelude = 'From Coq Require Import ssreflect.';
    const items = await mined(
      `${prelude}
Lemma rewrites : forall a b c : nat, a = b -> (a = b -> b = c) -> c = a /\\ a = a.
Proof. move=> a b c H K. rewrite H -K //=. Qed.`,
      prelude,
    );
    expect(items.map(({ tactics }) => tactics[0])).toContain('rewrite -K');
  });

  it('that backtrack are left whole', async () => {
    const { counts, items } = await mineText(`Lemma back : exists n, n = 1.
Proof. (exists 0 + exists 1); reflexivity. Qed.`);
    expect(counts.chainsKept).toBe(1);
    expect(items).toHaveLength(1);
  });
});

describe('what cannot be a theorem of its own is counted', () => {
  it('goals with existential variables, whose parents can', async () => {
    const { items, counts } = await mineText(`Lemma ex : 0 = 0 -> exists n, n = 1 /\\ True.
Proof. intros H. eexists. split. - reflexivity. - exact I. Qed.`);
    expect(counts.failures.existential).toBe(2);
    expect(items.map(({ tactics }) => tactics[0])).toContain('eexists');
    expect(await refusedItems('', items)).toEqual([]);
  });

  it('goals on the shelf', async () => {
    const { items } = await mineText(`Lemma shelf : exists n, n = 1 /\\ True.
Proof. unshelve eexists. shelve. split. reflexivity. exact I. Unshelve. Qed.`);
    expect(await refusedItems('', items)).toEqual([]);
  });

  it('proofs with commands in them', async () => {
    const { counts, items } = await mineText(`Lemma command : 1 + 1 = 2 /\\ True.
Proof. Local Opaque Nat.add. split. Local Transparent Nat.add. reflexivity. exact I. Qed.`);
    expect(counts.failures.command).toBeGreaterThan(0);
    expect(items.every(({ isOriginal }) => isOriginal)).toBe(true);
  });
});

test('variables of a section stay where they are, unless a tactic changed them', async () => {
  const prelude = `Section S.
Variable A : Type.
Variable f : A -> A.
Hypothesis involutive : forall x, f (f x) = x.
Definition twice (x : A) := f (f x).`;
  const items = await mined(
    `${prelude}
Lemma again (x : A) : twice (twice x) = x.
Proof. unfold twice. rewrite involutive. apply involutive. Qed.
End S.`,
    prelude,
  );
  const item = withGoal(items, 'f (f (f (f x))) = x', 'rewrite involutive');
  expect(item?.statement).toBe('(x : A) : f (f (f (f x))) = x');
  expect(item?.hypotheses.filter(({ section }) => section === true).map(({ name }) => name)).toEqual([
    'A',
    'f',
    'involutive',
  ]);
  expect(item?.names).toEqual([]);
});

test('what does not read back is written out', async (context) => {
  // The embedded Rocq does not print terms with everything in them.
  context.skip(findExecutable(['coqidetop.opt', 'coqidetop']) === undefined, 'no native Rocq');
  const lemma = (name: string): string => `Lemma ${name} : @nil nat = nil /\\ @nil bool = nil.
Proof. split. - reflexivity. - reflexivity. Qed.`;
  const { items } = await mineText(['a', 'b', 'c', 'd'].map(lemma).join('\n'));
  const explicit = items.find(({ printing }) => printing === 'all');
  expect(explicit?.statement).toMatch(/^: @eq \(list (?:nat|bool)\) /u);
  expect(explicit?.goal).toBe('nil = nil');
  expect(await refusedItems('', items)).toEqual([]);
});

test('a proof that fails costs itself, not the file', async () => {
  const { items, counts, errors } = await mineText(`Lemma wrong : 1 = 2. Proof. reflexivity. Qed.
Lemma right : 1 = 1. Proof. reflexivity. Qed.`);
  expect(counts).toMatchObject({ proofs: 2, replayed: 1, refused: 0 });
  expect(errors).toHaveLength(1);
  expect(items.map(({ theorem }) => theorem)).toEqual(['right']);
});
