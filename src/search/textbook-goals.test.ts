/** What the first chapters of a textbook ask for, by class: each was not found within so few nodes before the class was known. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findRocq } from '../sessions/find-rocq.ts';
import { proveFile } from './prove-file.ts';
import { credulous } from './testing/credulous-judge.ts';

const FUNCTOR = `Module Type MONOID.
  Parameter t : Type.
  Parameter op : t -> t -> t.
  Parameter e : t.
  Axiom assoc : forall a b c, op a (op b c) = op (op a b) c.
  Axiom id_left : forall a, op e a = a.
  Axiom id_right : forall a, op a e = a.
End MONOID.
Module Twice (M : MONOID).
  Theorem four : forall a b c d, M.op (M.op a b) (M.op c d) = M.op a (M.op (M.op b c) d).
  Proof. Admitted.
End Twice.
Module Type RIGHT.
  Parameter t : Type.
  Parameter op : t -> t -> t.
  Parameter e : t.
  Axiom id_right : forall a, op (op a e) e = a.
End RIGHT.
Module Other (M : RIGHT).
  Theorem unit_twice : forall a, M.op (M.op a M.e) M.e = a.
  Proof. Admitted.
End Other.
`;

const ACCUMULATORS = `Require Import List Lia.
Import ListNotations.
Fixpoint rev_onto {A} (l acc : list A) : list A :=
  match l with [] => acc | x :: r => rev_onto r (x :: acc) end.
Fixpoint reverse {A} (l : list A) : list A := match l with [] => [] | x :: r => reverse r ++ [x] end.
Theorem rev_onto_nil : forall (A : Type) (l : list A), rev_onto l [] = reverse l.
Proof. Admitted.
Fixpoint sum_on (l : list nat) (n : nat) : nat := match l with [] => n | x :: r => sum_on r (x + n) end.
Fixpoint sum (l : list nat) : nat := match l with [] => 0 | x :: r => x + sum r end.
Theorem sum_on_zero : forall l, sum_on l 0 = sum l.
Proof. Admitted.
`;

const VALUES = `Inductive light := red | amber | green.
Definition next c := match c with red => green | green => amber | amber => red end.
Theorem square : exists n, n * n = 49.
Proof. Admitted.
Theorem before_red : exists c, next c = red.
Proof. Admitted.
Theorem halves : exists p : nat * nat, fst p + snd p = 4 /\\ fst p = snd p.
Proof. Admitted.
Theorem triangle : exists a b c, 0 < a /\\ 0 < b /\\ a * a + b * b = c * c.
Proof. Admitted.
Theorem not_all : ~ (forall n, n * n = n + n).
Proof. Admitted.
`;

const SORTED = `Require Import List Arith Lia.
Import ListNotations.
Fixpoint insert (x : nat) (l : list nat) : list nat :=
  match l with [] => [x] | y :: r => if x <=? y then x :: y :: r else y :: insert x r end.
Inductive sorted : list nat -> Prop :=
| sorted_nil : sorted []
| sorted_one : forall x, sorted [x]
| sorted_cons : forall x y l, x <= y -> sorted (y :: l) -> sorted (x :: y :: l).
Theorem insert_sorted : forall x l, sorted l -> sorted (insert x l).
Proof. Admitted.
`;

const KEPT = SORTED.replace(
  /Theorem insert_sorted[^.]*\./u,
  `Fixpoint isort (l : list nat) : list nat := match l with [] => [] | x :: r => insert x (isort r) end.
Theorem isort_sorted : forall l, sorted (isort l).`,
);

const HALVES = `Require Import Lia.
Theorem half : forall n, exists k, n = 2 * k \\/ n = 2 * k + 1.
Proof. Admitted.
Inductive ev : nat -> Prop := ev_0 : ev 0 | ev_SS : forall n, ev n -> ev (S (S n)).
Theorem ev_half : forall n, ev n -> exists k, n = k + k.
Proof. Admitted.
`;

const HELPERS = `Inductive num := Z | Su (n : num).
Fixpoint plus (n m : num) : num := match n with Z => m | Su p => Su (plus p m) end.
Fixpoint double (n : num) : num := match n with Z => Z | Su p => Su (Su (double p)) end.
Theorem double_plus : forall n, double n = plus n n.
Proof. Admitted.
Inductive natlist := nil | cons (n : num) (l : natlist).
Fixpoint app (l k : natlist) : natlist := match l with nil => k | cons x r => cons x (app r k) end.
Fixpoint rev (l : natlist) : natlist := match l with nil => nil | cons x r => app (rev r) (cons x nil) end.
Theorem rev_involutive : forall l, rev (rev l) = l.
Proof. Admitted.
`;

const GROUP = `Section Group.
Variable G : Type.
Variable op : G -> G -> G.
Variable e : G.
Variable inv : G -> G.
Hypothesis assoc : forall a b c, op a (op b c) = op (op a b) c.
Hypothesis id_l : forall a, op e a = a.
Hypothesis inv_l : forall a, op (inv a) a = e.
Theorem inv_r : forall a, op a (inv a) = e.
Proof. Admitted.
End Group.
`;

const PAIRS = `Require Import List.
Import ListNotations.
Fixpoint split {X Y} (l : list (X * Y)) : list X * list Y :=
  match l with [] => ([], []) | (x, y) :: r => let (a, b) := split r in (x :: a, y :: b) end.
Fixpoint combine {X Y} (l : list X) (k : list Y) : list (X * Y) :=
  match l, k with x :: l', y :: k' => (x, y) :: combine l' k' | _, _ => [] end.
Theorem combine_split : forall X Y (l : list (X * Y)) l1 l2, split l = (l1, l2) -> combine l1 l2 = l.
Proof. Admitted.
Theorem split_combine : forall X Y (l1 : list X) (l2 : list Y),
  length l1 = length l2 -> split (combine l1 l2) = (l1, l2).
Proof. Admitted.
`;

const TOGETHER = `Inductive tree := node : nat -> forest -> tree
with forest := fnil : forest | fcons : tree -> forest -> forest.
Fixpoint size (t : tree) : nat := match t with node _ f => S (fsize f) end
with fsize (f : forest) : nat := match f with fnil => 0 | fcons t r => size t + fsize r end.
Fixpoint mirror (t : tree) : tree := match t with node x f => node x (fmirror f) end
with fmirror (f : forest) : forest := match f with fnil => fnil | fcons t r => fcons (mirror t) (fmirror r) end.
Theorem size_mirror : forall t, size (mirror t) = size t.
Proof. Admitted.
`;

const READ = `Require Import List Arith.
Import ListNotations.
Fixpoint evenb (n : nat) : bool := match n with 0 => true | S 0 => false | S (S m) => evenb m end.
Theorem evenb_exists : forall n, evenb n = true -> exists k, n = 2 * k.
Proof. Admitted.
Fixpoint prefix (l l' : list nat) : bool :=
  match l, l' with [], _ => true | x :: r, y :: r' => (x =? y) && prefix r r' | _, _ => false end.
Theorem prefix_exists : forall l l', prefix l l' = true -> exists r, l' = l ++ r.
Proof. Admitted.
`;

const PARITY = `Inductive even : nat -> Prop := even_O : even 0 | even_S : forall n, odd n -> even (S n)
with odd : nat -> Prop := odd_S : forall n, even n -> odd (S n).
Theorem even_plus_even : forall n m, even n -> even m -> even (n + m).
Proof. Admitted.
Theorem odd_plus_odd : forall n m, odd n -> odd m -> even (n + m).
Proof. Admitted.
Theorem even_half : forall n, even n -> exists k, n = k + k.
Proof. Admitted.
`;

const MIRROR = `Require Import List.
Import ListNotations.
Inductive tree := Leaf | Node (l : tree) (x : nat) (r : tree).
Fixpoint mirror t := match t with Leaf => Leaf | Node l x r => Node (mirror r) x (mirror l) end.
Fixpoint elements t := match t with Leaf => [] | Node l x r => elements l ++ x :: elements r end.
Theorem elements_mirror : forall t, elements (mirror t) = rev (elements t).
Proof. Admitted.
`;

const MEMBERS = `Require Import List Arith Lia.
Import ListNotations.
Fixpoint mem (x : nat) (l : list nat) : bool :=
  match l with [] => false | y :: r => if x =? y then true else mem x r end.
Theorem mem_In : forall x l, mem x l = true <-> In x l.
Proof. Admitted.
Fixpoint member (x : nat) (l : list nat) : bool :=
  match l with [] => false | y :: r => (x =? y) || member x r end.
Theorem member_In : forall x l, member x l = true <-> In x l.
Proof. Admitted.
`;

const DECIDED = `Inductive ev : nat -> Prop := ev_0 : ev 0 | ev_SS : forall n, ev n -> ev (S (S n)).
Theorem ev_dec : forall n, {ev n} + {~ ev n}.
Proof. Admitted.
Theorem ev_or : forall n, ev n \\/ ev (S n).
Proof. Admitted.
`;

const STEPS = `Inductive tm := C (n : nat) | P (a b : tm).
Reserved Notation "t --> u" (at level 40).
Inductive step : tm -> tm -> Prop :=
  | ST_Const : forall v1 v2, P (C v1) (C v2) --> C (v1 + v2)
  | ST_L : forall t1 t1' t2, t1 --> t1' -> P t1 t2 --> P t1' t2
  where "t --> u" := (step t u).
Reserved Notation "t -->* u" (at level 40).
Inductive multi : tm -> tm -> Prop :=
  | multi_refl : forall t, t -->* t
  | multi_step : forall t u v, t --> u -> u -->* v -> t -->* v
  where "t -->* u" := (multi t u).
Theorem multi_trans : forall t u v, t -->* u -> u -->* v -> t -->* v.
Proof. Admitted.
Theorem multi_P : forall t u w, t -->* u -> P t w -->* P u w.
Proof. Admitted.
`;

async function found(text: string, nodes: number): Promise<Map<string, string>> {
  const results = await proveFile(
    {
      ...{
        file: join(tmpdir(), 'quod_textbook_test.v'),
        text,
        theorems: 'all-holes',
        nodes,
        jobs: 1,
        seed: 1,
      },
      prover: await findRocq('auto'),
      judge: credulous,
      signal: new AbortController().signal,
    },
    () => {},
  );
  return new Map(
    results.map(({ theorem, outcome }) => [
      theorem,
      outcome.kind === 'proved' ? outcome.script : outcome.kind,
    ]),
  );
}

// The embedded Rocq takes its time where there is no other.
it('uses what the parameter of a functor states, each of its own', { timeout: 600_000 }, async () => {
  const proofs = await found(FUNCTOR, 120);
  expect(proofs.get('four')).toContain('M.assoc');
  expect(proofs.get('unit_twice')).toContain('M.id_right');
});

it('guesses what holds of every value of an accumulator', { timeout: 600_000 }, async () => {
  const proofs = await found(ACCUMULATORS, 150);
  expect(proofs.get('rev_onto_nil')).toContain('reverse l ++ acc');
  expect(proofs.get('sum_on_zero')).toContain('sum l + acc');
});

it('tries small values where computing decides', { timeout: 600_000 }, async () => {
  const proofs = await found(VALUES, 60);
  expect(proofs.get('square')).toMatch(/exists 7\./u);
  expect(proofs.get('before_red')).toMatch(/exists amber\./u);
  expect(proofs.get('halves')).toMatch(/exists \(2, 2\)\./u);
  expect(proofs.get('triangle')).toMatch(/exists 3/u);
  expect(proofs.get('not_all')).toMatch(/specialize \(H \d\)/u);
});

it('reads comparisons where a predicate is derived', { timeout: 600_000 }, async () => {
  const proofs = await found(SORTED, 200);
  expect(proofs.get('insert_sorted')).toContain('Nat.leb_spec');
});

it('gives witnesses in the cases of an induction', { timeout: 600_000 }, async () => {
  const proofs = await found(HALVES, 100);
  expect(proofs.get('half')).toMatch(/exists \(S \w+\)\./u);
  expect(proofs.get('ev_half')).toMatch(/exists \(S \w+\)\./u);
});

it('makes the lemma that an induction inside an induction needs', { timeout: 600_000 }, async () => {
  const proofs = await found(HELPERS, 350);
  expect(proofs.get('double_plus')).toMatch(/plus \w+ \(Su \w+\) = Su \(plus \w+ \w+\)/u);
  expect(proofs.get('rev_involutive')).toContain('generalize (rev l)');
});

it('says the laws of a group of all small terms', { timeout: 600_000 }, async () => {
  const proofs = await found(GROUP, 60);
  // Hundreds of instances are not left in it.
  expect(proofs.get('inv_r')?.match(/pose proof/gu)?.length).toBeLessThan(8);
  expect(proofs.get('inv_r')).toContain('congruence');
});

it('takes equations of pairs apart', { timeout: 600_000 }, async () => {
  const proofs = await found(PAIRS, 250);
  expect(proofs.get('combine_split')).toContain('injection');
  expect(proofs.get('split_combine')).toContain('destruct l2');
});

it('guesses what holds of a type that is defined with another', { timeout: 600_000 }, async () => {
  const proofs = await found(TOGETHER, 60);
  expect(proofs.get('size_mirror')).toContain('(f : forest) : fsize (fmirror f) = fsize f');
});

it('hands what a boolean says to the hypothesis that waits for it', { timeout: 600_000 }, async () => {
  const proofs = await found(READ, 60);
  expect(proofs.get('evenb_exists')).toMatch(/exists \(S \w+\)\./u);
  expect(proofs.get('prefix_exists')).toContain('apply Nat.eqb_eq in');
  for (const proof of proofs.values()) expect(proof).not.toMatch(/\bdo \d+ try\b|match goal/u);
});

it('takes derivations of predicates that are defined together apart', { timeout: 600_000 }, async () => {
  const proofs = await found(PARITY, 100);
  expect(proofs.get('even_plus_even')).toContain('fix IHeven 2.');
  expect(proofs.get('odd_plus_odd')).toContain('fix IHodd 2.');
  expect(proofs.get('even_half')).toContain('proof (IHeven _ H) as IHeven0');
  for (const proof of proofs.values()) expect(proof).not.toMatch(/\brepeat\b|match goal/u);
});

it('brings both sides of an equation to one form', { timeout: 600_000 }, async () => {
  const proofs = await found(MIRROR, 400);
  expect(proofs.get('elements_mirror')).toContain('rewrite <- app_assoc');
});

it('states as a rule what a function keeps', { timeout: 600_000 }, async () => {
  const proofs = await found(KEPT, 250);
  expect(proofs.get('isort_sorted')).toContain('generalize (isort l)');
});

it('takes what is equivalent to a boolean apart in each case', { timeout: 600_000 }, async () => {
  const proofs = await found(MEMBERS, 120);
  for (const theorem of ['mem_In', 'member_In'])
    expect(proofs.get(theorem)).toContain('intuition congruence');
});

it('decides a predicate by an induction as deep as its rules reach', { timeout: 600_000 }, async () => {
  const proofs = await found(DECIDED, 60);
  expect(proofs.get('ev_dec')).toContain('destruct IHn0 as [IHn0|IHn0]');
  expect(proofs.get('ev_or')).toContain('fix IHn 1.');
  for (const proof of proofs.values()) expect(proof).not.toMatch(/\brepeat\b|match goal|first \[/u);
});

it('derives what is written with a notation by its rules, step by step', { timeout: 600_000 }, async () => {
  const proofs = await found(STEPS, 60);
  for (const theorem of ['multi_trans', 'multi_P']) expect(proofs.get(theorem)).toContain('induction H.');
  for (const proof of proofs.values()) expect(proof).not.toMatch(/first \[/u);
});
