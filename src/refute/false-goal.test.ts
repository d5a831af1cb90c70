/** Goals of a search that are false as statements of their own, wherever the theorem stands. */
import { expect, it } from 'vitest';
import type { Goal, Hypothesis } from '../core/proof-state.ts';
import { outlineOf } from '../provers/rocq/syntax/outline.ts';
import { asSentence } from '../provers/rocq/syntax/sentences.ts';
import { findRocq } from '../sessions/find-rocq.ts';
import { isFalseGoal } from './false-goal.ts';

const EVEN = `Fixpoint evenb (n : nat) : bool := match n with 0 => true | S 0 => false | S (S m) => evenb m end.
`;
const SECTION = `Section S.
Variable A : Type.
Variable f : A -> A.
Definition twice (x : A) := f (f x).
`;
const { signal } = new AbortController();

interface Asked {
  readonly before: string;
  readonly hypotheses: Readonly<Record<string, string>>;
  readonly conclusion: string;
}

async function looksFalse({ before, hypotheses, conclusion }: Asked): Promise<boolean> {
  const outline = outlineOf(`${before}Theorem wanted : forall n : nat, n = n.\nProof. Admitted.\n`);
  const [theorem] = outline.statements;
  if (theorem === undefined) throw new Error('There is no theorem.');
  const prover = await findRocq('auto');
  const session = await prover.openSession({ file: '/goal.v', signal });
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
    return await isFalseGoal(
      { outline, theorem, session, opened, goal },
      { allowed: { sentences: 40 }, signal },
    );
  } finally {
    await session.close();
  }
}

it.each<[name: string, asked: Asked, expected: boolean]>([
  [
    'a witness that was chosen before the induction',
    {
      before: EVEN,
      hypotheses: { n: 'nat', H: 'evenb (S n) = true', IHn: 'evenb n = true -> n = 2 * 0' },
      conclusion: 'evenb n = true',
    },
    true,
  ],
  ['what holds', { before: EVEN, hypotheses: { n: 'nat' }, conclusion: 'evenb 0 = true' }, false],
  ['what has something unknown in it', { before: '', hypotheses: {}, conclusion: '?n = 1 /\\ 0 = 1' }, false],
  [
    'what speaks of the section in which it stands',
    {
      before: SECTION,
      hypotheses: { A: 'Type', f: 'A -> A', x: 'A' },
      conclusion: 'twice x = x',
    },
    true,
  ],
])('%s', async (_, asked, expected) => {
  expect(await looksFalse(asked)).toBe(expected);
});
