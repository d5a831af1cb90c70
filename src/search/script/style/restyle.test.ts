/**
 * What becomes of found proofs, on the real Rocq: each is rewritten, closes its goal still, and is as it was where
 * nothing is better.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asSentence } from '../../../provers/rocq/syntax/sentences.ts';
import { outlineOf } from '../../../provers/rocq/syntax/outline.ts';
import { BULLETS, scriptText, type ScriptTree } from '../../../provers/rocq/syntax/script-tree.ts';
import type { ProverSession, StateId } from '../../../core/prover.ts';
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
  const result = await restyle(script, checker, {
    wantedStyle: { style, file: fileStyleOf(outlineOf(file)) },
    habits: habits ?? new NameHabits(),
    attempts: 200,
    deadline: undefined,
    signal: NEVER,
  });
  expect(await checker.passesScript(result)).toBe(true);
  return scriptText(result, { indent: '  ', newline: '\n', bullets: BULLETS }, '');
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
    expect(await restyled({ statement, script })).toBe('destruct n.\n- auto.\n- right.\n  discriminate.');
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

  it('stays as it is where the prover takes nothing else', async () => {
    const root = await stateBehind('Lemma false_one : True.\nProof.');
    const checker = new ScriptChecker(session, root, NOTHING_OPEN, { recursive: false, signal: NEVER });
    const wrong = tree('discriminate');
    const options = {
      wantedStyle: { style: 'terse', file: fileStyleOf(outlineOf('')) },
      ...{ habits: new NameHabits(), attempts: 50, deadline: undefined, signal: NEVER },
    } as const;
    expect(await restyle(wrong, checker, options)).toEqual(wrong);
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
    expect(fileStyleOf(outlineOf(file))).toEqual({ ssreflect: false, finisher: 'now', bullets: ['*', '-'] });
  });
});
