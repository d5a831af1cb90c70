/** The search on the real Rocq: what it must prove, what it must not claim, and that a run can be repeated. */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Prover } from '../core/prover.ts';
import { entryAt } from '../core/entry.ts';
import { outlineOf } from '../provers/rocq/syntax/outline.ts';
import { findRocq } from '../sessions/find-rocq.ts';
import {
  proveFile,
  type Judge,
  type ProveEvent,
  type ProveRequest,
  type TheoremResult,
} from './prove-file.ts';
import { replaced } from '../core/replacement.ts';
import { credulous } from './testing/credulous-judge.ts';

const FILE = `From Coq Require Import List Arith Lia.
Import ListNotations.

Fixpoint double (n : nat) : nat := match n with 0 => 0 | S m => S (S (double m)) end.

Lemma double_plus n : double n = n + n.
Proof.
  induction n as [| n IH]; simpl.
  - reflexivity.
  - rewrite IH. lia.
Qed.

Lemma double_add n m : double (n + m) = double n + double m.
Proof. Admitted.

Lemma and_swap (A B C : Prop) : A /\\ B /\\ C -> C /\\ B /\\ A.
Proof.
Admitted.

Lemma exists_double : exists n, double n = 6.
Abort.

Lemma app_nil_twice (A : Type) (l : list A) : (l ++ []) ++ [] = l.
Admitted.

Lemma wrong n : double n = n.
Admitted.
`;

/** Relations whose operations are definitions behind notations: nothing of them shows until it is unfolded. */
const RELATIONS = `From Coq Require Import Relations.
Section Relations.
Variable A : Type.
Implicit Types r s : A -> A -> Prop.
Definition incl r s := forall x y, r x y -> s x y.
Definition seq r s x y := exists z, r x z /\\ s z y.
Definition functional r := forall x y z, r x y -> r x z -> y = z.
Notation "r <<= s" := (incl r s) (at level 60).
Notation "r ;; s" := (seq r s) (at level 40).

Lemma closure_mono r s : r <<= s -> clos_trans A r <<= clos_trans A s.
Proof. Admitted.

Lemma closure_begin r : clos_trans A r <<= r ;; clos_refl_trans A r.
Proof. Admitted.

Lemma seq_functional r s : functional r -> functional s -> functional (r ;; s).
Proof. Admitted.
End Relations.
`;

/** The fact is about a compound term, which an induction forgets unless it is remembered. */
const LOOP = `Inductive command := Skip | Loop (c : command).
Inductive runs : command -> nat -> Prop :=
  | runs_skip n : runs Skip n
  | runs_loop c n m : runs c n -> runs (Loop c) m -> runs (Loop c) (n + m).

Theorem never_ends c n : ~ runs (Loop c) n.
Proof. Admitted.
`;

/** Each statement stands among its own hypotheses, where any tactic would find it. */
const RECURSIVE = `Fixpoint add_zero (n : nat) : n + 0 = n.
Proof. Admitted.

CoInductive stream := cons : nat -> stream -> stream.
CoInductive same : stream -> stream -> Prop :=
  | same_cons n s t : same s t -> same (cons n s) (cons n t).

Lemma same_symmetric : forall s t, same s t -> same t s.
Proof. Admitted.

CoFixpoint same_reflexive (s : stream) : same s s.
Proof. Admitted.
`;

/** Everything is hidden in definitions, and what is needed stands in fields of a record. */
const EXECUTION = `From Coq Require Import Relations.
Definition rel := nat -> nat -> Prop.
Definition subrel (r s : rel) := forall x y, r x y -> s x y.
Definition comp (r s : rel) : rel := fun x y => exists z, r x z /\\ s z y.
Definition irreflexive (r : rel) := forall x, ~ r x x.
Definition acyclic (r : rel) := irreflexive (clos_trans nat r).

Lemma acyclic_irreflexive r : acyclic r -> irreflexive r.
Proof. Admitted.

Lemma closure_comp r : subrel (comp (clos_trans nat r) (clos_trans nat r)) (clos_trans nat r).
Proof. Admitted.

Section Execution.
Variables rf co same_location : rel.
Record well_formed : Prop := {
  rf_located : subrel rf same_location;
  co_located : subrel co same_location;
  co_irreflexive : irreflexive co }.
Hypothesis WF : well_formed.

Lemma located x y : rf x y \\/ co x y -> same_location x y.
Proof. Admitted.

Lemma co_apart x y : co x y -> x <> y.
Proof. Admitted.
End Execution.
`;

let prover: Prover;
// The lemmas of the libraries are listed once for all tests.
const cacheDirectory = mkdtempSync(join(tmpdir(), 'quod-search-test-'));
afterAll(() => rmSync(cacheDirectory, { recursive: true }));

beforeAll(async () => {
  prover = await findRocq('auto');
});

async function prove(
  text: string,
  changes: Partial<ProveRequest> = {},
  listen: (event: ProveEvent) => void = () => {},
): Promise<{ results: TheoremResult[]; events: ProveEvent[] }> {
  const events: ProveEvent[] = [];
  const results = await proveFile(
    {
      file: join(tmpdir(), 'quod_search_test.v'),
      text,
      theorems: 'all-holes',
      nodes: 400,
      jobs: 1,
      seed: 1,
      prover,
      cacheDirectory,
      // What Rocq says of the proofs is asked by `errorsOf`.
      judge: credulous,
      signal: new AbortController().signal,
      ...changes,
    },
    (event) => {
      events.push(event);
      listen(event);
    },
  );
  return { results, events };
}

function fill(text: string, results: readonly TheoremResult[]): string {
  return replaced(
    text,
    results.flatMap(({ outcome }) => (outcome.kind === 'proved' ? [outcome.replacement] : [])),
  );
}

function kindsOf(results: readonly TheoremResult[]): [theorem: string, outcome: string][] {
  return results.map(({ theorem, outcome }) => [theorem, outcome.kind]);
}

/** Errors that a fresh session meets in the text. */
async function errorsOf(text: string): Promise<string[]> {
  const { events } = await prove(`${text}\nGoal True. Admitted.`, { nodes: 1 });
  return events.flatMap((event) => (event.kind === 'file-error' ? [event.error.message] : []));
}

// The embedded Rocq takes its time where there is no other.
describe('proveFile', { timeout: 600_000 }, () => {
  it('proves what it can, says of the rest that it did not, and gives proofs that Rocq accepts', async () => {
    const { results } = await prove(FILE);
    expect(kindsOf(results)).toEqual([
      ['double_add', 'proved'],
      ['and_swap', 'proved'],
      ['exists_double', 'proved'],
      ['app_nil_twice', 'proved'],
      ['wrong', 'not-proved'],
    ]);
    const filled = fill(FILE, results);
    expect(filled).not.toContain('Abort');
    expect(filled.match(/Admitted/gu)).toHaveLength(1);
    expect(await errorsOf(filled)).toEqual([]);
  });

  it('takes no proof for a hole before Rocq refused it', async () => {
    const finished = `Definition three : nat. Proof. first [exact 3 | admit]. Defined.
Lemma named : forall admit : False, 1 = 2.
Proof. intro admit. destruct admit. Qed.
Class Valued := { value : nat }.
#[refine, export] Instance five : Valued := {| value := 5 |}.
Defined.
`;
    const given = 'Lemma given : 2 = 2. Proof. idtac. admit. Qed.\nLemma empty : 3 = 3. Proof. Qed.\n';
    const { results, events } = await prove(finished + given);
    expect(kindsOf(results)).toEqual([
      ['given', 'proved'],
      ['empty', 'proved'],
    ]);
    expect(fill(finished + given, results).startsWith(finished)).toBe(true);
    expect(events.find(({ kind }) => kind === 'theorem-started')).toMatchObject({ openAbove: [], total: 2 });
    expect((await prove(finished)).results).toEqual([]);
    const byName = await prove(finished, { theorems: ['named'] });
    expect(byName.results).toEqual([]);
    expect(byName.events).toContainEqual(
      expect.objectContaining({ kind: 'finished-already', theorem: 'named' }),
    );
    const { sentence } = entryAt(outlineOf(finished).statements, 1, 'statement');
    const byPlace = await prove(finished, { theorems: { sentences: [sentence] } });
    expect(kindsOf(byPlace.results)).toEqual([['named', 'proved']]);
  });

  it('does not call a proof finished of which Rocq does not say it', async () => {
    const { identity, capabilities } = prover;
    /** Has a second for each sentence, so that it does not come to the end of what takes minutes. */
    const hasty: Prover = {
      ...{ identity, capabilities },
      openSession: async (context) => {
        const session = await prover.openSession(context);
        const run = session.run.bind(session);
        session.run = (state, sentence, limits) => run(state, sentence, { ...limits, timeoutMs: 1000 });
        return session;
      },
    };
    const slow = 'Lemma slow : True.\nProof. do 2000000000 idtac. first [exact I | admit]. Qed.\n';
    for (const theorems of [['slow'], 'all-holes'] as const) {
      const { results, events } = await prove(slow, { theorems, prover: hasty });
      expect(results).toEqual([]);
      expect(events.map(({ kind }) => kind)).toContain('file-error');
      expect(events.map(({ kind }) => kind)).not.toContain('finished-already');
    }
  });

  it('gives the same proofs from the same nodes and seed', async () => {
    const first = await prove(FILE, { nodes: 150 });
    const second = await prove(FILE, { nodes: 150 });
    const told = (results: readonly TheoremResult[]): unknown[] =>
      results.map(({ outcome, nodes }) => [outcome, nodes]);
    expect(told(second.results)).toEqual(told(first.results));
  });

  it('keeps to its nodes', async () => {
    const { results } = await prove(FILE, { theorems: ['wrong'], nodes: 30 });
    expect(results[0]?.outcome).toMatchObject({ kind: 'not-proved', reason: 'budget-exhausted' });
    expect(results[0]?.nodes).toBeLessThan(45);
  });

  it('does not report what the judge refuses, and shows what it was', async () => {
    const refuse: Judge = () => Promise.resolve({ kind: 'rejected', message: 'No.' });
    const { results } = await prove(FILE, { theorems: ['and_swap'], judge: refuse });
    expect(results[0]?.outcome).toMatchObject({ kind: 'not-proved', reason: 'not-verified', message: 'No.' });
    expect(results[0]?.outcome).toHaveProperty('refusedScript', expect.stringMatching(/^Proof\.[^]*Qed\.$/u));
  });

  it('says of a proof that nobody could judge neither that it is one nor that there is none', async () => {
    const absent: Judge = () =>
      Promise.resolve({ kind: 'unknown', reason: 'prover-missing', message: 'There is no coqc.' });
    const { results } = await prove(FILE, { theorems: ['and_swap'], judge: absent });
    expect(results[0]?.outcome).toMatchObject({
      kind: 'not-judged',
      reason: 'prover-missing',
      message: 'There is no coqc.',
      script: expect.stringMatching(/^Proof\.[^]*Qed\.$/u) as string,
    });
  });

  it('names the open statements that a proof rests on, once the last of them is settled', async () => {
    const text = 'Lemma a : 1 = 1.\nAdmitted.\nLemma b : 2 = 2.\nAdmitted.\nLemma c : 3 = 4.\nAdmitted.\n';
    // As if b rested on a and on c.
    const entangled: Judge = ({ text: filled, theorems }) =>
      Promise.resolve({
        kind: 'accepted',
        warnings: [],
        restOn: theorems.map(({ name }) => ({
          openStatements: [
            ...(name === 'b' && filled.includes('1 = 1.\nAdmitted') ? ['a'] : []),
            ...(name === 'b' ? ['c'] : []),
          ],
          axioms: [],
        })),
      });
    const { results, events } = await prove(text, { judge: entangled, nodes: 20 });
    expect(results.map(({ theorem, outcome }) => [theorem, outcome.kind])).toEqual([
      ['a', 'proved'],
      ['b', 'proved-but'],
      ['c', 'not-proved'],
    ]);
    expect(results[1]?.outcome).toMatchObject({ restsOnOpen: ['c'] });
    const told = events.flatMap((event) => (event.kind === 'theorem-finished' ? [event.result.theorem] : []));
    expect(told.toSorted()).toEqual(['a', 'b', 'c']);
    expect(told.at(-1)).toBe('b');
    // Both are told as soon as they are known: what may be used, and what is used.
    const started = events.flatMap((event) =>
      event.kind === 'theorem-started' ? [[event.theorem, ...event.openAbove]] : [],
    );
    expect(started).toEqual([['a'], ['b'], ['c']]);
    const waits = events.findIndex((event) => event.kind === 'theorem-waits');
    expect(events[waits]).toMatchObject({
      theorem: 'b',
      restsOnOpen: expect.arrayContaining(['c']) as unknown,
    });
    expect(waits).toBeLessThan(
      events.findIndex((event) => event.kind === 'theorem-finished' && event.result.theorem === 'b'),
    );
  });

  it('says when a search begins what is open above it, and may be used', async () => {
    const text =
      'Lemma a : 1 = 2.\nAdmitted.\nLemma gone : 1 = 3.\nAbort.\nLemma b : 2 = 2.\nAdmitted.\nLemma c : 4 = 4.\nAdmitted.\n';
    const { events } = await prove(text, { theorems: ['b', 'c'], nodes: 20 });
    const started = events.flatMap((event) =>
      event.kind === 'theorem-started' ? [[event.theorem, ...event.openAbove]] : [],
    );
    expect(started).toEqual([
      ['b', 'a'],
      ['c', 'a'],
    ]);
  });

  it('proves by recursion and coinduction what Rocq’s guard condition accepts', async () => {
    const { results } = await prove(RECURSIVE, { nodes: 1500 });
    expect(kindsOf(results)).toEqual([
      ['add_zero', 'proved'],
      ['same_symmetric', 'proved'],
      ['same_reflexive', 'proved'],
    ]);
    expect(await errorsOf(fill(RECURSIVE, results))).toEqual([]);
  });

  it('reports errors before a hole and searches behind them', async () => {
    const broken = FILE.replace('rewrite IH. lia.', 'rewrite nonsense.');
    const { results, events } = await prove(broken, { theorems: ['and_swap'] });
    const errors = events.flatMap((event) =>
      event.kind === 'file-error' ? [event.error.place.position] : [],
    );
    expect(errors).toEqual([{ line: 10, column: 12 }]);
    expect(results[0]?.outcome.kind).toBe('proved');
  });

  it('stops when it is told to', async () => {
    const stop = new AbortController();
    const { results } = await prove(
      FILE,
      { theorems: ['wrong'], signal: stop.signal, nodes: 1_000_000 },
      ({ kind }) => {
        if (kind === 'file-loaded') setTimeout(() => stop.abort(), 1000);
      },
    );
    expect(results.map(({ outcome }) => outcome.kind)).toEqual(['not-proved']);
  });

  it('respects the line ends and the indentation of the file', async () => {
    const windows = FILE.replaceAll('\n', '\r\n');
    const { results } = await prove(windows, { theorems: ['and_swap'] });
    const filled = fill(windows, results);
    expect(filled.replaceAll('\r\n', '')).not.toContain('\n');
    expect(filled).toContain('Proof.\r\n  ');
  });

  it('keeps what the author wrote and fills only the open places', async () => {
    const text = `From Coq Require Import Lia.
Lemma both n m : n + m = m + n /\\ n <= n + m /\\ 0 <= m.
Proof.
  (* The author's own way. *)
  repeat split.
  - admit.
  - lia.
  - give_up.
Admitted.
`;
    const { results } = await prove(text);
    const filled = fill(text, results);
    expect(filled).toContain("  (* The author's own way. *)\n  repeat split.\n  - ");
    expect(filled).toContain('\n  - lia.\n  - ');
    expect(filled).not.toMatch(/admit|give_up|Admitted/u);
    expect(await errorsOf(filled)).toEqual([]);
  });

  it('does not use what Proof using leaves out, and writes out what its strategies did', async () => {
    const text = `Section S.
Variables (P Q : nat -> Prop) (p : forall n, P n) (q : forall n, Q n).
Hypothesis shortcut : forall n, P n /\\ Q n.
Lemma all n : P n /\\ Q n.
Proof using p q.
Admitted.
End S.
`;
    const { results } = await prove(text);
    const filled = fill(text, results);
    expect(results[0]?.outcome.kind).toBe('proved');
    expect(filled).not.toMatch(/do \d+ try|match goal/u);
    expect(await errorsOf(filled)).toEqual([]);
  });

  it('leaves an instance alone that has nothing to prove', async () => {
    const text = `Class Marked (A : Type) := {}.
#[export] Instance nat_marked : Marked nat.
Proof. Defined.
`;
    expect((await prove(text)).results).toEqual([]);
    const { sentence } = entryAt(outlineOf(text).statements, 0, 'statement');
    const { results } = await prove(text, { theorems: { sentences: [sentence] } });
    expect(results.map(({ outcome }) => outcome.kind)).toEqual(['proved']);
    expect(fill(text, results)).toBe(text);
  });
});

it('sees through definitions that notations hide', async () => {
  const { results } = await prove(RELATIONS, { nodes: 2500 });
  expect(kindsOf(results)).toEqual([
    ['closure_mono', 'proved'],
    ['closure_begin', 'proved'],
    ['seq_functional', 'proved'],
  ]);
  for (const { outcome } of results)
    expect(outcome.kind === 'proved' ? outcome.script : '').not.toMatch(/match goal|repeat/u);
});

it('uses the fields of a record, and what definitions hide in each other', async () => {
  const { results } = await prove(EXECUTION, { nodes: 600 });
  expect(kindsOf(results)).toEqual([
    ['acyclic_irreflexive', 'proved'],
    ['closure_comp', 'proved'],
    ['located', 'proved'],
    ['co_apart', 'proved'],
  ]);
  expect(await errorsOf(fill(EXECUTION, results))).toEqual([]);
});

it('remembers what an induction would forget', async () => {
  const { results } = await prove(LOOP);
  expect(results).toMatchObject([{ theorem: 'never_ends', outcome: { kind: 'proved' } }]);
});

it('does in an open place what the author did in the places beside it', async () => {
  const text = `From Coq Require Import List.
Import ListNotations.
Inductive expr := Const (n : nat) | Plus (a b : expr) | Times (a b : expr).
Inductive instruction := Push (n : nat) | Add | Multiply.
Fixpoint compile e :=
  match e with
  | Const n => [Push n]
  | Plus a b => compile a ++ compile b ++ [Add]
  | Times a b => compile a ++ compile b ++ [Multiply]
  end.

Lemma compile_not_nil e : compile e <> [].
Proof.
  destruct e; simpl.
  - discriminate.
  - intros H. apply app_eq_nil in H as [_ H]. apply app_eq_nil in H as [_ H]. discriminate.
  - admit.
Admitted.
`;
  const { results } = await prove(text, { nodes: 100 });
  expect(results).toMatchObject([{ outcome: { kind: 'proved' } }]);
  expect(await errorsOf(fill(text, results))).toEqual([]);
});

it('gives arithmetic what lemmas say of the terms of the goal', async () => {
  const text = `From Coq Require Import Lia.
Fixpoint half n := match n with S (S m) => S (half m) | _ => 0 end.
Lemma half_le n : half n <= n.
Proof. enough (half n <= n /\\ half (S n) <= S n) by tauto. induction n; simpl in *; lia. Qed.

Lemma halves a b c : half (a + b) + half (b * c) < 2 * a + b + b * c + 1.
Proof. Admitted.
`;
  const { results } = await prove(text, { nodes: 150 });
  expect(results).toMatchObject([{ outcome: { kind: 'proved' } }]);
  expect(fill(text, results)).toContain('  pose proof (half_le (a + b)).\n');
});

it('finds what exists behind a definition, and goes by induction on a premise at once', async () => {
  const text = `From Coq Require Import Lia.
Definition divides (d n : nat) : Prop := exists k, n = k * d.
Lemma divides_trans a b c : divides a b -> divides b c -> divides a c.
Proof. Admitted.

Section Invariant.
Context {A : Type} (R : A -> A -> Prop) (P : A -> Prop).
Inductive star : A -> A -> Prop :=
  | star_refl x : star x x
  | star_step x y z : R x y -> star y z -> star x z.
Hypothesis preserved : forall x y, R x y -> P x -> P y.
Lemma invariant x y : star x y -> P x -> P y.
Proof. Admitted.
End Invariant.
`;
  const { results } = await prove(text, { nodes: 200 });
  expect(kindsOf(results)).toEqual([
    ['divides_trans', 'proved'],
    ['invariant', 'proved'],
  ]);
});
