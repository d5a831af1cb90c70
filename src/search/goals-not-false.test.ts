/** Which goals of a search in vain are told, by whether they look false. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Goal } from '../core/proof-state.ts';
import { findRocq } from '../sessions/find-rocq.ts';
import { goalsNotFalse } from './goals-not-false.ts';
import { proveFile } from './prove-file.ts';
import { credulous } from './testing/credulous-judge.ts';

const goal = (conclusion: string): Goal => ({ id: conclusion, hypotheses: [], conclusion });
const { signal } = new AbortController();

/** States from the best on; in them the goals whose names begin with `f` are false. */
async function told(...states: readonly (readonly string[])[]) {
  const asked: string[] = [];
  const goals = states.map((names) => names.map(goal));
  const bestGoalsBut = (isFalse: (one: Goal) => boolean): readonly Goal[] =>
    goals.find((some) => !some.some(isFalse)) ?? [];
  const session = await (await findRocq('auto')).openSession({ file: '/goals.v', signal });
  const stood = await goalsNotFalse(
    {
      ...{ bestGoals: goals[0] ?? [], bestGoalsBut },
      advised: (one) => (one.conclusion.startsWith('theorem') ? undefined : one),
    },
    {
      lookAt: ({ conclusion }) => {
        asked.push(conclusion);
        return Promise.resolve(
          conclusion.startsWith('f') ? 'false' : conclusion.startsWith('u') ? 'unknown' : 'stands',
        );
      },
      ...{ session, budgetMs: undefined, signal },
    },
  ).finally(() => session.close());
  return { ...stood, bestGoals: stood.bestGoals.map(({ conclusion }) => conclusion), asked };
}

it('tells the best state where none of its goals looks false', async () => {
  expect(await told(['a', 'b'], ['c'])).toEqual({
    bestGoals: ['a', 'b'],
    areFalse: false,
    asked: ['a', 'b'],
  });
});

it('tells the next state where one does, with how many goals that has, and asks of no goal twice', async () => {
  expect(await told(['a', 'f1'], ['a', 'b', 'c'])).toEqual({
    ...{ bestGoals: ['a', 'b', 'c'], areFalse: false, bestGoalCount: 3 },
    asked: ['a', 'f1', 'b', 'c'],
  });
});

it('tells the goals that look false as such where there is no other way', async () => {
  expect(await told(['a', 'f1'], ['f2'])).toMatchObject({ bestGoals: ['f1'], areFalse: true });
});

it('tells no goal that says the theorem over again', async () => {
  expect(await told(['theorem', 'a'])).toMatchObject({ bestGoals: ['a'], asked: ['a'] });
  expect(await told(['theorem'])).toEqual({ bestGoals: [], areFalse: false, asked: [] });
});

it('says so where nobody could look', async () => {
  expect(await told(['a', 'u'])).toMatchObject({ bestGoals: ['a', 'u'], areUnlooked: true });
});

it('is nothing where the search came nowhere, and does not look for long', async () => {
  expect(await told()).toEqual({ bestGoals: [], areFalse: false, asked: [] });
  const { asked } = await told(...Array.from({ length: 50 }, (_, at) => [`f${at}`]));
  expect(asked.length).toBeLessThan(12);
});

it.each([
  ['all goals look false', true],
  ['none does', false],
])('is asked of the goals of a search, where %s', async (_, areFalse) => {
  const [result] = await proveFile(
    {
      ...{ file: join(tmpdir(), 'quod_false_goals.v'), theorems: 'all-holes', nodes: 20, jobs: 1, seed: 0 },
      text: 'Theorem same : forall n m : nat, n * m + n = m * n + n.\nProof. Admitted.\n',
      ...{ prover: await findRocq('auto'), judge: credulous, signal },
      goalRefuter: () => Promise.resolve(areFalse ? 'false' : 'stands'),
    },
    () => {},
  );
  expect(result?.outcome).toMatchObject({ kind: 'not-proved', areFalse });
});
