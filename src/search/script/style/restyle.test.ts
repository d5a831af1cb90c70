/**
 * What becomes of found proofs, on the real Rocq: each is rewritten, closes its goal still, and is as it was where
 * nothing is better.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asSentence } from '../../../provers/rocq/syntax/sentences.ts';
import { outlineOf } from '../../../provers/rocq/syntax/outline.ts';
import { BULLETS, scriptText, type ScriptTree } from '../../../provers/rocq/syntax/script-tree.ts';
import type { ProverSession, StateId } from '../../../core/prover.ts';
import { present } from '../../../core/entry.ts';
import { sessionOver } from '../../../sessions/session-over.ts';
import { findRocq } from '../../../sessions/find-rocq.ts';
import { ScriptChecker } from '../script-checker.ts';
import { fileStyleOf, type ProofStyle } from './file-style.ts';
import { NameHabits } from './naming.ts';
import { restyle } from './restyle.ts';

const NEVER = new AbortController().signal;
const NOTHING_OPEN = { unfocused: 0, shelved: 0, givenUp: 0 };

let session: ProverSession;

beforeAll(async () => {
  const prover = await findRocq('auto');
  session = await prover.openSession({ file: '/tmp/restyle.v', signal: NEVER });
});

afterAll(() => session.close());

async function stateBehind(text: string): Promise<StateId> {
  let state = session.root;
  for (const sentence of outlineOf(text).sentences) {
    const result = await session.run(state, sentence);
    if (result.status !== 'done') throw new Error(`Rocq refuses ${sentence.text}`);
    state = result.state;
  }
  return state;
}

function tree(...parts: readonly (string | readonly ScriptTree[])[]): ScriptTree {
  const sentences = parts.filter((part) => typeof part === 'string');
  const [children = []] = parts.filter((part) => typeof part !== 'string');
  return { sentences, children };
}

interface Found {
  readonly statement: string;
  readonly script: ScriptTree;
  readonly style?: ProofStyle;
  /** A file that shows habits. */
  readonly file?: string;
  readonly habits?: NameHabits;
}

async function restyled({ statement, script, style = 'terse', file = '', habits }: Found): Promise<string> {
  const root = await stateBehind(`Require Import List Arith.\nImport ListNotations.\n${statement}\nProof.`);
  const checker = new ScriptChecker(session, root, NOTHING_OPEN, { recursive: false, signal: NEVER });
  const { written } = await restyle(script, checker, {
    wantedStyle: { style, file: fileStyleOf(outlineOf(file)) },
    habits: habits ?? new NameHabits(),
    attempts: 200,
    workMs: undefined,
    signal: NEVER,
  });
  expect(await checker.passesScript(written)).toBe(true);
  return scriptText(written, { indent: '  ', newline: '\n', bullets: BULLETS }, '');
}

const NEGATION: Found = {
  statement: 'Lemma twice (b : bool) : negb (negb b) = b.',
  script: tree('induction b', [tree('simpl', 'auto'), tree('reflexivity')]),
};

describe('a found proof', () => {
  it('goes by cases where no hypothesis of the induction is used, and ends like cases at once', async () => {
    expect(await restyled(NEGATION)).toBe('destruct b; auto.');
  });

  it('keeps an induction that is one', async () => {
    const script = tree('induction l', [tree('auto'), tree('simpl', 'rewrite IHl', 'auto')]);
    const statement = 'Lemma same (A : Type) (l : list A) : map (fun x => x) l = l.';
    expect(await restyled({ statement, script })).toMatch(/^induction l/u);
  });

  it('introduces at once what was introduced in turn', async () => {
    const script = tree('intros l', [tree('intros k H', 'rewrite H', 'reflexivity')]);
    const statement = 'Lemma same : forall l k : list nat, l = k -> l ++ [] = k ++ [].';
    expect(await restyled({ statement, script })).toBe('intros l k H.\nrewrite H.\nreflexivity.');
  });

  it('has no rewrite that another undoes, and chains the others', async () => {
    const statement = 'Lemma chain (a b c : nat) (H : a = b) (K : b = c) : a + a = c + c.';
    const script = tree('rewrite H', 'rewrite <- H', 'rewrite H', 'rewrite K', 'reflexivity');
    expect(await restyled({ statement, script })).toBe('rewrite H, K.\nreflexivity.');
  });

  it('says which constructor it is rather than to search for it', async () => {
    const statement = 'Lemma less : 3 <= 4.';
    expect(await restyled({ statement, script: tree('eauto 7 using le_S') })).toBe('auto.');
    const big = 'Lemma more (P : nat -> Prop) (step : forall n, P n -> P (S n)) : P 3 -> P 4.';
    expect(await restyled({ statement: big, script: tree('eauto 7 using step') })).toBe('auto.');
    const hidden = 'Axiom R : nat -> nat -> Prop. Axiom R_all : forall n, R n (S n). Lemma there : R 3 4.';
    expect(await restyled({ statement: hidden, script: tree('eauto 7 using R_all') })).toBe('apply R_all.');
  });

  it('drops names, places and arguments that nothing needs', async () => {
    const statement = 'Lemma needless (n m : nat) : n = 0 \\/ n <> 0.';
    const script = tree('destruct n eqn:E0', [tree('simpl in *', 'try auto'), tree('right', 'discriminate')]);
    expect(await restyled({ statement, script })).toBe('destruct n; auto.');
    const rewriting = 'Lemma swap (n m : nat) : n + m + 0 = m + n.';
    const long = tree('rewrite (Nat.add_comm n m)', 'rewrite Nat.add_0_r', 'reflexivity');
    expect(await restyled({ statement: rewriting, script: long })).not.toContain('0_r, ');
  });

  it('ends goals as the file does', async () => {
    const file = 'Lemma a : True.\nProof. now split. Qed.\nLemma b : True.\nProof. now constructor. Qed.\n';
    const statement = 'Lemma eq (a b : nat) (H : a = b) : b = a.';
    expect(await restyled({ statement, script: tree('rewrite H', 'reflexivity'), file })).toBe(
      'now rewrite H.',
    );
  });

  it('is named where it is to be readable', async () => {
    const script = tree('intros', 'induction l', [tree('auto'), tree('simpl', 'rewrite IHl', 'auto')]);
    const statement = 'Lemma nil_r : forall (A : Type) (l : list A), l ++ [] = l.';
    expect(await restyled({ statement, script, style: 'readable' })).toBe(
      'intros A l.\ninduction l as [|a l IHl].\n- auto.\n- simpl.\n  rewrite IHl.\n  auto.',
    );
  });

  it('names what an induction brings in besides its cases, and lemmas that are posed', async () => {
    const script = tree('induction l', [tree('auto'), tree('simpl', 'rewrite IHl', 'auto')]);
    const statement = 'Lemma nil_r : forall (A : Type) (l : list A), l ++ [] = l.';
    expect(await restyled({ statement, script, style: 'readable' })).toBe(
      'intros A l.\ninduction l as [|a l IHl].\n- auto.\n- simpl.\n  rewrite IHl.\n  auto.',
    );
    const posed = tree('pose proof (rev_involutive l)', 'pose proof (rev_involutive k)', 'congruence');
    const injective = 'Lemma inj (A : Type) (l k : list A) (H : rev l = rev k) : l = k.';
    expect(await restyled({ statement: injective, script: posed, style: 'readable' })).toBe(
      'pose proof (rev_involutive l) as Hl.\npose proof (rev_involutive k) as Hk.\ncongruence.',
    );
  });

  it('names each argument of a case before its hypothesis of the induction', async () => {
    const inductive = 'Inductive tree := leaf | node (l : tree) (x : nat) (r : tree).';
    const mirror =
      'Fixpoint mirror t := match t with leaf => leaf | node l x r => node (mirror r) x (mirror l) end.';
    const statement = `${inductive} ${mirror} Lemma twice (t : tree) : mirror (mirror t) = t.`;
    const script = tree('induction t', [tree('auto'), tree('simpl', 'rewrite IHt1, IHt2', 'auto')]);
    expect(await restyled({ statement, script, style: 'readable' })).toMatch(
      /^induction t as \[\|t1 IHt1 x t2 IHt2\]\./u,
    );
    const relation = 'Inductive R : nat -> nat -> Prop := r x : R x x | t x y z : R x y -> R y z -> R x z.';
    const ofPairs = `${relation} Lemma same x y (H : R x y) : R x y /\\ x = y.`;
    const proof = tree('induction H', [tree('auto using r'), tree('intuition (subst; eauto using t)')]);
    expect(await restyled({ statement: ofPairs, script: proof, style: 'readable' })).toMatch(
      /^induction H as \[x\|x y z H IHR1 H0 IHR2\]\./u,
    );
  });

  it('ends branches at once where what one needs does for the others', async () => {
    const cases = tree('destruct b', [tree('auto'), tree('easy')]);
    const ofBools = 'Lemma second : forall b c : bool, andb b c = true -> c = true.';
    expect(await restyled({ statement: ofBools, script: cases })).toBe('destruct b; easy.');
    const script = tree('induction l', [tree('auto'), tree('simpl', 'auto')]);
    const statement = 'Lemma len (l : list nat) : length (map S l) = length l.';
    expect(await restyled({ statement, script })).toBe('induction l; simpl; auto.');
    const everywhere = tree('induction l; simpl in *; auto');
    expect(await restyled({ statement, script: everywhere })).toBe('induction l; simpl; auto.');
    expect(await restyled({ statement, script, style: 'readable' })).toContain('- simpl.\n');
  });

  it('takes the names of the file for hypotheses of the same kind', async () => {
    const habits = new NameHabits();
    const goal = { id: '1', conclusion: 'True', hypotheses: [{ name: 'Hin', type: 'In x l' }] };
    const statement = 'Lemma there (A : Type) (x : A) l : In x l -> In x (l ++ []).';
    const script = tree('intros H', 'rewrite app_nil_r', 'exact H');
    habits.learn([goal]);
    expect(await restyled({ statement, script, habits })).toContain('intros H.');
    habits.learn([goal]);
    expect(await restyled({ statement, script, habits })).toContain('intros Hin.');
  });

  it('introduces by the names of its own statement, not by those of the proof it was taken from', async () => {
    const statement =
      'Lemma none (Q : Prop) : forall (X : Type) (P : X -> Prop), (forall x, P x) -> ~ (exists x, ~ P x).';
    const other = tree('intros A l1 l2 []', 'apply H', 'apply l2');
    expect(await restyled({ statement, script: other })).toBe('intros X P H [].\napply H0.\napply H.');
    const taken = 'Lemma same (l : list nat) : forall k l : list nat, k = l -> l = k.';
    const swapped = tree('intros l1 l2 e', 'rewrite e', 'reflexivity');
    expect(await restyled({ statement: taken, script: swapped, style: 'readable' })).toBe(
      'intros k l0 H.\nrewrite H.\nreflexivity.',
    );
    const inFile = new NameHabits();
    inFile.learn([{ id: '1', conclusion: 'True', hypotheses: [{ name: 'e', type: 'n = m' }] }]);
    expect(await restyled({ statement: taken, script: swapped, habits: inFile })).toBe(
      'intros k l0 e.\nrewrite e.\nreflexivity.',
    );
  });

  it('analyses cases in cases together, and closes the premises of a rewrite where they arise', async () => {
    const cases = tree('destruct b', [tree('easy'), tree('destruct a', [tree('auto'), tree('easy')])]);
    const ofBools = 'Lemma both (a b : bool) : (if b then orb a b else a) = orb a b.';
    expect(await restyled({ statement: ofBools, script: cases })).toBe('destruct b, a; easy.');
    const relations =
      'Axioms P R : nat -> nat -> Prop. Axiom P_eq : forall n m, P n m -> n = m. Axiom R_self : forall n, R n n.';
    const statement = `${relations} Lemma far n m k (p : P n m) (H : m = k) : R n k.`;
    const premise = tree('rewrite (P_eq n m)', [tree('rewrite H', 'apply R_self'), tree('apply p')]);
    expect(await restyled({ statement, script: premise })).toBe(
      'rewrite (P_eq n m), H by apply p.\napply R_self.',
    );
  });

  it('says of a strategy that could not be written out what it did', async () => {
    const any = 'match goal with |- context [match ?x with _ => _ end] => destruct x eqn:? end';
    const strategy = `do 6 try (first [solve [auto | congruence] | progress simpl in * | ${any}]; subst; try discriminate)`;
    const statement = 'Lemma chosen (f : nat -> bool) n : (if f n then 1 else 1) = 1.';
    expect(await restyled({ statement, script: tree(strategy) })).toBe('destruct (f n); auto.');
    const inScope = 'Require Import ZArith. Lemma scaled k : (if (0 <=? k)%Z then 1 else 1) = 1.';
    expect(await restyled({ statement: inScope, script: tree(strategy) })).toBe(
      'destruct (0 <=? k)%Z; auto.',
    );
  });

  it('names no lemma of a library where automation does as well', async () => {
    const statement = 'Require Import Lia. Lemma above (n m : nat) : n + m + 0 <= m + n.';
    const script = tree('rewrite Nat.add_0_r', 'rewrite Nat.add_comm', 'apply Nat.le_refl');
    expect(await restyled({ statement, script })).toBe('lia.');
  });

  it('goes by no cases that nothing needs', async () => {
    const statement =
      'Require Import Lia. Lemma both (k l : list nat) : length (rev (k ++ l)) = length l + length k.';
    const chain = tree('destruct l; rewrite rev_length, app_length; lia');
    expect(await restyled({ statement, script: chain })).toBe('rewrite rev_length, app_length; lia.');
    const behind = tree('rewrite rev_length, app_length', 'destruct l; lia');
    const kept = 'rewrite rev_length, app_length.\nlia.';
    expect(await restyled({ statement, script: behind, style: 'readable' })).toBe(kept);
    const branch = tree('rewrite rev_length, app_length', 'simpl', 'lia');
    const script = tree('destruct l', [tree('rewrite rev_length, app_length', 'lia'), branch]);
    expect(await restyled({ statement, script })).not.toContain('destruct');
    expect(await restyled({ statement, script, style: 'readable' })).toBe(kept);
  });

  it('goes by induction as SSReflect does, where the file speaks it', async () => {
    const file = 'From Coq Require Import ssreflect.';
    const statement = `${file} Lemma zero n : n + 0 = n.`;
    const nat = tree('induction n; simpl', [tree('done'), tree('rewrite IHn', 'done')]);
    expect(await restyled({ statement, script: nat, file })).toBe('by elim: n => //= n ->.');
    const ofLists = `${file} Lemma nil (A : Type) (l : list A) : l ++ nil = l.`;
    const list = tree('induction l', [tree('auto'), tree('simpl', 'rewrite IHl', 'auto')]);
    expect(await restyled({ statement: ofLists, script: list, file })).toBe('by elim: l => //= x l ->.');
    expect(await restyled({ statement, script: nat, file, style: 'readable' })).toContain('rewrite IHn');
    expect(await restyled({ statement, script: nat })).toContain('rewrite IHn');
  });

  it('applies a lemma that was only posed', async () => {
    const statement =
      'Axiom P : nat -> nat -> Prop. Axiom P_S : forall n m, P n m -> P n (S m). Lemma one n m : P n m -> P n (S m).';
    expect(await restyled({ statement, script: tree('pose proof (P_S n m)', 'auto') })).toBe('apply P_S.');
    const premises =
      'Axioms Q R : nat -> Prop. Axiom Q_R : forall n m, Q n -> Q m -> R m. Lemma R_m n m (q : Q n) : Q m -> R m.';
    const script = tree('intros r', 'pose proof (Q_R n m)', 'auto');
    expect(await restyled({ statement: premises, script })).toBe('apply (Q_R n m); auto.');
  });

  it('uses equations up where it brings them in', async () => {
    const statement = 'Lemma moved (P : nat -> Prop) : forall n m, n = m -> P n -> exists k, k = m /\\ P k.';
    const script = tree('intros n m H', 'subst', 'exists m', 'auto');
    expect(await restyled({ statement, script })).toBe('intros n m ->.\nexists m.\nauto.');
  });

  it('gives the statement’s names, and lower numbers to what Rocq names behind them', async () => {
    const statement = `Inductive below : nat -> nat -> Prop :=
      below_0 m : below 0 m | below_S n m : below n m -> below (S n) (S m).
    Lemma t : forall (k : bool) (l m n : nat), below l m -> below m n -> k = k /\\ below l m.`;
    const script = tree('intros k m H H0', 'intros', 'pose proof (conj H1 H2) as both', 'split', [
      tree('reflexivity'),
      tree('exact (proj1 both)'),
    ]);
    expect(await restyled({ statement, script })).toContain('intros k l m n');
    expect(await restyled({ statement, script })).not.toMatch(/H1|H2/u);
  });

  it('asks the prover about so many changes at most', async () => {
    const statement = 'Lemma twice (b : bool) : negb (negb b) = b.';
    const root = await stateBehind(`${statement}\nProof.`);
    const checker = new ScriptChecker(session, root, NOTHING_OPEN, { recursive: false, signal: NEVER });
    const { found, written } = await restyle(NEGATION.script, checker, {
      wantedStyle: { style: 'terse', file: fileStyleOf(outlineOf('')) },
      ...{ habits: new NameHabits(), attempts: 0, workMs: undefined, signal: NEVER },
    });
    expect(written).toEqual(found);
  });

  it('is the same on a machine that has much else to do: the prover’s work counts, not the clock', async () => {
    const statement = 'Lemma twice (b : bool) : negb (negb b) = b.';
    const root = await stateBehind(`${statement}\nProof.`);
    const delayed = sessionOver(session, {
      run: async (from, sentence, options) => {
        await sleep(60);
        return session.run(from, sentence, options);
      },
    });
    const options = {
      wantedStyle: { style: 'terse', file: fileStyleOf(outlineOf('')) },
      ...{ habits: new NameHabits(), attempts: 200, workMs: 600, signal: NEVER },
    } as const;
    const [alone, beside] = [session, delayed].map(
      (one) => new ScriptChecker(one, root, NOTHING_OPEN, { recursive: false, signal: NEVER }),
    );
    const since = performance.now();
    expect(await restyle(NEGATION.script, present(beside, 'checker'), options)).toEqual(
      await restyle(NEGATION.script, present(alone, 'checker'), options),
    );
    expect(performance.now() - since).toBeGreaterThan(options.workMs);
  });

  it('stays as it is where the prover takes nothing else', async () => {
    const root = await stateBehind('Lemma false_one : True.\nProof.');
    const checker = new ScriptChecker(session, root, NOTHING_OPEN, { recursive: false, signal: NEVER });
    const wrong = tree('discriminate');
    const options = {
      wantedStyle: { style: 'terse', file: fileStyleOf(outlineOf('')) },
      ...{ habits: new NameHabits(), attempts: 50, workMs: undefined, signal: NEVER },
    } as const;
    expect(await restyle(wrong, checker, options)).toEqual({ found: wrong, written: wrong, unnamed: wrong });
    expect((await session.run(root, asSentence('exact I.'))).status).toBe('done');
  });
});

describe('the style of a file', () => {
  it('is read from its proofs', () => {
    const file = `Lemma a : A.
Proof.
  split.
  * split.
    - now auto.
    - now auto.
  * by auto.
Qed.
`;
    expect(fileStyleOf(outlineOf(file))).toEqual({
      ...{ ssreflect: false, finisher: 'now', bullets: ['*', '-'] },
      ownLemmas: new Set(['a']),
    });
  });
});
