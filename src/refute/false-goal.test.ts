/** Goals of a search that are false as statements of their own, wherever the theorem stands. */
import { expect, it } from 'vitest';
import type { Goal, Hypothesis } from '../core/proof-state.ts';
import { outlineOf } from '../provers/rocq/syntax/outline.ts';
import { asSentence } from '../provers/rocq/syntax/sentences.ts';
import { findRocq } from '../sessions/find-rocq.ts';
import { sessionByWork } from '../sessions/session-by-work.ts';
import { lookAtGoal } from './false-goal.ts';

const EVEN = `Fixpoint evenb (n : nat) : bool := match n with 0 => true | S 0 => false | S (S m) => evenb m end.
`;
const SECTION = `Section S.
Variable A : Type.
Variable f : A -> A.
Definition twice (x : A) := f (f x).
`;
/** Of the prover, so that a busy machine changes nothing. */
const WORK_MS = 20_000;
const { signal } = new AbortController();

interface Asked {
  readonly before: string;
  readonly hypotheses: Readonly<Record<string, string>>;
  readonly conclusion: string;
}

async function lookAt({ before, hypotheses, conclusion }: Asked) {
  const outline = outlineOf(`${before}Theorem wanted : forall n : nat, n = n.\nProof. Admitted.\n`);
  const [theorem] = outline.statements;
  if (theorem === undefined) throw new Error('There is no theorem.');
  const prover = await findRocq('auto');
  const { session } = sessionByWork(await prover.openSession({ file: '/goal.v', signal }), WORK_MS);
  try {
    let opened = session.root;
    for (const { text } of outline.sentences.slice(0, theorem.sentence + 1)) {
      const result = await session.run(opened, asSentence(text), { signal });
      if (result.status !== 'done') throw new Error(`${text} does not run.`);
      opened = result.state;
    }
    const goal: Goal = {
      id: '1',
      hypotheses: Object.entries(hypotheses).map(([name, type]): Hypothesis => ({ name, type })),
      conclusion,
    };
    return await lookAtGoal(
      { outline, theorem, session, opened, goal },
      { allowed: { sentences: 120 }, signal },
    );
  } finally {
    await session.close();
  }
}

const STEPS = `Inductive tm := C (n : nat) | P (a b : tm).
Inductive step : tm -> tm -> Prop :=
  | ST_PC n m : step (P (C n) (C m)) (C (n + m))
  | ST_P1 a c b : step a c -> step (P a b) (P c b).
`;
const EV = `From Coq Require Import Lia.
Inductive ev : nat -> Prop := ev_0 : ev 0 | ev_SS : forall n, ev n -> ev (S (S n)).
`;
const PERM = `From Coq Require Import List.
Inductive perm {A} : list A -> list A -> Prop :=
  | p_nil : perm nil nil
  | p_skip : forall x k l, perm k l -> perm (x :: k)%list (x :: l)%list
  | p_trans : forall k l m, perm k l -> perm l m -> perm k m.
`;

it.each<[name: string, asked: Asked, expected: 'false' | 'stands' | 'unknown']>([
  [
    'a step that no rule makes',
    { before: STEPS, hypotheses: { n: 'nat' }, conclusion: 'step (C n) (C n)' },
    'false',
  ],
  [
    'a hypothesis that no computation decides',
    { before: EV, hypotheses: { n: 'nat', H: '(exists k, n = k + k) -> ev n' }, conclusion: 'ev n' },
    'false',
  ],
  [
    'a relation with a rule that composes',
    {
      before: PERM,
      hypotheses: {
        A: 'Type',
        a: 'A',
        n: 'A',
        k: 'list A',
        l: 'list A',
        H: 'perm k (a :: l)%list',
        K: 'In n k',
      },
      conclusion: 'perm k l',
    },
    'false',
  ],
  [
    'what nobody knows values of',
    {
      before: 'Parameter T : Type.\nParameter Q : T -> Prop.\n',
      hypotheses: { t: 'T' },
      conclusion: 'Q t',
    },
    'unknown',
  ],
  [
    'a witness that was chosen before the induction',
    {
      before: EVEN,
      hypotheses: { n: 'nat', H: 'evenb (S n) = true', IHn: 'evenb n = true -> n = 2 * 0' },
      conclusion: 'evenb n = true',
    },
    'false',
  ],
  [
    'what holds',
    { before: EVEN, hypotheses: { n: 'nat' }, conclusion: 'evenb n = evenb (S (S n))' },
    'stands',
  ],
  [
    'what has something unknown in it',
    { before: '', hypotheses: {}, conclusion: '?n = 1 /\\ 0 = 1' },
    'unknown',
  ],
  [
    'what speaks of the section in which it stands',
    {
      before: SECTION,
      hypotheses: { A: 'Type', f: 'A -> A', x: 'A' },
      conclusion: 'twice x = x',
    },
    'false',
  ],
])('%s', async (_, asked, expected) => {
  expect(await lookAt(asked)).toBe(expected);
});
