/** What a search and a proof that is filled in come to, for the exit code: proved without anything open, or not. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../catalogue.ts';
import { openCaller, type Caller } from '../testing/caller.ts';
import { isProved } from './search-result.ts';

let caller: Caller;
beforeAll(async () => {
  caller = await openCaller({
    'easy.v': 'Lemma easy : True /\\ True.\nAdmitted.\n',
    'both.v': 'Lemma easy : True.\nAdmitted.\nLemma hard : forall n : nat, n = n + n.\nAdmitted.\n',
    'none.v': 'Definition one := 1.\n',
    'names.v':
      'Lemma x : True.\nProof. exact I. Qed.\nModule A.\nLemma x : 1 = 1.\nAbort.\nEnd A.\nModule B.\nLemma y : True.\nAdmitted.\nEnd B.\nModule C.\nLemma y : True.\nAdmitted.\nEnd C.\n',
    'lost.v':
      'Lemma first : True.\nAdmitted.\nLemma lost : True.\nProof.\nNotation "\'ZZ\'" := 1.\nAdmitted.\nLemma last : True.\nAdmitted.\n',
    'open.v': 'Theorem u : 1 = 2.\nAdmitted.\nTheorem t : 1 = 2.\nAdmitted.\n',
  });
});
afterAll(() => caller.close());

it.each([
  ['proved', null, true],
  ['proved-but', null, false],
  ['refuted', null, false],
  ['not-proved', null, false],
  ['not-proved', 'budget-exhausted', false],
  ['not-proved', 'does-not-compile', undefined],
  ['not-judged', 'timeout', undefined],
] as const)('%s (%s) is %s', (outcome, reason, holds) => {
  expect(isProved({ outcome, reason })).toBe(holds);
});

it('a name means one statement, as in every operation', async () => {
  const searched = async (theorem: string) => {
    const input = { file: 'names.v', theorems: [theorem], nodes: 30 };
    const { value } = await operations.proof_search.answer(input, caller.context());
    return value.results.map(({ line, outcome }) => [line, outcome]);
  };
  expect(await searched('x')).toEqual([[1, 'proved']]);
  expect(await searched('A.x')).toEqual([[4, 'proved']]);
  await expect(searched('y')).rejects.toThrow('The file states several theorems y.');
}, 120_000);

it('a theorem that had a proof is searched, and the answer says that it had one', async () => {
  const input = { file: 'names.v', theorems: ['x', 'B.y'], nodes: 30 };
  const answer = await operations.proof_search.answer(input, caller.context());
  expect(answer.value.results).toMatchObject([
    { theorem: 'x', outcome: 'proved', message: 'The text of the file has a proof of it already.' },
    { theorem: 'B.y', outcome: 'proved', message: null },
  ]);
  expect(answer.body()).toMatch(/^x: proved.*\nThe text of the file has a proof of it already\.\nProof/mu);
}, 120_000);

it('where more than tactics would be lost nothing is searched', async () => {
  const { value } = await operations.proof_search.answer({ file: 'lost.v', nodes: 30 }, caller.context());
  expect(value).toMatchObject({ proved: 2, partial: false });
  expect(value.results).toMatchObject([
    { theorem: 'first', outcome: 'proved' },
    {
      ...{ theorem: 'lost', line: 3, outcome: 'not-proved', reason: 'unsupported', nodes: 0, proof: null },
      message: expect.stringMatching(
        /more than tactics in it, from 5:0 on: Notation .* Move it out/u,
      ) as unknown,
    },
    { theorem: 'last', outcome: 'proved' },
  ]);
}, 120_000);

describe('the whole answer', () => {
  it.each([
    ['easy.v', true],
    ['both.v', false],
    ['none.v', true],
  ])(
    'of a search in %s holds: %s',
    async (file, holds) => {
      const answer = await operations.proof_search.answer({ file, nodes: 30 }, caller.context());
      expect(answer.holds()).toBe(holds);
    },
    120_000,
  );

  it('of a proof that rests on what is open says no, and of another one yes', async () => {
    const fill = (theorem: string, proof: string, file: string) =>
      operations.rocq_fill.answer({ file, theorem, proof, dry_run: true }, caller.context());
    const open = await fill('t', 'exact u.', 'open.v');
    expect(open.value).toMatchObject({ verdict: 'accepted', rests_on_open: ['u'] });
    expect(open.holds()).toBe(false);
    expect((await fill('easy', 'split; exact I.', 'easy.v')).holds()).toBe(true);
  }, 120_000);
});
